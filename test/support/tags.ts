/**
 * The tags of tests. `npm test` leaves `long` out, `npm run test:long` runs it. A test is long if it takes seconds for what other tests
 * of `npm test` mostly find too: a second way through the same code, a combination, a list of like rows, a rare set-up. Each feature and
 * each crash point keeps a test in `npm test`. A file whose tests are all long begins with `@module-tag long`.
 */
export const TAGS = [
  { name: 'long', description: 'takes seconds for what other tests mostly find too' },
  /** `npm run test:all` leaves it out, because it also runs the whole soak. */
  { name: 'part', description: 'a part of what a soak or `npm run test:tasks` runs whole' },
];
