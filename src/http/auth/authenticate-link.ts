import type { FastifyRequest } from 'fastify';
import type { LinkOperations } from '../../auth/operations.ts';
import { outputSubject } from '../../wire/endpoints.ts';
import { linkOf } from '../../wire/files.ts';
import { parseJobId } from '../../wire/job-id.ts';

/**
 * A hook that verifies the signed link of a request. A request with any parameter of a link is judged by the link
 * alone; any other goes to `byToken`.
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
