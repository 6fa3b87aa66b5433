/** Durations in milliseconds. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The longest timer of Node, 24.8 days. A longer one fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The longest wait of one call for jobs, in seconds: clients give up after a minute. */
export const MAX_CALL_WAIT_SECONDS = 50;
