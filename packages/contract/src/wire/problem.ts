import { z } from 'zod';
import { integer, list, text } from './described-schemas.ts';
import type { Shape } from './shape.ts';

const path = text('JSON Pointer into the body.', '/parameters/preset');

const operation = z
  .discriminatedUnion('op', [
    z.object({ op: z.literal('add'), path, value: z.unknown() }),
    z.object({ op: z.literal('replace'), path, value: z.unknown() }),
    z.object({ op: z.literal('remove'), path }),
  ])
  .meta({ id: 'PatchOperation', description: 'One operation of a JSON Patch (RFC 6902).' });

/** The operations that a program applies to the body to follow a fix. */
export const patch = list(
  operation,
  'The JSON Patch (RFC 6902) of the body that does what `fix` says. Absent if the fix leaves a choice to the client. Apply one ' +
    'at a time, and check the request again: two patches may concern the same member.',
  [{ op: 'replace', path: '/parameters/preset', value: 'veryfast' }],
).optional();

export type PatchOperation = Shape<typeof operation>;

export const textSpan = z.object({
  offset: integer('Characters before the part.').min(0),
  length: integer('Characters of the part. 0 is the end of the value.').min(0),
});

export const fieldError = z
  .object({
    field: text(
      'JSON Pointer to the field in the body, or to the query parameter. "": the body.',
      '/parameters/preset',
    ),
    code: z.string().meta({ examples: ['BAD_VALUE'] }),
    message: z.string().meta({ examples: ['"preset" of libx264 does not accept "vertfast".'] }),
    at: textSpan.optional().meta({
      description:
        'The part of the value that is wrong, as an editor underlines it. Characters are UTF-16 code units, as in JavaScript and ' +
        'Java. Filtergraphs have it, if `field` is a string (or a list with one).',
      examples: [{ offset: 6, length: 5 }],
    }),
    allowed: z.array(z.string()).optional().meta({ description: 'The allowed values, if they can be listed.' }),
    fix: text(
      'What to send instead, or where to find it: the nearest allowed name or value, or the list of ids.',
      'Send "veryfast".',
    ).optional(),
    apply: patch,
  })
  .meta({ id: 'FieldError', description: 'One error in a request.' });

