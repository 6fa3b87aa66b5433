import type { FastifyReply } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import type { OAUTH_ERRORS, OAuthErrorView } from '../../wire/oauth.ts';
import { PROBLEMS } from '../../wire/problem.ts';

type OAuthErrorCode = (typeof OAUTH_ERRORS)[number];

/** An error with an OAuth error code. For a `Problem`, `oauthErrorReply` chooses the code. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

function fromProblem(problem: Problem): { status: number; error: OAuthErrorCode } {
  const { status } = PROBLEMS[problem.code];
  switch (problem.code) {
    case 'INVALID_CLIENT':
      return { status, error: 'invalid_client' };
    case 'INVALID_TOKEN':
      return { status: 400, error: 'invalid_grant' };
    case 'INSUFFICIENT_SCOPE':
      return { status: 400, error: 'invalid_scope' };
    case 'INVALID_REQUEST':
      return { status, error: problem.errors.some((e) => e.field === '/scope') ? 'invalid_scope' : 'invalid_request' };
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
      return { status, error: 'temporarily_unavailable' };
    case 'INTERNAL':
      return { status, error: 'server_error' };
    default:
      return { status, error: 'invalid_request' };
  }
}

/** Replaces the characters that RFC 6749 (5.2) does not allow in a description. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'");

/** Sets the status and the header fields of an OAuth error, and returns its body (RFC 6749, 5.2). */
export function oauthErrorReply(reply: FastifyReply, cause: OAuthError | Problem): OAuthErrorView {
  const { status, error } =
    cause instanceof Problem
      ? fromProblem(cause)
      : { status: cause.code === 'invalid_client' ? 401 : 400, error: cause.code };
  if (status === 401) reply.header('www-authenticate', 'Basic realm="telecine", charset="UTF-8"');
  if (cause instanceof Problem && cause.retryAfterSeconds !== undefined)
    reply.header('retry-after', cause.retryAfterSeconds);
  reply.request.problemCode = error;
  reply.code(status).type('application/json; charset=utf-8');
  return { error, error_description: printable(cause.message) };
}
