import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../domain/problem.ts';
import type { ProblemView } from '../../wire/problem.ts';
import { problemView } from '../../wire/problem-view.ts';
import { issuerScopes, metadataUrl, type ProtectedResource } from '../../wire/protected-resource.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error reply, for the access log. null until there is one. */
    problemCode: string | null;
  }
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/**
 * Sets the status and the header fields of a problem, and returns its document. `resource` is present if the service
 * accepts tokens of an external issuer.
 */
export function problemReply(reply: FastifyReply, problem: Problem, resource?: ProtectedResource): ProblemView {
  const view = problemView(problem, reply.request.id, reply.request.body);
  const challenge = challengeOf(problem, reply.request, resource);
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  reply.request.problemCode = problem.code;
  reply.code(view.status).type(PROBLEM_TYPE);
  return view;
}

/**
 * The `WWW-Authenticate` field of a problem (RFC 6750, 3). It has no error code if the request had no token. With an
 * external issuer, it contains the URL of the resource metadata (RFC 9728, 5.1) and the required scopes.
 */
function challengeOf(
  problem: Problem,
  { headers, routeOptions }: Pick<FastifyRequest, 'headers' | 'routeOptions'>,
  resource: ProtectedResource | undefined,
): string | undefined {
  const metadata = resource === undefined ? [] : [`resource_metadata="${metadataUrl(resource, routeOptions.url)}"`];
  switch (problem.code) {
    case 'INVALID_TOKEN': {
      const error = headers.authorization === undefined ? [] : ['error="invalid_token"'];
      return bearer(...error, ...metadata);
    }
    case 'INVALID_CLIENT':
      return bearer();
    case 'INSUFFICIENT_SCOPE': {
      const { scopes } = problem;
      const needed =
        resource === undefined || scopes.length === 0 ? [] : [`scope="${issuerScopes(resource, scopes).join(' ')}"`];
      return bearer('error="insufficient_scope"', ...needed, ...metadata);
    }
    default:
      return undefined;
  }
}

const bearer = (...parameters: readonly string[]): string => ['Bearer realm="telecine"', ...parameters].join(', ');
