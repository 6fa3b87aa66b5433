import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compareFiles } from './compare/compare-files.ts';
import { comparisonTable } from './compare/comparison-table.ts';
import { runSoak, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE = 'npm run compare -- --media DIR --seed N [--count N] [--minutes N] [--handbrake PATH] [--out FILE]';
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ media: text, handbrake: text, out: text },
    ...{ seed: { ...text, default: '1' }, count: { ...text, default: '1000' }, minutes: { ...text, default: '600' } },
  },
});
const { media: mediaFolder, out, handbrake: handbrakePath } = values;
const count = wholeNumberOf(values.count, 1, USAGE);
const seed = wholeNumberOf(values.seed, 0, USAGE);
const minutes = wholeNumberOf(values.minutes, 1, USAGE);
if (mediaFolder === undefined) {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
await runSoak({ what: `${count} requests`, seed }, async (folder, program) => {
  const options = { folder, mediaFolder, count, seed, minutes, programs, handbrakePath, program };
  const table = comparisonTable(await compareFiles(options));
  console.log(`\n${table}`);
  if (out !== undefined) await writeFile(out, table);
  return { faults: [] };
});
