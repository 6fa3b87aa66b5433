import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Share } from '@telecine/contract/domain/share.ts';
import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';
import { bearerToken } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The share of the link of the request. null: the request has no such link. */
    share: Share | null;
  }
}

export type FindShares = Pick<HttpDeps['shares'], 'find' | 'readerOf' | 'writerOf'>;

/** The secret of the link of a request: in its path, or in place of a token. */
export const linkOf = ({ params, headers }: FastifyRequest): string =>
  (params as { readonly link?: string }).link ?? bearerToken(headers.authorization) ?? '';

/** Finds the share of a link, and the client that shares. Throws INVALID_LINK, LINK_REVOKED, LINK_EXPIRED. */
export async function findShare({ find, readerOf, writerOf }: FindShares, link: string) {
  const share = await find(link);
  const { clientId, maxFiles } = share;
  return { share, caller: await (maxFiles === undefined ? readerOf(clientId) : writerOf(clientId)) };
}

/**
 * Creates a hook that finds the share of the link of a request. The caller of the request is then the client that shares, so that it reads
 * or writes the files of this client. The hook ignores tokens and sessions.
 */
export const authenticateShare =
  (shares: FindShares) =>
  async (request: FastifyRequest): Promise<void> => {
    const { share, caller } = await findShare(shares, linkOf(request));
    request.caller = caller;
    request.share = share;
    request.server.requestHolds.authenticatedByLink(request, share.clientId);
  };

/** Creates a hook like `authenticateShare`, for links for uploads. Throws INVALID_LINK for another link. `kind`: see `AddressTurns`. */
export const authenticateUploader = (shares: FindShares, kind: string) => {
  const authenticate = authenticateShare(shares);
  return async (request: FastifyRequest): Promise<void> => {
    await request.server.addressTurns(request, kind);
    await authenticate(request);
    if (shareOf(request).maxFiles === undefined)
      throw new Problem('INVALID_LINK', 'This link is for downloads. Ask for a link for uploads.');
  };
};

/** Returns the share of a request. Throws if no hook has found one. */
export function shareOf({ share }: FastifyRequest): Share {
  if (share === null) throw new Error('The handler needs a share, but the route finds none.');
  return share;
}
