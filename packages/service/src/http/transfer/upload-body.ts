import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The minimum speed of an upload: `bytes` in each window of time. */
export interface MinPace {
  readonly bytes: number;
  readonly windowMs: number;
}

const UPLOAD_PACE: MinPace = { bytes: 64 * 1024, windowMs: 60_000 };

interface UploadBodyOptions {
  readonly pace?: MinPace;
  /** The sentence of error messages that says what happened to the bytes that arrived. */
  readonly lost?: string;
  /** An abort ends the reading early. */
  readonly signal?: AbortSignal;
}

/** Connections with a running upload, for which `MinPace` applies instead of Node's time limit for a whole request. */
export type PacedUploads = WeakSet<Socket>;

/**
 * Yields the body of a request as it arrives. Sends `100 Continue` at the first read. Throws BAD_REQUEST if the body
 * ends early, and REQUEST_TIMEOUT if it arrives slower than `pace`. Keeps the connection open for the reply.
 */
export async function* uploadBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  pacedUploads: PacedUploads,
  { pace = UPLOAD_PACE, lost = 'Nothing was stored.', signal }: UploadBodyOptions = {},
): AsyncGenerator<Uint8Array> {
  if (raw.headers.expect !== undefined) reply.raw.writeContinue();
  const body = new PassThrough();
  let receivedBytes = 0;
  let bytesBefore = 0;
  const watch = setInterval(() => {
    if (receivedBytes - bytesBefore < pace.bytes && !raw.complete) body.destroy(tooSlow(lost));
    bytesBefore = receivedBytes;
  }, pace.windowMs);
  const endEarly = (): void => {
    if (!raw.complete) body.destroy(incomplete(lost));
  };
  raw.on('error', endEarly).once('close', endEarly);
  const stop = (): unknown => body.destroy();
  signal?.addEventListener('abort', stop);
  pacedUploads.add(raw.socket);
  raw.pipe(body);
  try {
    if (raw.destroyed) endEarly();
    for await (const chunk of body) {
      receivedBytes += chunk.length;
      yield chunk;
    }
  } finally {
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    pacedUploads.delete(raw.socket);
    raw.off('close', endEarly).unpipe(body);
  }
}

const incomplete = (lost: string): Problem =>
  new Problem('BAD_REQUEST', `The body is incomplete: the connection ended before all of it arrived. ${lost}`);

const tooSlow = (lost: string): Problem =>
  new Problem('REQUEST_TIMEOUT', `Less than 65536 bytes of the body arrived within a minute. ${lost}`);

/**
 * How long the rest of a body is read after an early reply. If the connection were closed at once, the reply could be
 * lost.
 */
const DRAIN_MS = 5000;

/** Reads the rest of a body after an early reply. Closes the connection if the body has not ended after `DRAIN_MS`. */
export function drainBody({ raw }: FastifyRequest): void {
  if (raw.complete || raw.socket.destroyed) return;
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), DRAIN_MS);
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop);
  raw.socket.once('close', stop);
}
