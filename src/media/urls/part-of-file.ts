import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';

/** What a reply contains of a file. */
export interface PartOfFile {
  /** The place of its first byte. */
  readonly from: number;
  /** The size of the whole file. undefined: the server does not say. Always known for a part that continues a file. */
  readonly total: number | undefined;
  /** The ETag, if it identifies the bytes. A weak one does not, so the rest of another version could follow. */
  readonly etag: string | undefined;
}

/** The headers that ask for the rest of a file, if it is still the version with this ETag (RFC 9110, 13.1.5). */
export const restHeaders = (from: number, etag: string): Record<string, string> => ({
  range: `bytes=${from}-`,
  'if-range': etag,
});

/**
 * Reads a reply with status 200 or 206. Returns undefined for a part that does not continue the file: it starts elsewhere,
 * is of another version or of a file of another size, or the size of the file is not known, so that its end is not either.
 *
 * @param expected What was asked for, and the size of the file if it is known. Absent: the whole file.
 */
export function partOfFile(
  { status, headers }: Pick<OutgoingReply, 'status' | 'headers'>,
  expected?: { readonly from: number; readonly etag: string; readonly total: number | undefined },
): PartOfFile | undefined {
  const etag = strongETag(headers['etag']);
  if (status === 200) return { from: 0, total: byteCount(headers['content-length']), etag };
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (expected === undefined || Number(first) !== expected.from || Number(last) < expected.from) return undefined;
  // A reply to If-Range has the ETag (RFC 9110, 15.3.7). A server that ignores If-Range may send another version without one.
  if (etag !== expected.etag) return undefined;
  const total = byteCount(size) ?? expected.total;
  if (total === undefined || (expected.total !== undefined && total !== expected.total)) return undefined;
  return { from: expected.from, total, etag: expected.etag };
}

const strongETag = (etag: string | undefined): string | undefined =>
  etag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(etag) ? etag : undefined;

function byteCount(text: string | undefined): number | undefined {
  const count = Number(text ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
