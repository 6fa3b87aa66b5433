/** How much was written at a time. */
export interface Written {
  /** In milliseconds, of any clock that only goes forward. */
  readonly atMs: number;
  /** Seconds of media. */
  readonly seconds: number;
}

/** The time over which the speed is taken: long enough for scenes that take longer, and short enough for a machine that is now less busy. */
const WINDOW_MS = 30_000;

/** Over less time, the speed is uncertain, so that a known one counts for the rest of it. */
const CERTAIN_MS = 5000;

/** The least speed, as a share of the known one: a pause of the source must not make hours of a minute. */
const LEAST_SHARE = 0.1;

/** Adds what is written now, and drops what the speed no longer needs. Leaves out the start, before an encoder has written anything. */
export function withWritten(before: readonly Written[], now: Written): readonly Written[] {
  if (now.seconds <= 0) return before;
  const since = now.atMs - WINDOW_MS;
  // The last point before the window is kept, so that the window is never shorter than wanted.
  const from = before.findLastIndex(({ atMs }) => atMs <= since);
  return [...before.slice(Math.max(0, from)), now];
}

/**
 * The speed of the last half minute, in seconds of media per second.
 *
 * @param written In the order of time.
 * @param known A speed that is known from longer ago, such as the mean. It counts while there is too little of the last half minute.
 */
export function recentSpeed(written: readonly Written[], known: number): number {
  const [first, last] = [written[0], written.at(-1)];
  if (first === undefined || last === undefined) return known;
  const ms = last.atMs - first.atMs;
  const seconds = Math.max(0, last.seconds - first.seconds);
  const speed =
    ms >= CERTAIN_MS ? seconds / (ms / 1000) : (seconds + (known * (CERTAIN_MS - ms)) / 1000) / (CERTAIN_MS / 1000);
  return Math.max(speed, known * LEAST_SHARE);
}
