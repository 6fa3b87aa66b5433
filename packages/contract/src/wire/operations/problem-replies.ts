import { z } from 'zod';
import type { ProblemCode } from '../../domain/problem.ts';
import { text } from '../described-schemas.ts';
import { MAX_WAIT_SECONDS } from '../prefer.ts';
import { PROBLEMS } from '../problem.ts';
import { type Access, isCounted, type Limit, type Operation } from './operation.ts';

export const EVERY_REPLY = { 'X-Request-Id': text('The id of this request in the log of the service.', 'q1Zk0v8T-1f') };

export const jobLocationHeader = {
  Location: text('The path of the job.', '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'),
};

export const clientLocationHeader = { Location: text('The path of the client.', '/api/clients/shop') };

export const fileLocationHeader = { Location: text('The path of the file.', '/api/files/movies/in.mov') };

export const storageLocation = {
  Location: text('The address of the file in the object store.', 'https://media.example.org/bucket/out.mp4?X-Amz-…'),
};

export const etag = { ETag: text('Changes with the content of the file.', '"mYt1…"') };

export const lastModified = { 'Last-Modified': z.string().meta({ examples: ['Sat, 31 Jan 2026 12:00:00 GMT'] }) };

export const contentRange = { 'Content-Range': z.string().meta({ examples: ['bytes 0-1023/13400512'] }) };

export const challenge = { 'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="telecine"') };

export const setCookie = {
  'Set-Cookie': text('The cookie of the session.', '__Host-telecine=…; HttpOnly; SameSite=Strict'),
};

/** The header field that sets the cookie at the start of a sign-in by the issuer. */
export const setTicket = {
  'Set-Cookie': text(
    'The cookie of the sign-in. Absent if the issuer cannot be reached.',
    '__Host-telecine-sign-in-3=…; HttpOnly; SameSite=Lax',
  ).optional(),
};

export const pageLocation = {
  Location: text('Where the browser goes next.', 'https://login.example.org/authorize?…'),
};

export const retryAfter = {
  'Retry-After': text('Seconds to wait.', '12').regex(/^\d+$/),
};

/** Present if waiting helps. */
const retryAfterIfUseful = { 'Retry-After': retryAfter['Retry-After'].optional() };

/** Header fields of rate limits. Present if the operator limits submissions or other requests per minute. */
export const rateLimit = {
  RateLimit: text(
    'The submissions, calls or requests left, and the seconds until all are available again.',
    '"submissions";r=599;t=60',
  ).optional(),
  'RateLimit-Policy': text(
    'The submissions, calls or requests allowed in a window, and its seconds.',
    '"submissions";q=600;w=60',
  ).optional(),
};

export const prefer = {
  Prefer: text(
    `\`wait=SECONDS\`: reply when the job has ended, or after this time (at most ${MAX_WAIT_SECONDS} seconds). ` +
      '`wait=SECONDS; until=change`: reply at any change of the job. Other preferences are ignored.',
    'wait=20',
  ).optional(),
};

export const preferenceApplied = {
  'Preference-Applied': text(
    'The wait that the service applied. Absent if it replied at once because too many requests of the client wait.',
    'wait=20',
  ).optional(),
};

/** The header fields of problem replies, by problem code. A QUOTA_EXCEEDED reply has `Retry-After` only if waiting helps. */
export const PROBLEM_HEADERS: { readonly [code in ProblemCode]?: Readonly<Record<string, z.ZodType>> } = {
  INVALID_TOKEN: challenge,
  INVALID_CLIENT: challenge,
  INSUFFICIENT_SCOPE: challenge,
  TIMEOUT: retryAfterIfUseful,
  RATE_LIMITED: retryAfter,
  TOO_MANY_PENDING: retryAfter,
  TOO_MANY_UPLOADS: retryAfter,
  TOO_MANY_STREAMS: retryAfter,
  TOO_MANY_CONNECTIONS: retryAfter,
  UNAVAILABLE: retryAfter,
  RANGE_NOT_SATISFIABLE: contentRange,
};

const BY_LIMIT: Readonly<Record<Limit, readonly ProblemCode[]>> = {
  submissions: ['RATE_LIMITED', 'TOO_MANY_PENDING'],
  'dry runs': ['RATE_LIMITED'],
  uploads: ['TOO_MANY_UPLOADS'],
  'failed tokens': ['RATE_LIMITED'],
  probes: ['RATE_LIMITED'],
  previews: ['RATE_LIMITED', 'NO_SPACE'],
  zips: ['RATE_LIMITED'],
};

const BY_ACCESS: Readonly<Record<Access['by'], readonly ProblemCode[]>> = {
  nothing: [],
  token: ['INVALID_TOKEN', 'INSUFFICIENT_SCOPE', 'NOT_A_CLIENT', 'NOT_SAME_ORIGIN'],
  session: ['INVALID_TOKEN', 'NOT_SAME_ORIGIN'],
  link: ['INVALID_LINK', 'LINK_EXPIRED'],
  'client secret': [],
};

const BY_SHARE: readonly ProblemCode[] = ['INVALID_LINK', 'LINK_EXPIRED', 'LINK_REVOKED'];

const COUNTED: readonly ProblemCode[] = ['RATE_LIMITED'];

const JSON_BODY: readonly ProblemCode[] = ['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Whether the operation parses a request body as JSON. */
const parsesJson = (method: string, { body }: Operation): boolean =>
  body === undefined ? method !== 'GET' : body.type === 'application/json';

/** All problems of an operation, in the order of `PROBLEMS`. OAuth operations have only their own errors. */
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
    ...(access.by === 'token' && access.orShare ? BY_SHARE : []),
    ...(limit === undefined ? [] : BY_LIMIT[limit]),
    ...(isCounted(operation) ? COUNTED : []),
    ...problems,
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}
