/** Bytes `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads `Range` for a file of so many bytes (RFC 9110, 14.1). undefined: the whole file is to be sent, as for another
 * unit, what cannot be read, and several ranges at once, which a server may answer so. By hand: range-parser takes a
 * suffix longer than the file for unsatisfiable.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const end = sizeBytes - 1;
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { first: sizeBytes - length, last: end };
  }
  const first = Number(from);
  const last = to === '' ? end : Math.min(Number(to), end);
  if (to !== '' && Number(to) < first) return undefined;
  return first > end ? 'unsatisfiable' : { first, last };
}
