import type { FastifyRequest } from 'fastify';
import type { LinkOperations } from '../../auth/links.ts';
import { readLink } from '../../domain/signed-link.ts';
import { parseJobId } from '../../wire/job-id.ts';
import { outputsSubject } from '../../wire/signed-link.ts';
import { uploadSubject } from '../../wire/upload-link.ts';

type Params = Readonly<Record<'jobId' | 'terms' | 'link' | '*', string>>;

/** By what a link opens: the subject in the path of a request, and the scope that the client of the link must still have. */
const LINKS = {
  output: { scope: 'files:read', subjectOf: ({ jobId }: Params) => outputsSubject(parseJobId(jobId)) },
  upload: { scope: 'files:write', subjectOf: ({ terms, '*': path }: Params) => uploadSubject(terms, path) },
} as const;

/**
 * Creates a hook that verifies the signed link in the path of a request. Only the link counts, even if the request also
 * has a token.
 */
export const authenticateLink = (links: LinkOperations, to: keyof typeof LINKS) => {
  const { scope, subjectOf } = LINKS[to];
  return async (request: FastifyRequest): Promise<void> => {
    const params = request.params as Params;
    const caller = await links.verify(subjectOf(params), readLink(params.link), scope);
    request.caller = caller;
    request.server.requestHolds.authenticated(request, caller.clientId);
  };
};
