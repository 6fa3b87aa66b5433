import type { OutgoingReply } from '../../outgoing/outgoing-request.ts';

/** What a reply contains of a file. */
export interface PartOfFile {
  /** The place of its first byte. */
  readonly from: number;
  /** The size of the whole file. undefined: the server does not say. */
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
 * or is of another version.
 *
 * @param expected What was asked for. Absent: the whole file.
 */
export function partOfFile(
  { status, headers }: Pick<OutgoingReply, 'status' | 'headers'>,
  expected?: { readonly from: number; readonly etag: string },
): PartOfFile | undefined {
  const etag = strongETag(headers['etag']);
  if (status === 200) return { from: 0, total: byteCount(headers['content-length']), etag };
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (expected === undefined || Number(first) !== expected.from || Number(last) < expected.from) return undefined;
  if (etag !== undefined && etag !== expected.etag) return undefined;
  return { from: expected.from, total: byteCount(total), etag: expected.etag };
}

const strongETag = (etag: string | undefined): string | undefined =>
  etag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(etag) ? etag : undefined;

function byteCount(text: string | undefined): number | undefined {
  const count = Number(text ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
