import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { callerOf } from '../auth/authenticate.ts';

/**
 * The maximum number of concurrent uploads of a client. More would not be faster on one disk, and each takes a
 * connection, an open file and disk space.
 */
const MAX_UPLOADS = 16;

/** Creates a hook that limits the concurrent uploads of a client. Uploads do not count as submissions. */
export function limitUploads() {
  const running = new Map<string, number>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { clientId } = callerOf(request);
    const others = running.get(clientId) ?? 0;
    if (others >= MAX_UPLOADS)
      throw new Problem('TOO_MANY_UPLOADS', `${MAX_UPLOADS} uploads of this client are running. Retry when one ends.`, {
        retryAfterSeconds: 1,
      });
    running.set(clientId, others + 1);
    reply.raw.once('close', () => {
      const remaining = (running.get(clientId) ?? 1) - 1;
      if (remaining > 0) running.set(clientId, remaining);
      else running.delete(clientId);
    });
  };
}
