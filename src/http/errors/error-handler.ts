import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { REQUEST_LIMITS } from '../../domain/conversion.ts';
import { Problem } from '../../domain/problem.ts';
import { PROBLEMS } from '../../wire/problem.ts';
import type { HttpDeps } from '../deps.ts';
import { problemReply } from './problem-reply.ts';

/** Replies to every error with a problem document, and logs internal errors. */
export function handleErrors(app: FastifyInstance, { logger, oauth }: Pick<HttpDeps, 'logger' | 'oauth'>): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.routeOptions.bodyLimit);
    logInternalError(logger, request, problem);
    return reply.send(problemReply(reply, problem, oauth));
  });
}

/** Logs a problem that the operator must look into: not a 501, and not a 503 during shutdown. */
export function logInternalError(logger: HttpDeps['logger'], { id }: FastifyRequest, problem: Problem): void {
  const { code, cause } = problem;
  if (code === 'INTERNAL' || (PROBLEMS[code].status >= 500 && cause !== undefined))
    logger.error({ requestId: id, code, err: cause ?? problem }, 'request failed');
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'statusCode' in error;

/**
 * Turns any error into a problem. Unknown errors become INTERNAL with the error as the cause. `bodyLimit` is the
 * maximum size of a body on the route, for the message.
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
