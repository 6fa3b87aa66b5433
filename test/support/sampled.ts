/** Which of the rows that are alike `npm test` runs. */
const EVERY = 20;

/**
 * Whether suites run whole that take minutes: with TELECINE_TEST_ROWS=all (`npm run test:rows`), on other engines and on
 * other releases of ffmpeg. `npm test` runs a part of them.
 */
export const IS_WHOLE = process.env['TELECINE_TEST_ROWS'] === 'all';

/** One of `every` rows that are alike; all of them where suites run whole. */
export const sampled = <T>(rows: readonly T[], every = EVERY): readonly T[] =>
  IS_WHOLE ? rows : rows.filter((_, index) => index % every === 0);

/** How often a property is tried: a fifth of `runs` in `npm test`, all of them where suites run whole. */
export const sampledRuns = (runs: number): number => (IS_WHOLE ? runs : Math.ceil(runs / 5));
