import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';
import { callerOf } from './authenticate.ts';

/** Error codes with which the check ends a download. Other errors may be temporary, such as an outage of the database. */
const ENDED: ReadonlySet<ProblemCode> = new Set(['INVALID_LINK', 'LINK_REVOKED', 'LINK_EXPIRED']);

/**
 * Creates the check of a long download. Its function throws once the shared link of the request has ended, or its client may
 * no longer read files. A new secret of a client ends its own downloads, and not those by its shared links. The end of an access token
 * ends no download, because a large one takes longer than the 15 minutes of a token.
 */
export const downloadCheck =
  ({ find, readerOf }: Pick<HttpDeps['shares'], 'find' | 'readerOf'>) =>
  (request: FastifyRequest) => {
    const { clientId } = callerOf(request);
    const startedAt = Date.now();
    const { link } = request.params as { readonly link: string };
    const check = (): Promise<unknown> =>
      request.share === null ? readerOf(clientId, startedAt) : Promise.all([find(link), readerOf(clientId)]);
    return async (): Promise<void> => {
      await check().catch((error: unknown) => {
        if (error instanceof Problem && ENDED.has(error.code)) throw error;
      });
    };
  };
