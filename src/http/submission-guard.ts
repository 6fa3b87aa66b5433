import type { onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { admit } from './admission.ts';
import { authenticate } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { type Count, limit } from './rate-limit.ts';

export type SubmissionGuard = readonly (onRequestHookHandler | onRequestAsyncHookHandler)[];

/**
 * What stands before every operation that queues a job, in this order and before the body is read: 401 and 403,
 * 429 by rate, 429 by what waits. `count`: one for all such operations.
 */
export const guardSubmissions = (deps: HttpDeps, count: Count | undefined): SubmissionGuard => [
  authenticate(deps.tokens, 'jobs:write'),
  ...limit(count),
  admit(deps.jobs),
];
