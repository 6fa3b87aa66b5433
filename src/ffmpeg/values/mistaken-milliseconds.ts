/**
 * Whether a number of seconds for segments is that of some seconds in milliseconds: 6000, 1500. Half hours and hours are
 * seconds that people send for long segments.
 */
export const isMilliseconds = (seconds: number): boolean =>
  seconds >= 1000 && seconds <= 30_000 && seconds % 500 === 0 && seconds % 1800 !== 0;

/** Whether a time that does not fit its input can be some seconds in milliseconds: 2000, 12500. */
export const isWholeMilliseconds = (seconds: number): boolean => seconds >= 500 && seconds % 100 === 0;