export const problemSchema = z
  .object({
    type: z.string().meta({ examples: ['urn:problem-type:telecine:invalid-request'] }),
    title: text('The kind of problem. It is the same for every problem with this code.'),
    status: z.int().min(400).max(599),
    detail: text('What is wrong with this request, and how to fix it.'),
    code: text('The kind of problem, for programs.', 'INVALID_REQUEST'),
    requestId: text('The id of this request in the log of the service.'),
    errors: z.array(fieldError).optional().meta({ description: 'What is wrong with each field.' }),
    quota: z.object({ name: z.string(), used: z.number(), limit: z.number() }).optional().meta({
      description:
        'For QUOTA_EXCEEDED and STORAGE_EXCEEDED: the quota, what was used of it before this request, and its limit.',
    }),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' });

export type ProblemView = Shape<typeof problemSchema>;

/** The status and the title of each problem code. */
export const PROBLEMS = {
  BAD_REQUEST: { status: 400, title: 'Malformed request' },
  INVALID_JSON: { status: 400, title: 'Invalid JSON' },
  INVALID_REQUEST: { status: 400, title: 'Invalid request' },
  INVALID_TOKEN: { status: 401, title: 'Missing or invalid token' },
  INVALID_CLIENT: { status: 401, title: 'Unknown client or wrong secret' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'Insufficient scope' },
  NOT_A_CLIENT: { status: 403, title: 'The subject of the token is not registered as a client' },
  NOT_SAME_ORIGIN: { status: 403, title: 'Not a request of a page of this service' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  JOB_NOT_FOUND: { status: 404, title: 'Job not found' },
  JOB_FINISHED: { status: 409, title: 'The job is finished' },
  JOB_NOT_FINISHED: { status: 409, title: 'The job is not finished' },
  LAST_ADMIN: { status: 409, title: 'No client with the scope admin would be left' },
  BATCH_NOT_FOUND: { status: 404, title: 'Batch not found' },
  BATCH_FINISHED: { status: 409, title: 'The batch is finished' },
  WORKER_NOT_FOUND: { status: 404, title: 'Worker not found' },
  WEBHOOK_NOT_FOUND: { status: 404, title: 'Webhook not found' },
  WEBHOOK_DISABLED: { status: 409, title: 'The webhook is disabled' },
  TOO_MANY_WEBHOOKS: { status: 409, title: 'Too many webhooks' },
  WATCH_NOT_FOUND: { status: 404, title: 'Watch not found' },
  TOO_MANY_WATCHES: { status: 409, title: 'Too many watches' },
  JOB_HAS_KEYS: { status: 403, title: 'Only the client of the job may change its request' },
  JOB_OF_WATCH: { status: 409, title: 'The job belongs to a watch' },
  CLIENT_REVOKED: { status: 409, title: 'The client was revoked' },
  CLIENT_LACKS_SCOPE: { status: 409, title: 'The client of the job or the watch lacks a scope' },
  FOLDER_UNREACHABLE: { status: 409, title: 'The folder cannot be read' },
  RECIPE_CONFLICT: { status: 409, title: 'Recipe conflict' },
  TOO_MANY_RECIPES: { status: 409, title: 'Too many recipes' },
  DELIVERY_NOT_FOUND: { status: 404, title: 'Delivery not found' },
  DELIVERY_NOT_FINISHED: { status: 409, title: 'The delivery is not finished' },
  TOO_MANY_DELIVERIES: { status: 409, title: 'Too many unfinished deliveries' },
  FILE_NOT_FOUND: { status: 404, title: 'File not found' },
  NOT_A_FILE: { status: 409, title: 'Not a file' },
  FILE_EXISTS: { status: 409, title: 'The path is taken' },
  FILE_IN_USE: { status: 409, title: 'A job uses the file' },
  FOLDER_NOT_EMPTY: { status: 409, title: 'The folder is not empty' },
  UPLOAD_NOT_FOUND: { status: 404, title: 'Upload not found' },
  UPLOAD_CONFLICT: { status: 409, title: 'The upload continues at another offset' },
  UPLOAD_LOCKED: { status: 423, title: 'Another request has the upload' },
  UNSUPPORTED_TUS_VERSION: { status: 412, title: 'Unsupported version of tus' },
  OUTPUT_GONE: { status: 410, title: 'The output no longer exists' },
  SHARE_NOT_FOUND: { status: 404, title: 'Shared link not found' },
  TOO_MANY_SHARES: { status: 409, title: 'Too many shared links' },
  TOO_MANY_FILES: { status: 409, title: 'Too many or too large files for one zip' },
  PRECONDITION_FAILED: { status: 412, title: 'Precondition failed' },
  RANGE_NOT_SATISFIABLE: { status: 416, title: 'The range is past the end of the file' },
  INVALID_LINK: { status: 403, title: 'Invalid link' },
  LINK_EXPIRED: { status: 410, title: 'The link has expired' },
  LINK_REVOKED: { status: 410, title: 'The link was revoked' },
  LINK_USED: { status: 410, title: 'The link was used' },
  IDEMPOTENCY_CONFLICT: { status: 409, title: 'The idempotency key belongs to another request' },
  INPUT_NOT_FOUND: { status: 404, title: 'Input not found' },
  INPUT_INVALID: { status: 422, title: 'The input cannot be read as media' },
  INPUT_UNAVAILABLE: { status: 422, title: 'The input cannot be fetched from its URL' },
  UNSUPPORTED: { status: 422, title: 'Unsupported input' },
  TIMEOUT: { status: 422, title: 'Reading the input took too long' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported content type or encoding' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request line and headers are too large' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  TOO_MANY_PENDING: { status: 429, title: 'Too many queued jobs' },
  TOO_MANY_UPLOADS: { status: 429, title: 'Too many concurrent uploads' },
  TOO_MANY_STREAMS: { status: 429, title: 'Too many concurrent event streams' },
  TOO_MANY_CONNECTIONS: { status: 429, title: 'Too many connections' },
  QUOTA_EXCEEDED: { status: 429, title: 'A quota is used up' },
  INTERNAL: { status: 500, title: 'Internal error' },
  STORAGE_FAULT: { status: 500, title: 'Storage failure' },
  NO_SPACE: { status: 507, title: 'Not enough disk space' },
  STORAGE_EXCEEDED: { status: 507, title: 'The file does not fit into the quota of storage' },
  NOT_IMPLEMENTED: { status: 501, title: 'Not implemented' },
  UNAVAILABLE: { status: 503, title: 'The service is unavailable' },
} satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;
