import type { FastifyRequest } from 'fastify';
import type { LinkOperations } from '../../auth/operations.ts';
import { readLink } from '../../domain/signed-link.ts';
import { parseJobId } from '../../wire/job-id.ts';
import { outputsSubject } from '../../wire/signed-link.ts';

/**
 * Creates a hook that verifies the signed link in the path of a request. Only the link counts, even if the request also
 * has a token.
 */
export const authenticateLink =
  (links: LinkOperations) =>
  async (request: FastifyRequest): Promise<void> => {
    const { jobId, link } = request.params as { readonly jobId: string; readonly link: string };
    request.caller = await links.verify(outputsSubject(parseJobId(jobId)), readLink(link));
  };
