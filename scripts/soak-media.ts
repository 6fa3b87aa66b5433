import { parseArgs } from 'node:util';
import { fuzz } from '../test/fuzz/fuzz.ts';
import { FUZZ_SANDBOXES, type FuzzSandbox } from '../test/fuzz/fuzz-setup.ts';
import { runSoak, SEED, wholeNumberOf } from './lib/soak.ts';
import { ensureTools } from './setup/tools.ts';

const USAGE = 'npm run soak:media -- [--count N] [--seed N] [--first NUMBER] [--sandbox auto|required|off]';
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '3000' },
    seed: SEED,
    first: { type: 'string', default: '0' },
    sandbox: { type: 'string', default: 'auto' },
  },
});
const count = wholeNumberOf(values.count, 1, USAGE);
const seed = wholeNumberOf(values.seed, 0, USAGE);
const first = wholeNumberOf(values.first, 0, USAGE);
const sandbox = values.sandbox as FuzzSandbox;
if (!FUZZ_SANDBOXES.includes(sandbox)) {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
await runSoak({ what: `${count} mutants`, seed, kept: 'kept' }, (folder, program) =>
  fuzz({ folder, count, seed, first, programs, program, say: console.log, sandbox }),
);
