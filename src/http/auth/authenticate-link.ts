import type { FastifyRequest } from 'fastify';
import type { LinkOperations } from '../../auth/operations.ts';
import { outputSubject } from '../../wire/endpoints.ts';
import { linkOf } from '../../wire/files.ts';
import { parseJobId } from '../../wire/job-id.ts';

/**
 * Creates a hook that verifies the signed link of a request. If the query has no parameter of a link, `byToken`
 * authenticates the request. Otherwise only the link counts, even if the request also has a token.
 */
export const authenticateLink =
  (links: LinkOperations, byToken: (request: FastifyRequest) => Promise<void>) =>
  async (request: FastifyRequest): Promise<void> => {
    // The hook runs before the query is validated.
    const { query, params } = request as FastifyRequest<{
      Querystring: Readonly<Record<string, unknown>>;
      Params: { jobId: string };
    }>;
    const link = linkOf(query);
    if (link === undefined) return byToken(request);
    const path = typeof query['path'] === 'string' ? query['path'] : '';
    request.caller = await links.verify(outputSubject(parseJobId(params.jobId), path), link);
  };
