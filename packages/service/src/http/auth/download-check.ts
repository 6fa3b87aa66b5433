import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { FastifyRequest } from 'fastify';
import { callerOf } from './authenticate.ts';
import { type FindShares, findShare, linkOf } from './authenticate-share.ts';

/** Error codes with which the check ends a download. Other errors may be temporary, such as an outage of the database. */
const ENDED: ReadonlySet<ProblemCode> = new Set(['INVALID_LINK', 'LINK_REVOKED', 'LINK_EXPIRED']);

/**
 * Creates the check of a long download, or of an upload by a shared link. Its function throws once the link of the request has ended, or
 * its client has lost its right. A new secret of a client ends its own downloads, and not those by its shared links. The end of an access token
 * ends no download, because a large one takes longer than the 15 minutes of a token.
 */
export const downloadCheck = (shares: FindShares) => (request: FastifyRequest) => {
  const { clientId } = callerOf(request);
  const startedAt = Date.now();
  const link = linkOf(request);
  const check = (): Promise<unknown> =>
    request.share === null ? shares.readerOf(clientId, startedAt) : findShare(shares, link);
  return async (): Promise<void> => {
    await check().catch((error: unknown) => {
      if (error instanceof Problem && ENDED.has(error.code)) throw error;
    });
  };
};
