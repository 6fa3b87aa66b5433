import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseName } from '../domain/media-path.ts';
import { Problem } from '../domain/problem.ts';
import type { OpenFile } from '../files/ports.ts';
import { inSeconds, judge, preconditionFailed, tagOf } from '../files/precondition.ts';
import { readRange } from './byte-range.ts';
import { readPrecondition } from './entity-tags.ts';
import { once } from './memoize-async.ts';

/** A client that reads nothing for so long is let go: an open file and a connection wait for it. */
const STALLED_MS = 60_000;

/** The table of media types costs memory that a service without downloads need not spend. */
const mediaTypes = once(async () => (await import('mime')).default);

/**
 * Whatever a client has uploaded, a page among it: it is downloaded, never shown; where it is shown all the same, it
 * runs no script and is of an origin of its own.
 */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Answers GET and HEAD with a file or a part of it, as RFC 9110 says. Closes the file, whatever comes of it. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenFile): Promise<FastifyReply> {
  try {
    const verdict = judge(readPrecondition(request.headers), file);
    if (verdict === 'failed') throw preconditionFailed(file);
    const range = request.method === 'GET' ? rangeOf(request, reply, file) : undefined;
    const type = (await mediaTypes()).getType(baseName(file.path)) ?? 'application/octet-stream';
    reply.headers({
      etag: etagOf(file),
      'last-modified': file.modifiedAt.toUTCString(),
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
    });
    if (verdict === 'same') {
      await file.close();
      return reply.code(304).send();
    }
    const { first, last } = range ?? { first: 0, last: file.sizeBytes - 1 };
    const length = last - first + 1;
    reply.headers({
      'content-type': type,
      'content-length': length,
      'content-disposition': contentDisposition(baseName(file.path)),
      'content-security-policy': POLICY,
    });
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${file.sizeBytes}`);
    if (request.method === 'HEAD' || length === 0) {
      await file.close();
      return reply.send();
    }
    reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
    return reply.send(file.read(first, last));
  } catch (error) {
    await file.close();
    throw error;
  }
}

export const etagOf = (file: Parameters<typeof tagOf>[0]): string => `"${tagOf(file)}"`;

function rangeOf(request: FastifyRequest, reply: FastifyReply, file: OpenFile) {
  const { range: header, 'if-range': ifRange } = request.headers;
  if (typeof ifRange === 'string' && ifRange !== etagOf(file) && !isDateOf(file, ifRange)) return undefined;
  const range = readRange(header, file.sizeBytes);
  if (range !== 'unsatisfiable') return range;
  reply.header('content-range', `bytes */${file.sizeBytes}`);
  throw new Problem('RANGE_NOT_SATISFIABLE', `The file has ${file.sizeBytes} bytes; the range begins behind them.`);
}

const isDateOf = (file: OpenFile, text: string): boolean => Date.parse(text) === inSeconds(file.modifiedAt) * 1000;
