import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LongReadOptions } from '../../jobs/job-reads.ts';

/** Returns a signal that is aborted if the client disconnects before it has the whole response. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!reply.raw.writableFinished)
      controller.abort(new Problem('BAD_REQUEST', 'The client closed the connection before the reply.'));
  };
  if (reply.raw.closed) abort();
  else reply.raw.once('close', abort);
  return controller.signal;
}

/** How many bytes larger, at most, the view of a job is than its stored record: links, times, a message. */
const VIEW_BYTES = 2048;

/**
 * Returns the options for reading jobs for a reply: nothing is read if there is no memory for the reply, and reading stops
 * if the client disconnects.
 */
export const readForReply = (request: FastifyRequest, reply: FastifyReply): LongReadOptions => ({
  hangUp: hangUpSignal(reply),
  requireRoom: (sizes) =>
    request.server.requestHolds.requireRoom(
      request,
      sizes.reduce((sum, job) => sum + job.bytes + VIEW_BYTES, 0),
    ),
});
