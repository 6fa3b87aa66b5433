import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from '../test/fuzz/fuzz.ts';
import { ensureTools } from './setup/tools.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    first: { type: 'string', default: '0' },
    sandbox: { type: 'string', default: 'auto' },
  },
});
const [count, seed, first] = [Number(values.count), Number(values.seed), Number(values.first)];
const { sandbox } = values;
if (![count - 1, seed, first].every((n) => Number.isSafeInteger(n) && n >= 0) || !/^(?:auto|off)$/.test(sandbox)) {
  console.error('Usage: npm run soak:media -- [--count N] [--seed N] [--first NUMBER] [--sandbox auto|off]');
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
const folder = await mkdtemp(join(tmpdir(), 'telecine-media-'));
console.log(`${count} mutants, seed ${seed}, in ${folder}`);
const from = performance.now();
const options = { folder, count, seed, first, programs, say: console.log };
const report = await fuzz({ ...options, sandbox: sandbox === 'off' ? 'off' : 'auto' });
console.log(JSON.stringify({ ...report, minutes: (performance.now() - from) / 60_000 }, null, 2));
if (report.faults.length === 0) {
  await rm(folder, { recursive: true });
  console.log('No errors found.');
} else {
  console.log(`${report.faults.length} errors. The files are in ${folder}/kept. To repeat: --seed ${seed}`);
  process.exitCode = 1;
}
