import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../domain/problem.ts';

/** What of a body must arrive, in bytes within milliseconds, for it to be waited for. */
export interface Pace {
  readonly bytes: number;
  readonly windowMs: number;
}

/** Slower than any network that a person would upload a video by. */
const UPLOAD_PACE: Pace = { bytes: 64 * 1024, windowMs: 60_000 };

/** Connections whose request may take as long as it keeps its pace. */
export type OwnPace = WeakSet<Socket>;

/**
 * The body of a request as it arrives, asked for (`Expect: 100-continue`) when it is first read. Throws BAD_REQUEST
 * where it ends early, REQUEST_TIMEOUT where it falls behind `pace`. The connection lives on, so that an answer can be
 * given.
 */
export async function* uploadBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  ownPace: OwnPace,
  pace = UPLOAD_PACE,
): AsyncGenerator<Uint8Array> {
  if (raw.headers.expect !== undefined) reply.raw.writeContinue();
  const body = new PassThrough();
  let arrived = 0;
  let before = 0;
  const watch = setInterval(() => {
    if (arrived - before < pace.bytes && !raw.complete) body.destroy(tooSlow());
    before = arrived;
  }, pace.windowMs);
  const endEarly = (): void => {
    if (!raw.complete) body.destroy(notWhole());
  };
  raw.on('error', endEarly).once('close', endEarly);
  ownPace.add(raw.socket);
  raw.pipe(body);
  try {
    if (raw.destroyed) endEarly();
    for await (const chunk of body) {
      arrived += chunk.length;
      yield chunk;
    }
  } finally {
    clearInterval(watch);
    ownPace.delete(raw.socket);
    raw.off('close', endEarly).unpipe(body);
  }
}

const notWhole = (): Problem => new Problem('BAD_REQUEST', 'The body did not arrive whole. Nothing was kept.');

const tooSlow = (): Problem =>
  new Problem('REQUEST_TIMEOUT', 'Less than 64 KiB of the body arrived within a minute. Nothing was kept.');

/** How long what is still sent after the answer is read away, so that the answer is not lost with the connection. */
const LINGER_MS = 5000;

/** Ends a connection whose request was answered before it was read to its end. */
export function linger({ raw }: FastifyRequest): void {
  if (raw.complete || raw.socket.destroyed) return;
  raw.resume();
  const { socket } = raw;
  const end = setTimeout(() => socket.destroy(), LINGER_MS);
  const done = (): void => clearTimeout(end);
  raw.once('end', done);
  socket.once('close', done);
}
