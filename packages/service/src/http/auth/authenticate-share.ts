import type { Share } from '@telecine/contract/domain/share.ts';
import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The share of the link in the path. null: the request has no such link. */
    share: Share | null;
  }
}

/**
 * Creates a hook that finds the share of the link in the path of a request. The caller of the request is then the client
 * that shares, so that it reads the files of this client. The hook ignores tokens and sessions.
 */
export const authenticateShare =
  ({ find, readerOf }: Pick<HttpDeps['shares'], 'find' | 'readerOf'>) =>
  async (request: FastifyRequest): Promise<void> => {
    const { link } = request.params as { readonly link: string };
    const share = await find(link);
    request.caller = await readerOf(share.clientId);
    request.share = share;
    request.server.requestHolds.authenticatedByLink(request, share.clientId);
  };

/** Returns the share of a request. Throws if no hook has found one. */
export function shareOf({ share }: FastifyRequest): Share {
  if (share === null) throw new Error('The handler needs a share, but the route finds none.');
  return share;
}
