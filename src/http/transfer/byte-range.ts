/** The bytes from `first` to `last`, inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the `Range` header for a file of `sizeBytes` (RFC 9110, 14.1). Returns undefined if the whole file must be
 * sent: without a header, and, as the RFC allows, for other units, malformed ranges and several ranges. The package
 * range-parser is not used because it rejects a suffix that is longer than the file.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] =
    /^bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i.exec(header ?? '')?.map((part) => part ?? '') ?? [];
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
