/** The points at which a crash test can stop the service. */
export const FAILPOINTS = [
  ...(['after-claim', 'after-intent', 'after-link', 'after-commit', 'after-expired-removal'] as const),
  ...(['before-watch-page', 'after-watch-mark', 'after-watch-source'] as const),
];

export type Failpoint = (typeof FAILPOINTS)[number];
