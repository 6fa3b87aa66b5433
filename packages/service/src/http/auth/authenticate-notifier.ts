import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Watch } from '@telecine/contract/domain/watch.ts';
import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The watch of the notification URL. null: the request is not for such a URL. */
    notifiedWatch: Watch | null;
  }
}

/** Creates a hook that finds the watch of a notification URL. The hook ignores tokens: the servers of buckets have none. */
export const authenticateNotifier =
  ({ findNotified }: Pick<HttpDeps['watches'], 'findNotified'>) =>
  async (request: FastifyRequest): Promise<void> => {
    const { link } = request.params as { readonly link: string };
    const watch = await findNotified(link);
    request.notifiedWatch = watch;
    // Notifications must not take the requests that the client may have at the same time.
    request.server.requestHolds.authenticated(request, `notifications of ${watch.clientId}`);
  };

/** Returns the watch of a request. Throws if no hook has found one. */
export function notifiedWatchOf({ notifiedWatch }: FastifyRequest): Watch {
  if (notifiedWatch === null)
    throw new Problem('INTERNAL', 'The handler needs the watch of a notification, but the route finds none.');
  return notifiedWatch;
}
