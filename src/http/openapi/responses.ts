import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { Problem, type ProblemCode } from '../../domain/problem.ts';
import { PROBLEMS, problem } from '../../wire/problem.ts';
import { problemView } from '../../wire/problem-view.ts';
import { challenge, everywhere, rateLimit, retryAfter } from './headers.ts';

type Headers = Readonly<Record<string, z.ZodType>>;

/** A response with a body of one type; `headers` beside those of every response. */
export const reply = (
  description: string,
  content: Exclude<ZodOpenApiResponseObject['content'], undefined>,
  headers: Headers = {},
): ZodOpenApiResponseObject => ({ description, content, headers: z.object({ ...everywhere, ...headers }) });

export const json = (description: string, schema: z.ZodType, example: unknown, headers: Headers = {}) =>
  reply(description, { 'application/json': { schema, example } }, headers);

const example = (code: ProblemCode, detail: string) => problemView(new Problem(code, detail), 'q1Zk0v8T-1f');

/** The response for problems of these codes, which share one status. */
export function problems(
  codes: readonly [ProblemCode, ...ProblemCode[]],
  headers: Headers = {},
): ZodOpenApiResponseObject {
  const titles = codes.map((code) => `${code}: ${PROBLEMS[code].title}.`).join(' ');
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: example(code, `${PROBLEMS[code].title}.`) }]),
  );
  return reply(titles, { 'application/problem+json': { schema: problem, examples } }, headers);
}

/** What any operation may answer. */
export const always: ZodOpenApiResponsesObject = {
  400: problems(['BAD_REQUEST', 'INVALID_REQUEST']),
  500: problems(['INTERNAL']),
  503: problems(['UNAVAILABLE'], retryAfter),
};

/** Also, where a body is taken. */
export const withBody: ZodOpenApiResponsesObject = {
  ...always,
  400: problems(['BAD_REQUEST', 'INVALID_JSON', 'INVALID_REQUEST']),
  413: problems(['BODY_TOO_LARGE']),
  415: problems(['UNSUPPORTED_MEDIA_TYPE']),
};

/** Also, where a token is needed. */
export const withToken: ZodOpenApiResponsesObject = {
  401: problems(['INVALID_TOKEN'], challenge),
  403: problems(['INSUFFICIENT_SCOPE', 'NOT_A_CLIENT'], {
    'WWW-Authenticate': challenge['WWW-Authenticate'].optional(),
  }),
};

/** Also, where a job may be queued. */
export const withQueue: ZodOpenApiResponsesObject = {
  429: problems(['RATE_LIMITED', 'TOO_MANY_PENDING'], { ...rateLimit, ...retryAfter }),
};

export const noSuchJob: ZodOpenApiResponsesObject = { 404: problems(['JOB_NOT_FOUND']) };
