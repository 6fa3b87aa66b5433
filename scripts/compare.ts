import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compareFiles } from './compare/compare-files.ts';
import { comparisonTable } from './compare/comparison-table.ts';
import { runSoak, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE =
  'npm run compare -- --media DIR --seed N [--count N] [--minutes N] [--only TEXT] [--ffmpeg PATH] [--handbrake PATH] [--out FILE]';
const { values } = parseArgs({
  options: {
    media: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '600' },
    only: { type: 'string' },
    ffmpeg: { type: 'string' },
    handbrake: { type: 'string' },
    out: { type: 'string' },
  },
});
const { media, only, out } = values;
const count = wholeNumberOf(values.count, 1, USAGE);
const seed = wholeNumberOf(values.seed, 0, USAGE);
const minutes = wholeNumberOf(values.minutes, 1, USAGE);
if (media === undefined) {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
// The service, the bare commands and the judge use the same build.
if (values.ffmpeg !== undefined) process.env['FFMPEG_PATH'] = values.ffmpeg;
const programs = await ensureTools(console.log);
await runSoak({ what: `${count} requests`, seed }, async (folder, program) => {
  const pairs = await compareFiles({
    ...{ folder, mediaFolder: media, count, seed, minutes, programs, program, say: console.log },
    ...(values.handbrake !== undefined && { handbrakePath: values.handbrake }),
    ...(only !== undefined && { only }),
  });
  const table = comparisonTable(pairs);
  console.log(`\n${table}`);
  if (out !== undefined) await writeFile(out, table);
  return { faults: [] };
});
