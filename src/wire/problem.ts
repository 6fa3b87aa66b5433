import { z } from 'zod';
import type { ProblemCode } from '../domain/problem.ts';

const fieldError = z
  .object({
    field: z.string().meta({
      description: 'JSON Pointer to the field, in the body or, for a query parameter, in the query; "" is the whole.',
      examples: ['/parameters/crf'],
    }),
    code: z.string().meta({ examples: ['WRONG_TYPE'] }),
    message: z.string().meta({ examples: ['"crf" must be a string or an array, not the number 23. Send "23".'] }),
    allowed: z.array(z.string()).optional().meta({ description: 'What is allowed, where it can be listed.' }),
    fix: z
      .string()
      .optional()
      .meta({ description: 'What to send instead.', examples: ['Send "23".'] }),
  })
  .meta({ id: 'FieldError', description: 'One thing that is wrong with a request.' });

/** RFC 9457, with members of our own. */
export const problem = z
  .object({
    type: z.string().meta({ examples: ['urn:problem-type:telecine:invalid-request'] }),
    title: z.string().meta({ description: 'The kind of problem; the same for each of its kind.' }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What was wrong this time, and what to do.' }),
    code: z.string().meta({ description: 'The kind of problem, for programs.', examples: ['INVALID_REQUEST'] }),
    requestId: z.string().meta({ description: 'Names this request in the log of the service.' }),
    errors: z.array(fieldError).optional().meta({ description: 'What is wrong, field by field.' }),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' });

export type ProblemView = z.infer<typeof problem>;

/** The status and the title of each problem; nowhere else is a status chosen. */
export const PROBLEMS: Readonly<Record<ProblemCode, { readonly status: number; readonly title: string }>> = {
  BAD_REQUEST: { status: 400, title: 'The request cannot be understood' },
  INVALID_JSON: { status: 400, title: 'The body is not valid JSON' },
  INVALID_REQUEST: { status: 400, title: 'The request is not valid' },
  INVALID_TOKEN: { status: 401, title: 'A valid token is needed' },
  INVALID_CLIENT: { status: 401, title: 'The client is not known' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'The token does not allow this' },
  NOT_A_CLIENT: { status: 403, title: 'The token belongs to no client' },
  NOT_FOUND: { status: 404, title: 'There is nothing here' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This method is not offered here' },
  JOB_NOT_FOUND: { status: 404, title: 'There is no such job' },
  JOB_FINISHED: { status: 409, title: 'The job is finished' },
  JOB_NOT_FINISHED: { status: 409, title: 'The job is not finished' },
  FILE_NOT_FOUND: { status: 404, title: 'There is no such file' },
  NOT_A_FILE: { status: 409, title: 'What stands there is no file' },
  FOLDER_NOT_EMPTY: { status: 409, title: 'The folder is not empty' },
  OUTPUT_GONE: { status: 410, title: 'The output is no longer there' },
  PRECONDITION_FAILED: { status: 412, title: 'The file is not as the request asks' },
  RANGE_NOT_SATISFIABLE: { status: 416, title: 'The file has no such range' },
  INVALID_LINK: { status: 403, title: 'The link is not valid' },
  LINK_EXPIRED: { status: 410, title: 'The link has expired' },
  IDEMPOTENCY_CONFLICT: { status: 409, title: 'The idempotency key was used for another request' },
  INPUT_NOT_FOUND: { status: 404, title: 'There is no such input' },
  INPUT_INVALID: { status: 422, title: 'The input cannot be read as media' },
  UNSUPPORTED: { status: 422, title: 'The input is of a kind that is not taken here' },
  TIMEOUT: { status: 422, title: 'The input takes too long to read' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body is of a type that is not taken here' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request line and headers are too large' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  TOO_MANY_PENDING: { status: 429, title: 'Too many jobs are waiting' },
  TOO_MANY_UPLOADS: { status: 429, title: 'Too many uploads at once' },
  INTERNAL: { status: 500, title: 'Something went wrong inside the service' },
  STORAGE_FAULT: { status: 500, title: 'The storage failed' },
  NO_SPACE: { status: 507, title: 'There is too little disk space' },
  NOT_IMPLEMENTED: { status: 501, title: 'Not implemented' },
  UNAVAILABLE: { status: 503, title: 'The service cannot take this now' },
};
