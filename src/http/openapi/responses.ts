import { z } from 'zod';
import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { Problem, type ProblemCode } from '../../domain/problem.ts';
import { EVERY_REPLY, PROBLEM_HEADERS, rateLimit } from '../../wire/operations/headers.ts';
import { isCounted, type Operation, type Reply } from '../../wire/operations/operation.ts';
import { problemsOf } from '../../wire/operations/problems.ts';
import { PROBLEMS, problemSchema } from '../../wire/problem.ts';
import { problemView } from '../../wire/problem-view.ts';

const EXAMPLE_REQUEST_ID = 'q1Zk0v8T-1f';

/** The responses of an operation by status: those that it declares, and its problems. */
export function responsesOf(method: string, operation: Operation): ZodOpenApiResponsesObject {
  const codes = problemsOf(method, operation);
  const problemsByStatus = Object.groupBy(codes, (code) => String(PROBLEMS[code].status));
  const statuses = new Set([...Object.keys(operation.replies), ...Object.keys(problemsByStatus)]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const isLimited = operation.limit === 'submissions' || isCounted(operation);
      const hasLimits = isLimited && (status === '429' || Number(status) < 300);
      const response = responseOf(operation.replies[Number(status)], problemsByStatus[status] ?? []);
      const headers = z.object({ ...EVERY_REPLY, ...(hasLimits ? rateLimit : {}), ...response.headers });
      return [status, { ...response, headers }];
    }),
  );
}

type Headers = Readonly<Record<string, z.ZodType>>;
interface Response {
  readonly description: string;
  readonly content?: Record<string, ZodOpenApiMediaTypeObject>;
  readonly headers: Headers;
}

/** The response of one status: a declared reply, problem documents, or either of them. */
function responseOf(reply: Reply | undefined, codes: readonly ProblemCode[]): Response {
  const problems = codes.length === 0 ? undefined : problemResponse(codes);
  if (reply === undefined || problems === undefined) return problems ?? replyResponse(reply ?? {});
  return {
    description: reply.description ?? problems.description,
    content: { ...reply.content, ...problems.content },
    headers: optional({ ...problems.headers, ...reply.headers }),
  };
}

const replyResponse = ({ description = '', content, headers = {} }: Reply): Response => ({
  description,
  ...(content && { content: { ...content } }),
  headers,
});

function problemResponse(codes: readonly ProblemCode[]): Response {
  const examples: ZodOpenApiMediaTypeObject['examples'] = {};
  for (const code of codes)
    examples[code] = { value: problemView(new Problem(code, `${PROBLEMS[code].title}.`), EXAMPLE_REQUEST_ID) };
  return {
    description: codes.map((code) => `${code}: ${PROBLEMS[code].title}.`).join(' '),
    content: { 'application/problem+json': { schema: problemSchema, examples } },
    headers: problemHeaders(codes),
  };
}

/** The header fields of the problems with one status. A field is optional unless each of these problems has it. */
function problemHeaders(codes: readonly ProblemCode[]): Headers {
  const each = codes.map((code) => PROBLEM_HEADERS[code] ?? {});
  const all: Headers = Object.assign({}, ...each);
  return each.every((headers) => Object.keys(all).every((name) => name in headers)) ? all : optional(all);
}

const optional = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, schema.optional()]));
