import type { IncomingMessage } from 'node:http';
import { REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { parseJson } from '@telecine/contract/wire/json.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { freeMemory, STREAM_BYTES, UNCOUNTED_BYTES } from '../transfer/reply-pieces.ts';

/** Parses JSON bodies, and rejects other content types. An empty body counts as no body. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: REQUEST_LIMITS.bodyBytes } as const;
  app.addContentTypeParser('application/json', options, (request, body: Buffer, done) => {
    try {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        throw new Problem(
          'UNSUPPORTED_MEDIA_TYPE',
          `Compressed bodies (Content-Encoding: ${encoding}) are not supported. Send the body uncompressed, without Content-Encoding.`,
        );
      done(null, body.length === 0 ? undefined : parseJson(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const isRead = (request: IncomingMessage): boolean =>
  request.listenerCount('data') > 0 || request.listenerCount('readable') > 0;

/**
 * If a reply is sent before the body was read, frees the memory of chunks that arrive later. Node reads these chunks
 * but leaves their memory to V8.
 */
export function freeUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    // Add the listener now: after the reply, Node itself reads the rest of the body.
    if (!raw.complete && hasBody(raw) && !isRead(raw)) raw.on('data', freeMemory);
    done(null, payload);
  });
}

type Done = (error: Error | null, body?: RequestPayload) => void;

/** Creates a hook that counts the bytes of a body before it is read, because a client may send it slowly. */
export const holdBody =
  (bytesOf: (request: FastifyRequest) => number) =>
  (request: FastifyRequest, _reply: FastifyReply, body: RequestPayload, done: Done): void => {
    try {
      const bytes = bytesOf(request);
      if (bytes > UNCOUNTED_BYTES) request.server.requestHolds.holdBody(request, bytes);
      done(null, body);
    } catch (error) {
      done(error as Error);
    }
  };

/**
 * Returns how many bytes the body may take if it is read completely before it is parsed: its declared length or,
 * without one, the limit.
 */
export function wholeBody({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const { 'content-length': length } = headers;
  if (length !== undefined) return Math.min(Number(length), bodyLimit);
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimit;
}

/** Returns how many bytes are in memory while an upload is written to a file. */
export const streamedBody = (): number => STREAM_BYTES;
