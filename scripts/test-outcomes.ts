import { parseArgs } from 'node:util';
import { PLANTED_FAULTS, type PlantedFault } from '../test/outcomes/generated/planted-faults.ts';
import { drawCombinations, runOutcomes } from '../test/outcomes/generated/run-outcomes.ts';
import { runSoak, SEED, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE =
  'npm run test:outcomes -- [--count N] [--seed N] [--first NUMBER] [--ffmpeg PATH, with ffprobe beside it] [--plant FAULT]';
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: SEED,
    first: { type: 'string', default: '0' },
    ffmpeg: { type: 'string' },
    plant: { type: 'string' },
  },
});
const count = wholeNumberOf(values.count, 1, USAGE);
const seed = wholeNumberOf(values.seed, 0, USAGE);
const first = wholeNumberOf(values.first, 0, USAGE);
const { ffmpeg, plant } = values;
if (plant !== undefined && !Object.hasOwn(PLANTED_FAULTS, plant)) {
  console.error(`There is no fault "${plant}". The faults: ${Object.keys(PLANTED_FAULTS).join(', ')}.`);
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs =
  ffmpeg === undefined
    ? await ensureTools(console.log)
    : { ffmpegPath: ffmpeg, ffprobePath: ffmpeg.replace(/ffmpeg([^/]*)$/, 'ffprobe$1') };
const combinations = drawCombinations(seed, first, count);
const plants = plant === undefined ? undefined : () => plant as PlantedFault;
await runSoak({ what: `${count} combinations`, seed, kept: 'media' }, (folder, program) =>
  runOutcomes({ folder, combinations, programs, program, say: console.log, ...(plants && { plants }) }),
);
