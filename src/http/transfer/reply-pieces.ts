import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inPieces, PIECE_BYTES } from './pieces.ts';
import { isShared } from './shared-document.ts';

/** A body or a reply up to this size is not counted: the number of connections bounds them. */
export const UNCOUNTED_BYTES = 16 * 1024;

/**
 * What a body or a reply takes that is streamed from or to a file, whatever its length: two chunks of 64 KiB, and those that wait
 * for the next garbage collection.
 */
export const STREAM_BYTES = 256 * 1024;

const isSafe = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/**
 * Counts the bytes of long replies until they are sent, and sends them in pieces, so that it is known whether the client reads. A
 * reply that would exceed the limit is replaced by UNAVAILABLE, unless the request has changed something.
 */
export function sendLongRepliesInPieces(app: FastifyInstance): void {
  const hold = (request: FastifyRequest, bytes: number): void => {
    const { requestHolds: holds } = request.server;
    if (isSafe(request)) holds.holdBytes(request, bytes);
    else holds.forceBytes(request, bytes);
  };
  const pieces = (reply: FastifyReply, bytes: Buffer): Buffer | Readable => {
    if (bytes.length <= PIECE_BYTES || reply.request.method === 'HEAD') return bytes;
    reply.header('content-length', bytes.length);
    return inPieces(bytes);
  };
  const prepare = (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
    if (typeof payload === 'string') {
      if (payload.length <= UNCOUNTED_BYTES) return payload;
      const bytes = Buffer.from(payload);
      hold(request, bytes.length);
      return pieces(reply, bytes);
    }
    if (Buffer.isBuffer(payload)) {
      if (payload.length > UNCOUNTED_BYTES && !isShared(payload)) hold(request, payload.length);
      return pieces(reply, payload);
    }
    if (payload instanceof Readable) hold(request, STREAM_BYTES);
    return payload;
  };
  app.addHook('onSend', (request, reply, payload, done) => {
    try {
      done(null, prepare(request, reply, payload));
    } catch (error) {
      if (payload instanceof Readable) payload.destroy();
      done(error as Error);
    }
  });
}
