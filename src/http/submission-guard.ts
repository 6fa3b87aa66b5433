import type { onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { admit } from './admission.ts';
import { authenticate } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { limitSubmissions } from './rate-limit.ts';

export type SubmissionGuard = readonly (onRequestHookHandler | onRequestAsyncHookHandler)[];

/**
 * What stands before every operation that queues a job, in this order and before the body is read: 401 and 403,
 * 429 by rate, 429 by what waits. Made once, so that all such operations count together.
 */
export const guardSubmissions = (deps: HttpDeps): SubmissionGuard => [
  authenticate(deps.tokens, 'jobs:write'),
  ...limitSubmissions(deps.submissionsPerMinute),
  admit(deps.jobs),
];
