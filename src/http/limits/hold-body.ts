import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { STREAM_BYTES, UNCOUNTED_BYTES } from '../transfer/reply-pieces.ts';

type Done = (error: Error | null, body?: RequestPayload) => void;

/** Creates a hook that counts the bytes of a body before it is read, because a client may send it slowly. */
export const holdBody =
  (bytesOf: (request: FastifyRequest) => number) =>
  (request: FastifyRequest, _reply: FastifyReply, body: RequestPayload, done: Done): void => {
    try {
      const bytes = bytesOf(request);
      if (bytes > UNCOUNTED_BYTES) request.server.requestHolds.holdBytes(request, bytes);
      done(null, body);
    } catch (error) {
      done(error as Error);
    }
  };

/** The bytes of a body that is collected before it is parsed: its length, or the most that it can be. */
export function wholeBody({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const { 'content-length': length } = headers;
  if (length !== undefined) return Math.min(Number(length), bodyLimit);
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimit;
}

/** The bytes that the body of an upload takes while it is written to a file. */
export const streamedBody = (): number => STREAM_BYTES;
