import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { freeMemory } from './free-memory.ts';
import { inPieces, PIECE_BYTES } from './pieces.ts';
import { isShared } from './shared-document.ts';

/** A body or a reply up to this size is not counted: the number of connections bounds them. */
export const UNCOUNTED_BYTES = 16 * 1024;

/**
 * What a body or a reply takes that is streamed from or to a file, whatever its length: two chunks of 64 KiB, and those that wait
 * for the next garbage collection.
 */
export const STREAM_BYTES = 256 * 1024;

/** The bytes of replies that are in memory although they are streams. */
const madeBytes = new WeakMap<Readable, number>();

/** Sends a reply that was made as several buffers, and frees them when it is sent. The caller sets its type. */
export function sendBuffers(reply: FastifyReply, buffers: readonly Buffer[]): FastifyReply {
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  if (length <= PIECE_BYTES) return reply.send(Buffer.concat(buffers));
  const stream = inPieces(...buffers);
  madeBytes.set(stream, length);
  // Of a connection that closes earlier, libuv may still have them.
  reply.raw.once('finish', () => buffers.forEach(freeMemory));
  return reply.header('content-length', length).send(stream);
}

/**
 * Counts the bytes of long replies until they are sent, and sends them in pieces, so that it is known whether the client reads. A
 * reply that would exceed the limit is replaced by UNAVAILABLE, unless the request has changed something.
 */
export function sendLongRepliesInPieces(app: FastifyInstance): void {
  const pieces = (reply: FastifyReply, bytes: Buffer): Buffer | Readable => {
    if (bytes.length <= PIECE_BYTES || reply.request.method === 'HEAD') return bytes;
    reply.header('content-length', bytes.length);
    return inPieces(bytes);
  };
  const prepare = (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
    const { requestHolds: holds } = request.server;
    if (typeof payload === 'string') {
      if (payload.length <= UNCOUNTED_BYTES) return payload;
      const bytes = Buffer.from(payload);
      holds.holdReply(request, bytes.length);
      return pieces(reply, bytes);
    }
    if (Buffer.isBuffer(payload)) {
      if (payload.length > UNCOUNTED_BYTES && !isShared(payload)) holds.holdReply(request, payload.length);
      return pieces(reply, payload);
    }
    if (payload instanceof Readable) holds.holdReply(request, madeBytes.get(payload) ?? STREAM_BYTES);
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
