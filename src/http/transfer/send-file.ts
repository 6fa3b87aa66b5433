import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseName } from '../../domain/media-path.ts';
import { Problem } from '../../domain/problem.ts';
import type { OpenFile } from '../../files/ports.ts';
import { entityTagOf, evaluatePrecondition, preconditionFailed, toSeconds } from '../../files/precondition.ts';
import { type ByteRange, readRange } from './byte-range.ts';
import { downloadType } from './download-type.ts';
import { readPrecondition } from './entity-tags.ts';

/**
 * Clients can upload HTML. If a browser shows such a file, this policy blocks scripts and gives it an opaque origin.
 */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Replies to GET and HEAD with a file or a range of it (RFC 9110), or redirects a GET to the storage of the file. Always
 * closes the file.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  { mayRedirect = true }: { readonly mayRedirect?: boolean } = {},
): Promise<FastifyReply> {
  try {
    const verdict = evaluatePrecondition(readPrecondition(request.headers), file);
    if (verdict === 'failed') throw preconditionFailed(file);
    const range = request.method === 'GET' ? rangeOf(request, reply, file) : undefined;
    // Import it at the first download, because its table of media types takes memory.
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
    const contentType = downloadType(mime.getType(baseName(file.path)));
    const disposition = contentDisposition(baseName(file.path));
    if (mayRedirect && request.method === 'GET' && file.directUrl !== undefined && !isConditional(request)) {
      const location = await file.directUrl({ contentType, contentDisposition: disposition });
      await file.close();
      return reply.code(302).headers({ location, 'cache-control': 'private, no-store' }).send();
    }
    const { first, last } = range ?? { first: 0, last: file.sizeBytes - 1 };
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
      return reply.send();
    }
    return reply.send(file.read(first, last, () => reply.raw.writableLength));
  } catch (error) {
    await file.close();
    throw error;
  }
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'] as const;

/**
 * Whether a request has a condition. Such a request is not redirected: a client sends its header fields to the new
 * address too, where the file has another ETag.
 */
const isConditional = ({ headers }: FastifyRequest): boolean => CONDITIONS.some((name) => headers[name] !== undefined);

export const etagOf = (file: Parameters<typeof entityTagOf>[0]): string => `"${entityTagOf(file)}"`;

/** The range to send. Returns undefined for the whole file. Throws RANGE_NOT_SATISFIABLE. */
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
