import type { onRequestHookHandler } from 'fastify';
import { Problem } from '../domain/problem.ts';
import { callerOf } from './caller.ts';

/** More at once gain nothing on one disk, and each holds a connection, an open file and room on the disk. */
const AT_ONCE = 16;

/** Limits the uploads of a client that run at the same time. They are no submissions and do not count as such. */
export function limitUploads(): onRequestHookHandler {
  const running = new Map<string, number>();
  return (request, reply, done) => {
    const { clientId } = callerOf(request);
    const others = running.get(clientId) ?? 0;
    if (others >= AT_ONCE) {
      const detail = `${AT_ONCE} uploads of this client are running. Send this one again when one of them is done.`;
      done(new Problem('TOO_MANY_UPLOADS', detail, { retryAfterSeconds: 1 }));
      return;
    }
    running.set(clientId, others + 1);
    reply.raw.once('close', () => {
      const left = (running.get(clientId) ?? 1) - 1;
      if (left > 0) running.set(clientId, left);
      else running.delete(clientId);
    });
    done();
  };
}
