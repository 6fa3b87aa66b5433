import { REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { PROBLEMS, type ProblemView } from '@telecine/contract/wire/problem.ts';
import { problemView } from '@telecine/contract/wire/problem-view.ts';
import { issuerScopes, metadataUrl, type ProtectedResource } from '@telecine/contract/wire/protected-resource.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error reply, for the access log. null: the reply is not an error. */
    problemCode: string | null;
  }
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/**
 * Sets the status and the header fields for a problem, and returns the problem document. `resource`: undefined if there
 * is no external issuer.
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
 * Returns the field `WWW-Authenticate` for a problem (RFC 6750, 3). It contains an error code if the request had a
 * token. With an external issuer, it also contains the URL of the resource metadata (RFC 9728, 5.1) and the required
 * scopes.
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

/** Replies to every error with a problem document. Logs internal errors. */
export function handleErrors(app: FastifyInstance, { logger, oauth }: Pick<HttpDeps, 'logger' | 'oauth'>): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.routeOptions.bodyLimit);
    logInternalError(logger, request, problem);
    return reply.send(problemReply(reply, problem, oauth));
  });
}

/** Logs a problem that an operator must see: not a 501, and not a 503 during shutdown. */
export function logInternalError(logger: HttpDeps['logger'], { id }: FastifyRequest, problem: Problem): void {
  const { code, cause } = problem;
  if (code === 'INTERNAL' || (PROBLEMS[code].status >= 500 && cause !== undefined))
    logger.error({ requestId: id, code, err: cause ?? problem }, 'request failed');
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'statusCode' in error;

/**
 * Converts any error to a problem. An unknown error becomes INTERNAL. `bodyLimit`: the maximum size of a body on the
 * route, in bytes.
 */
export function toProblem(error: unknown, bodyLimit: number = REQUEST_LIMITS.bodyBytes): Problem {
  if (error instanceof Problem) return error;
  if (isFastifyError(error)) {
    switch (error.code) {
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        return new Problem('BODY_TOO_LARGE', `The body exceeds the limit of ${bodyLimit} bytes.`);
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return new Problem(
          'UNSUPPORTED_MEDIA_TYPE',
          'The body has an unsupported content type. Send JSON with "Content-Type: application/json".',
        );
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return new Problem('BAD_REQUEST', 'The length of the body does not match Content-Length.');
      case 'FST_ERR_BAD_URL':
        return new Problem('BAD_REQUEST', 'The path has a "%" that does not begin a valid escape. Send "%25" instead.');
      case 'ECONNRESET':
      case 'FST_ERR_CTP_EMPTY_JSON_BODY':
        return new Problem('BAD_REQUEST', 'The body is incomplete: the connection ended before all of it arrived.');
    }
  }
  return new Problem(
    'INTERNAL',
    'Internal error of the service. The operator finds the details in the log, under the requestId of this reply.',
    { cause: error },
  );
}
