/** Which of the rows that are alike `npm test` runs. */
const EVERY = 6;

/**
 * Every sixth of many rows that are alike; all of them with TELECINE_TEST_ROWS=all (`npm run test:rows`), and on other engines and
 * releases of ffmpeg. A whole run of such a suite takes minutes.
 */
export const sampled = <T>(rows: readonly T[]): readonly T[] =>
  process.env['TELECINE_TEST_ROWS'] === 'all' ? rows : rows.filter((_, index) => index % EVERY === 0);
