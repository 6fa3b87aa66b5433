/** Bytes of a file: the first one, and the one after the last. */
export type ByteRange = readonly [from: number, to: number];

/** The number of bytes in ranges that do not overlap. */
export const rangeBytes = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from, 0);

/** Sorts ranges, joins those that overlap or touch, and removes empty ones. */
export function joinRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (to <= from) continue;
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
