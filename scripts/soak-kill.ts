import { parseArgs } from 'node:util';
import { soak } from '../test/faults/soak/soak.ts';
import { runSoak, SEED, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE = 'npm run soak:kill -- [--rounds N] [--seed N]';
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' }, seed: SEED } });
const rounds = wholeNumberOf(values.rounds, 1, USAGE);
const seed = wholeNumberOf(values.seed, 0, USAGE);

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
await runSoak({ what: `${rounds} rounds`, seed }, (folder, program) =>
  soak({ folder, rounds, seed, programs, program, say: console.log }),
);
