import type { FastifyReply } from 'fastify';
import type { Problem } from '../domain/problem.ts';
import type { ProblemView } from '../wire/problem.ts';
import { problemView } from '../wire/problem-view.ts';
import { challenge } from './challenge.ts';
import { PROBLEM_TYPE } from './headers.ts';
import type { ProtectedResource } from './protected-resource.ts';

/**
 * Sets the status and the header fields that go with a problem, and returns its document. `resource`: where tokens of
 * an external issuer are taken.
 */
export function problemReply(reply: FastifyReply, problem: Problem, resource?: ProtectedResource): ProblemView {
  const view = problemView(problem, reply.request.id);
  const wanted = challenge(problem, reply.request, resource);
  if (wanted !== undefined) reply.header('www-authenticate', wanted);
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  reply.code(view.status).type(PROBLEM_TYPE);
  return view;
}
