import type { FastifyReply } from 'fastify';
import { Problem } from '../../domain/problem.ts';

/** A signal that is aborted if the client disconnects before it has the whole response. */
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
