import { parseArgs } from 'node:util';
import { runOutcomes } from '../test/outcomes/generated/run-outcomes.ts';
import { runSoak, SEED, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE = 'npm run test:outcomes -- [--count N] [--seed N] [--first NUMBER]';
const { values } = parseArgs({
  options: { count: { type: 'string', default: '200' }, seed: SEED, first: { type: 'string', default: '0' } },
});
const count = wholeNumberOf(values.count, 1, USAGE);
const seed = wholeNumberOf(values.seed, 0, USAGE);
const first = wholeNumberOf(values.first, 0, USAGE);

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
await runSoak({ what: `${count} combinations`, seed, kept: 'media' }, (folder, program) =>
  runOutcomes({ folder, count, seed, first, programs, program, say: console.log }),
);
