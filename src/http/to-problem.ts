import type { FastifyError } from 'fastify';
import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { Problem } from '../domain/problem.ts';
import { PROBLEMS } from '../wire/problem.ts';

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'statusCode' in error;

/**
 * Any error as a problem. What is neither ours nor Fastify's own becomes INTERNAL, with the error as its cause.
 * `bodyLimit`: bytes that the route takes.
 */
export function toProblem(error: unknown, bodyLimit: number = REQUEST_LIMITS.bodyBytes): Problem {
  if (error instanceof Problem) return error;
  if (isFastifyError(error)) {
    switch (error.code) {
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        return new Problem('BODY_TOO_LARGE', `The body is larger than ${bodyLimit} bytes.`);
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return new Problem(
          'UNSUPPORTED_MEDIA_TYPE',
          'The body is not of a type that is taken here. Send JSON, with "Content-Type: application/json".',
        );
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return new Problem('BAD_REQUEST', 'The body is not as long as Content-Length says.');
      case 'FST_ERR_BAD_URL':
        return new Problem(
          'BAD_REQUEST',
          'The path holds a percent sign that begins no valid escape. Send %25 for it.',
        );
      case 'ECONNRESET':
      case 'FST_ERR_CTP_EMPTY_JSON_BODY':
        return new Problem('BAD_REQUEST', 'The body did not arrive whole.');
    }
  }
  return new Problem(
    'INTERNAL',
    'Something went wrong inside the service. Its log says more under the requestId of this answer.',
    { cause: error },
  );
}

/** Whether operators should hear of it. A 501, or a 503 while the service shuts down, is as it should be. */
export const isFault = (problem: Problem): boolean =>
  problem.code === 'INTERNAL' || (PROBLEMS[problem.code].status >= 500 && problem.cause !== undefined);
