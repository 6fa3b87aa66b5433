import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { callerOf } from '../auth/authenticate.ts';
import { tally } from '../connections/tally.ts';

/**
 * The maximum number of concurrent uploads of a client. More would not be faster on one disk, and each takes a
 * connection, an open file and disk space.
 */
const MAX_UPLOADS = 16;

/** Creates a hook that limits the concurrent uploads of a client. Uploads do not count as submissions. */
export function limitUploads() {
  const running = tally();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { clientId } = callerOf(request);
    if (running.of(clientId) >= MAX_UPLOADS)
      throw new Problem('TOO_MANY_UPLOADS', `${MAX_UPLOADS} uploads of this client are running. Retry when one ends.`, {
        retryAfterSeconds: 1,
      });
    running.add(clientId);
    reply.raw.once('close', () => running.remove(clientId));
  };
}
