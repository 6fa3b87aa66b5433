import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { ENDPOINTS, type OperationId } from '@telecine/contract/wire/endpoints.ts';
import {
  type Access,
  type Body,
  isCounted,
  isCountedSubmission,
  type Operation,
  type Reply,
  type Tag,
} from '@telecine/contract/wire/operations/operation.ts';
import { EACH_OPERATION, needsIssuer } from '@telecine/contract/wire/operations/operations.ts';
import {
  EVERY_REPLY,
  PROBLEM_HEADERS,
  problemsOf,
  rateLimit,
} from '@telecine/contract/wire/operations/problem-replies.ts';
import { PROBLEMS, problemSchema } from '@telecine/contract/wire/problem.ts';
import { problemView } from '@telecine/contract/wire/problem-view.ts';
import { WEBHOOK_HEADERS, WEBHOOK_REQUESTS } from '@telecine/contract/wire/webhook-event.ts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';

/** The tags, in the order of the page. */
const TAGS: Readonly<Record<Tag, string>> = {
  Tokens: 'Obtain and refresh access tokens.',
  Conversions: 'Submit conversions.',
  'Language models': 'Submit conversions as a language model, or use MCP.',
  Jobs: 'Follow, cancel, retry and delete jobs.',
  Webhooks: 'Receive the ends of jobs as signed HTTP requests.',
  Watches: 'Convert whatever lands in a folder.',
  Files: 'List, probe, upload, download and delete files of the media root.',
  Capabilities: 'Search the formats, codecs, filters and options that requests can use.',
  Recipes: 'Conversions by name: `preset` in a request applies one. Find them by what they do.',
  Operation: 'Pause the queue, list and drain workers. For administrators.',
  System: 'Check the service, and read the API reference.',
};

export interface DocumentOptions {
  readonly version: string;
  readonly publicUrl?: string;
  /** true: the service accepts tokens of an external issuer. */
  readonly external?: boolean;
}

/** Builds the OpenAPI 3.1 document from the declarations by which requests are validated. */
export function openApiDocument(about: DocumentOptions): ReturnType<typeof createDocument> {
  const ids = Object.keys(EACH_OPERATION) as OperationId[];
  const paths: ZodOpenApiPathsObject = {};
  for (const id of ids.filter((one) => about.external === true || !needsIssuer(one))) {
    const { method, path } = ENDPOINTS[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(id, EACH_OPERATION[id]) };
  }
  const document = createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Telecine',
      version: about.version,
      summary: 'Self-hosted media conversion: JSON in, ffmpeg in the background, a real file out.',
      description:
        'Send an input, an output and ffmpeg options. The service replies at once with a job id, converts in the ' +
        'background and reports progress. Errors are problem documents (RFC 9457) that say what is wrong, what is ' +
        'allowed and what to send instead.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.publicUrl ?? '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksObject(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-telecine',
          description:
            'The session of a page of this service. Without TLS, the name of the cookie is `telecine`; a port that is not the ' +
            'usual one is added: `telecine-8080`. Requests that change something also need `X-Telecine-Session: 1`.',
        },
        basic: { type: 'http', scheme: 'basic', description: 'Client id and secret.' },
      },
    },
  });
  const webhooks = Object.entries(document.webhooks ?? {}).map(([id, item]) => [id, withRequestBody(item)] as const);
  return { ...document, webhooks: Object.fromEntries(webhooks) };
}

type PathItem = NonNullable<ReturnType<typeof createDocument>['webhooks']>[string];

/**
 * Declares the webhook requests that the service sends, which have a signature instead of a token. Their bodies are
 * declared as replies first, because zod-openapi would repeat all schemas for request bodies. `withRequestBody` then
 * moves them.
 */
