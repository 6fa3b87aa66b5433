import type { IncomingHttpHeaders } from 'node:http';
import { baseName } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { KEEP_REPLACED, pathOf, REPLACED_ENTRY } from '@telecine/contract/wire/endpoints.ts';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BinEntry, FileFacts, OpenFile } from '../../files/ports.ts';
import {
  type EntityTag,
  entityTagOf,
  evaluatePrecondition,
  type Precondition,
  preconditionFailed,
  toSeconds,
} from '../../files/precondition.ts';
import { type PacedUploads, uploadBody } from './upload-body.ts';

/** Clients can upload HTML. In a browser, this policy blocks its scripts and gives the file an origin of its own. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** The field that names a download. Marks of direction become `_`: with them, a name shows another extension than it has. */
export const dispositionOf = (name: string, type: 'attachment' | 'inline' = 'attachment'): string =>
  contentDisposition(name.replace(/\p{Bidi_Control}/gu, '_'), { type });

/**
 * Replies to GET and HEAD with a file or a range of it (RFC 9110). May redirect a GET to the object store. Always
 * closes the file. `onStart`: called before the whole file, a range from its first byte, or its address for either is sent.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  { mayRedirect = true, onStart }: { readonly mayRedirect?: boolean; readonly onStart?: (() => void) | undefined } = {},
): Promise<FastifyReply> {
  try {
    const verdict = evaluatePrecondition(readPrecondition(request.headers), file);
    if (verdict === 'failed') throw preconditionFailed(file);
    const range = request.method === 'GET' ? rangeOf(request, reply, file) : undefined;
    // Import this at the first download, because the table of media types takes memory.
    const { default: mime } = await import('mime');
    reply.headers({
      etag: etagOf(file),
      'last-modified': file.modifiedAt.toUTCString(),
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
    });
    if (verdict === 'unmodified') {
      await file.close();
      return reply.code(304).send();
    }
    const { first, last } = range ?? { first: 0, last: file.sizeBytes - 1 };
    const start = first === 0 ? onStart : undefined;
    const contentType = downloadType(mime.getType(baseName(file.path)));
    const disposition = dispositionOf(baseName(file.path));
    if (mayRedirect && request.method === 'GET' && file.directUrl !== undefined && !isConditional(request)) {
      const location = await file.directUrl({ contentType, contentDisposition: disposition });
      await file.close();
      start?.();
      return reply.code(302).headers({ location, 'cache-control': 'private, no-store' }).send();
    }
    const length = last - first + 1;
    reply.headers({
      'content-type': contentType,
      'content-length': length,
      'content-disposition': disposition,
      'content-security-policy': POLICY,
    });
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${file.sizeBytes}`);
    if (request.method === 'HEAD' || length === 0) {
      await file.close();
      if (request.method === 'GET') start?.();
      return reply.send();
    }
    start?.();
    return reply.send(file.read(first, last, () => reply.raw.writableLength));
  } catch (error) {
    await file.close();
    throw error;
  }
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'] as const;

/**
 * Returns whether a request has a condition. Such a request is not redirected, because the file has another ETag in the
 * object store.
 */
const isConditional = ({ headers }: FastifyRequest): boolean => CONDITIONS.some((name) => headers[name] !== undefined);

export const etagOf = (file: Parameters<typeof entityTagOf>[0]): string => `"${entityTagOf(file)}"`;

/** Returns the range to send. undefined: the whole file. Throws RANGE_NOT_SATISFIABLE. */
function rangeOf(request: FastifyRequest, reply: FastifyReply, file: OpenFile): ByteRange | undefined {
  const { range: header, 'if-range': ifRange } = request.headers;
  if (typeof ifRange === 'string' && ifRange !== etagOf(file) && !isDateOf(file, ifRange)) return undefined;
  const range = readRange(header, file.sizeBytes);
  if (range !== 'unsatisfiable') return range;
  reply.header('content-range', `bytes */${file.sizeBytes}`);
  throw new Problem(
    'RANGE_NOT_SATISFIABLE',
    `The range is past the end of the file, which has ${file.sizeBytes} bytes.`,
  );
}

const isDateOf = (file: OpenFile, text: string): boolean => Date.parse(text) === toSeconds(file.modifiedAt) * 1000;

/** A range of bytes, from `first` to `last`, both included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the `Range` header for a file of `sizeBytes` (RFC 9110, 14.1). Returns undefined if the whole file is to be
 * sent: there is no header, or it has another unit, a malformed range or several ranges. (The package range-parser
 * cannot be used: it rejects a suffix range that is longer than the file.)
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

/**
 * Types that browsers play, show or read as text. With `nosniff`, browsers never run them as scripts. An SVG could run
 * scripts only as a document, which the policy of downloads prevents.
 */
