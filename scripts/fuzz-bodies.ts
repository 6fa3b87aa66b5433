import { parseArgs } from 'node:util';
import { startCounting } from '../test/support/work.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    only: { type: 'string', default: '' },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run fuzz:bodies -- [--seconds N] [--seed N] [--only OPERATION]');
  process.exit(2);
}

/** The maximum cost of a body in units: on the event loop, and in the thread that plans large requests. A unit takes some nanoseconds. */
const MOST_UNITS = { loop: 30_000_000, thread: 600_000_000 } as const;
/** How many of the most expensive bodies are shown. */
const SHOWN = 20;

// Start to count before the counted code is imported.
const counter = startCounting();
const { openFuzzApp } = await import('../test/fuzz/bodies/fuzz-app.ts');
const { fuzzTargets } = await import('../test/fuzz/bodies/targets.ts');
const { fuzzBodies, lineOf } = await import('../test/fuzz/bodies/fuzz-bodies.ts');

const errors = new Set<string>();
const onError = (error: unknown): void => {
  const { err = error } = error as { readonly err?: unknown };
  errors.add(err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(err));
};
let isLarge = false;
const wasLarge = (): boolean => {
  const answer = isLarge;
  isLarge = false;
  return answer;
};
const app = openFuzzApp(onError, () => {
  isLarge = true;
});
const targets = fuzzTargets().filter(({ name }) => name.includes(values.only));
console.log(`seed ${seed}, ${seconds} s, ${new Set(targets).size} operations and tools`);
const report = await fuzzBodies({ app, wasLarge, targets, counter, seconds, seed, say: console.log });
await app.close();

console.log(`\n${report.tried} documents. The dearest of each operation and tool:`);
for (const one of report.dearest) console.log(lineOf(one));
console.log('\nThose that cost most in a larger size:');
for (const one of report.largest.slice(0, SHOWN)) console.log(lineOf(one));
const tooDear = [...report.dearest, ...report.largest].filter(
  (one) => one.units > (one.isLarge ? MOST_UNITS.thread : MOST_UNITS.loop),
);
for (const one of tooDear) console.log(`TOO DEAR: ${lineOf(one)}`);
for (const { document, costs, place } of report.growing)
  console.log(
    `GROWS: ${costs.map((cost) => cost.toFixed(1)).join(' → ')} units a byte at ${place}\n  ${lineOf(document)}`,
  );
for (const error of errors) console.log(`ERROR: ${error}`);
if (tooDear.length + report.growing.length + errors.size > 0) process.exitCode = 1;
