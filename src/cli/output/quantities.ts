/** Formats a number of bytes: `4.1 MB`, `89 kB`, `202 B`. */
export function bytes(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} GB`;
  if (count < 1e3) return `${count} B`;
  return count < 1e6 ? `${Math.round(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** Formats seconds as `0:07` or `1:30`. Rounds up, so that the remaining time is never too short. */
export function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats the time between two ISO 8601 times: `3.4 s`. */
export const between = (from = '', to = ''): string => `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s`;
