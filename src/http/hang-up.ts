import type { FastifyReply } from 'fastify';
import { Problem } from '../domain/problem.ts';

/** Aborted when the client closes the connection before its reply is sent. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new Problem('BAD_REQUEST', 'The client has hung up.'));
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once('close', onClose);
  return controller.signal;
}