const MEDIA = /^(?:audio|image|video)\//;
const PLAYED_OR_READ: ReadonlySet<string> = new Set([
  'application/dash+xml',
  'application/json',
  'application/mp4',
  'application/mxf',
  'application/ogg',
  'application/vnd.apple.mpegurl',
  'application/x-subrip',
  'text/plain',
  'text/vtt',
]);

const BYTES = 'application/octet-stream';

/**
 * Returns the content type of a download. A file that is neither media nor plain text is sent as
 * `application/octet-stream`: the console has the same origin and runs scripts from it, so that a file of a client must
 * never be a script.
 */
export const downloadType = (typeOfName: string | null): string =>
  typeOfName !== null && (MEDIA.test(typeOfName) || PLAYED_OR_READ.has(typeOfName)) ? typeOfName : BYTES;

/**
 * Reads the body of a request as the content of a file. Throws UNSUPPORTED_MEDIA_TYPE or BAD_REQUEST if the body is
 * something else than the file itself.
 */
export function fileBody(request: FastifyRequest, reply: FastifyReply, pacedUploads: PacedUploads) {
  rejectWrappedBody(request);
  const bytes = uploadBody(request, reply, pacedUploads);
  const { 'transfer-encoding': encoding, 'content-length': length = 0 } = request.headers;
  // A body that is sent in chunks has no declared length.
  return encoding === undefined ? { bytes, sizeBytes: Number(length) } : { bytes };
}

/** Adds the entry of the file that an upload has replaced to the reply. */
export function setReplaced(reply: FastifyReply, replaced: BinEntry | undefined): void {
  if (replaced !== undefined) reply.header(REPLACED_ENTRY, replaced.entryId);
}

/** Sends the reply to the upload of a whole file. `replaced`: the entry of the file that it has replaced. */
export function sendStored(reply: FastifyReply, file: FileFacts, created: boolean, replaced?: BinEntry): FastifyReply {
  setReplaced(reply, replaced);
  return reply
    .code(created ? 201 : 204)
    .headers({ location: pathOf('downloadFile', { path: file.path }), etag: etagOf(file) })
    .send();
}

/** Rejects a form, a compressed body, and a body that is only a part of a file (RFC 9110, 14.5). */
export function rejectWrappedBody({ headers, raw }: FastifyRequest): void {
  // `headersDistinct` still has the content type that `acceptRawBodies` has deleted from `headers`.
  if (raw.headersDistinct['content-type']?.some((type) => /^multipart\/form-data\b/i.test(type)))
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Forms (multipart/form-data) are not supported. Send the file itself as the body: "curl -T FILE", not "-F".',
    );
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      `Compressed bodies (Content-Encoding: ${encoding}) are not supported. Send the file as it is, without Content-Encoding.`,
    );
  if (headers['content-range'] !== undefined)
    throw new Problem('BAD_REQUEST', 'Partial uploads are not supported. Send the whole file, without Content-Range.');
}

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/;
const TAGS = new RegExp(`^\\s*${TAG.source}(?:\\s*,\\s*${TAG.source})*\\s*$`);
const MAX_LENGTH = 4096;

/** Reads the preconditions in the header fields of a request. Throws BAD_REQUEST for a malformed list of ETags. */
export function readPrecondition(headers: IncomingHttpHeaders): Precondition {
  const ifMatch = readTags('If-Match', headers['if-match']);
  const ifNoneMatch = readTags('If-None-Match', headers['if-none-match']);
  const ifModifiedSince = readDate(headers['if-modified-since']);
  const ifUnmodifiedSince = readDate(headers['if-unmodified-since']);
  return {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    ...(ifModifiedSince !== undefined && { ifModifiedSince }),
    ...(ifUnmodifiedSince !== undefined && { ifUnmodifiedSince }),
  };
}

/** Reads whether to keep the file that an upload replaces. Throws BAD_REQUEST for an unknown value, because a typing error must not lose the file. */
export function readKeepReplaced({ [KEEP_REPLACED.toLowerCase()]: text = 'false' }: IncomingHttpHeaders): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Problem('BAD_REQUEST', `${KEEP_REPLACED} must be true or false. Without it, a replaced file is not kept.`);
}

/**
 * Reads a list of ETags. Throws BAD_REQUEST for a malformed list: if the precondition were ignored, the request could
 * overwrite a file.
 */
function readTags(name: string, header: string | undefined): Precondition['ifMatch'] {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  if (header.length > MAX_LENGTH || !TAGS.test(header))
    throw new Problem('BAD_REQUEST', `${name} must be * or a list of ETags with their quotes: "abc", "def".`);
  return [...header.matchAll(new RegExp(TAG, 'g'))].map(
    ([, weak, tag = '']): EntityTag => ({ tag, weak: weak !== undefined }),
  );
}

/** Reads an HTTP date. Returns undefined for a malformed one, which must be ignored (RFC 9110, 13.1.3 and 13.1.4). */
function readDate(header: string | undefined): Date | undefined {
  const ms = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
