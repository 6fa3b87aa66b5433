import type { FastifyReply } from 'fastify';
import type { Problem } from '../domain/problem.ts';
import type { ProblemView } from '../wire/problem.ts';
import { problemView } from '../wire/problem-view.ts';
import { PROBLEM_TYPE } from './headers.ts';

/** RFC 6750, 3: no error code where no token was sent at all. */
function challenge(problem: Problem, tokenSent: boolean): string | undefined {
  switch (problem.code) {
    case 'INVALID_TOKEN':
      return tokenSent ? 'Bearer realm="telecine", error="invalid_token"' : 'Bearer realm="telecine"';
    case 'INVALID_CLIENT':
      return 'Bearer realm="telecine"';
    case 'INSUFFICIENT_SCOPE':
      return 'Bearer realm="telecine", error="insufficient_scope"';
    default:
      return undefined;
  }
}

/** Sets the status and the header fields that go with a problem, and returns its document. */
export function problemReply(reply: FastifyReply, problem: Problem): ProblemView {
  const view = problemView(problem, reply.request.id);
  const wanted = challenge(problem, reply.request.headers.authorization !== undefined);
  if (wanted !== undefined) reply.header('www-authenticate', wanted);
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  reply.code(view.status).type(PROBLEM_TYPE);
  return view;
}
