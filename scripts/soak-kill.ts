import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { soak } from '../test/faults/soak/soak.ts';
import { ensureTools } from './setup/tools.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: String(Date.now() % 1e9) } },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run soak:kill -- [--rounds N] [--seed N]');
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
const folder = await mkdtemp(join(tmpdir(), 'telecine-soak-'));
console.log(`${rounds} rounds, seed ${seed}, in ${folder}`);
const from = performance.now();
const report = await soak({ folder, rounds, seed, programs, say: console.log });
console.log(JSON.stringify({ ...report, minutes: (performance.now() - from) / 60_000 }, null, 2));
if (report.faults.length === 0) {
  await rm(folder, { recursive: true });
  console.log('No errors found.');
} else {
  console.log(`${report.faults.length} errors. The files are in ${folder}. To repeat: --seed ${seed}`);
  process.exitCode = 1;
}