const webhooksObject = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries(WEBHOOK_REQUESTS).map(([id, { summary, schema, examples }]) => [
      id,
      {
        post: {
          operationId: id,
          tags: ['Webhooks'],
          summary,
          description:
            'The service sends this to your webhooks and to the `callbackUrl` of a request, and repeats it until it gets a 2xx. ' +
            'Verify the signature before you read the body ([Standard Webhooks](https://www.standardwebhooks.com)).',
          security: [],
          requestParams: { header: WEBHOOK_HEADERS },
          responses: {
            default: {
              description: 'The body.',
              content: { 'application/json': { schema, examples: namedExamples(examples) } },
            },
            '2XX': { description: 'The event has arrived. It is not sent again.' },
            '410': { description: 'Send nothing more. This disables the webhook.' },
          },
        },
      },
    ]),
  );

const namedExamples = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

/** Moves the declared reply of a webhook to its request body. */
function withRequestBody({ post, ...item }: PathItem): PathItem {
  const { default: body, ...responses } = post?.responses ?? {};
  const content = body !== undefined && 'content' in body ? body.content : undefined;
  return { ...item, post: { ...post, requestBody: { required: true, content: { ...content } }, responses } };
}

function operationObject(id: OperationId, operation: Operation): ZodOpenApiOperationObject {
  const { tag, summary, description, access, params, headers, body, sample } = operation;
  const query = operation.query === 'ignored' ? operation.readQuery : operation.query;
  const requestParams: ZodOpenApiParameters = {
    ...(params && { path: params }),
    ...(query && { query }),
    ...(headers && { header: headers }),
  };
  const requestBody = body && requestBodyOf(body);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, ...scopeSentence(access)].join(' '),
    security: SECURITY[access.by].map((scheme) => ({ ...scheme })),
    ...(Object.keys(requestParams).length > 0 && { requestParams }),
    ...(requestBody && { requestBody }),
    // Without this sample, the page would show a sample with every parameter.
    ...(sample && { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: sample }] }),
    responses: responsesOf(ENDPOINTS[id].method, operation),
  };
}

const SECURITY: Readonly<Record<Access['by'], readonly Record<string, string[]>[]>> = {
  nothing: [],
  token: [{ bearer: [] }, { session: [] }],
  session: [{ session: [] }],
  link: [],
  'client secret': [{ basic: [] }, {}],
};

function scopeSentence(access: Access): readonly string[] {
  if (!('scopes' in access) || access.scopes.length === 0) return [];
  const scopes = access.scopes.map((scope) => `\`${scope}\``).join(' and ');
  return [`Needs ${scopes}.`];
}

function requestBodyOf(body: Body): ZodOpenApiOperationObject['requestBody'] {
  switch (body.type) {
    case 'ignored':
      return undefined;
    case '*/*':
      return { required: true, content: { '*/*': { schema: z.any().meta({ description: body.description }) } } };
    default: {
      const { type, schema, example } = body;
      if (!('alternative' in body) || body.alternative === undefined)
        return schema instanceof z.ZodOptional
          ? { required: false, content: { [type]: { schema: schema.unwrap() as z.ZodType, example } } }
          : { required: true, content: { [type]: { schema, example } } };
      const { schema: other, examples } = body.alternative;
      return {
        required: true,
        content: {
          [type]: { schema: z.union([schema, other]), examples: namedExamples({ conversion: example, ...examples }) },
        },
      };
    }
  }
}

const EXAMPLE_REQUEST_ID = 'q1Zk0v8T-1f';

/** Returns the responses of an operation by status: declared replies and problems. */
function responsesOf(method: string, operation: Operation): ZodOpenApiResponsesObject {
  const codes = problemsOf(method, operation);
  const problemsByStatus = Object.groupBy(codes, (code) => String(PROBLEMS[code].status));
  const statuses = new Set([...Object.keys(operation.replies), ...Object.keys(problemsByStatus)]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const isLimited = isCountedSubmission(operation) || isCounted(operation);
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

/** Returns the response with one status. Its body is the declared reply, a problem document, or either of them. */
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

/**
 * Returns the header fields of the problems with one status. A field is required only if all of these problems have it.
 */
function problemHeaders(codes: readonly ProblemCode[]): Headers {
  const each = codes.map((code) => PROBLEM_HEADERS[code] ?? {});
  const all: Headers = Object.assign({}, ...each);
  return each.every((headers) => Object.keys(all).every((name) => name in headers)) ? all : optional(all);
}

const optional = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, schema.optional()]));
