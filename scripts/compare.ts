import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compareFiles } from './compare/compare-files.ts';
import { comparisonTable } from './compare/comparison-table.ts';
import { runSoak, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE =
  'npm run compare -- --media DIR --seed N [--count N] [--first N] [--others PERCENT] [--handbrake PATH] [--out FILE]';
const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({
  options: { media: text, seed: text, count: text, first: text, others: text, handbrake: text, out: text },
});
const numberOf = (name: 'seed' | 'count' | 'first' | 'others', usual: number): number =>
  wholeNumberOf(values[name] || String(usual), 0, USAGE);
const [seed, count, first] = [numberOf('seed', 1), numberOf('count', 1000), numberOf('first', 0)];
if (values.media === '') {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
await runSoak({ what: `${count} requests`, seed }, async (folder, program) => {
  const { media, handbrake, out } = values;
  const options = { folder, media, count, seed, first, programs, handbrake, program };
  const table = comparisonTable(await compareFiles({ ...options, share: numberOf('others', 100) / 100 }));
  console.log(`\n${table}`);
  if (out !== '') await writeFile(out, table);
  return { faults: [] };
});
