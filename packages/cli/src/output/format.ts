import { styleText } from 'node:util';

/** Formats a number of bytes: `4.1 MB`, `89 kB`, `202 B`. */
export function bytes(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} GB`;
  if (count < 1e3) return `${count} B`;
  return count < 1e6 ? `${Math.round(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** Formats seconds as `0:07` or `1:30`. Rounds up, so that a remaining time is never too short. */
export function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats the time between two ISO 8601 dates in seconds: `3.4 s`. */
export const between = (from = '', to = ''): string => `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s`;

/** Formats rows of cells as lines. Each column is as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The percentage of a transfer. */
export const percentOfBytes = (done: number, total: number): number => (total === 0 ? 100 : (100 * done) / total);

/** Draws a bar of `width` columns. `share`: the filled part, from 0 to 1. */
export function bar(share: number, width: number): string {
  const full = Math.round(Math.min(Math.max(share, 0), 1) * width);
  return styleText('green', '━'.repeat(full)) + styleText('dim', '─'.repeat(width - full));
}
