import type { ProblemCode } from '../../domain/problem.ts';
import { PROBLEMS } from '../problem.ts';
import { type Access, isCounted, type Limit, type Operation } from './operation.ts';

const BY_LIMIT: Readonly<Record<Limit, readonly ProblemCode[]>> = {
  submissions: ['RATE_LIMITED', 'TOO_MANY_PENDING'],
  uploads: ['TOO_MANY_UPLOADS'],
  'failed tokens': ['RATE_LIMITED'],
  probes: ['RATE_LIMITED'],
  previews: ['RATE_LIMITED', 'NO_SPACE'],
};

const BY_ACCESS: Readonly<Record<Access['by'], readonly ProblemCode[]>> = {
  nothing: [],
  token: ['INVALID_TOKEN', 'INSUFFICIENT_SCOPE', 'NOT_A_CLIENT', 'NOT_SAME_ORIGIN'],
  session: ['INVALID_TOKEN', 'NOT_SAME_ORIGIN'],
  link: ['INVALID_LINK', 'LINK_EXPIRED'],
  'client secret': [],
};

const COUNTED: readonly ProblemCode[] = ['RATE_LIMITED'];

const JSON_BODY: readonly ProblemCode[] = ['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Whether the operation parses a request body as JSON. */
export const parsesJson = (method: string, { body }: Operation): boolean =>
  body === undefined ? method !== 'GET' : body.type === 'application/json';

/**
 * Every problem that an operation may reply with, in the order of `PROBLEMS`. OAuth operations add none, because OAuth
 * has its own errors.
 */
export function problemsOf(method: string, operation: Operation): readonly ProblemCode[] {
  const { access, body, limit, problems = [] } = operation;
  if (body?.type === 'application/x-www-form-urlencoded') return problems;
  const codes = new Set<ProblemCode>([
    'BAD_REQUEST',
    'INVALID_REQUEST',
    'TOO_MANY_CONNECTIONS',
    'INTERNAL',
    'UNAVAILABLE',
    ...(parsesJson(method, operation) ? JSON_BODY : []),
    ...BY_ACCESS[access.by],
    ...(limit === undefined ? [] : BY_LIMIT[limit]),
    ...(isCounted(operation) ? COUNTED : []),
    ...problems,
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}
