import type { Hint } from './hint.ts';

/** The codes of all problem documents. `wire/problem.ts` maps each to a status. */
export type ProblemCode =
  | 'BAD_REQUEST'
  | 'INVALID_JSON'
  | 'INVALID_REQUEST'
  | 'INVALID_TOKEN'
  | 'INVALID_CLIENT'
  | 'INSUFFICIENT_SCOPE'
  | 'NOT_A_CLIENT'
  | 'NOT_SAME_ORIGIN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'JOB_NOT_FOUND'
  | 'JOB_FINISHED'
  | 'JOB_NOT_FINISHED'
  | 'BATCH_NOT_FOUND'
  | 'BATCH_FINISHED'
  | 'WORKER_NOT_FOUND'
  | 'LAST_ADMIN'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_DISABLED'
  | 'TOO_MANY_WEBHOOKS'
  | 'RECIPE_CONFLICT'
  | 'TOO_MANY_RECIPES'
  | 'DELIVERY_NOT_FOUND'
  | 'DELIVERY_NOT_FINISHED'
  | 'TOO_MANY_DELIVERIES'
  | 'FILE_NOT_FOUND'
  | 'NOT_A_FILE'
  | 'FOLDER_NOT_EMPTY'
  | 'UPLOAD_NOT_FOUND'
  | 'UPLOAD_CONFLICT'
  | 'UPLOAD_LOCKED'
  | 'UNSUPPORTED_TUS_VERSION'
  | 'OUTPUT_GONE'
  | 'PRECONDITION_FAILED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'INVALID_LINK'
  | 'LINK_EXPIRED'
  | 'LINK_USED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'INPUT_NOT_FOUND'
  | 'INPUT_INVALID'
  | 'INPUT_UNAVAILABLE'
  | 'UNSUPPORTED'
  | 'TIMEOUT'
  | 'REQUEST_TIMEOUT'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'HEADERS_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'TOO_MANY_PENDING'
  | 'TOO_MANY_UPLOADS'
  | 'TOO_MANY_STREAMS'
  | 'TOO_MANY_CONNECTIONS'
  | 'QUOTA_EXCEEDED'
  | 'STORAGE_FAULT'
  | 'NO_SPACE'
  | 'NOT_IMPLEMENTED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** A part of a text, in UTF-16 code units. A length of 0 is a place between two characters, or the end. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** An error in one field of a request. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) into the request body, e.g. `/parameters/c:v`; '' is the whole body. */
  readonly field: string;
  /** A stable code for programs: `UNKNOWN_OPTION`, `MISSING`, `WRONG_TYPE`, … */
  readonly code: string;
  /** What is wrong, as a sentence for people. */
  readonly message: string;
  /** The part of the value that is wrong, if it is known. The value is a text, or a list of only one. */
  readonly at?: TextSpan;
  /** The allowed values or forms, if they can be listed. */
  readonly allowed?: readonly string[];
  /** What to send instead. */
  readonly fix?: Hint;
  /**
   * For other checks: the label of a filtergraph, or the path of a file, that the error is about; "time" for a time in an argument of a
   * recipe. Replies lack it.
   */
  readonly about?: string;
}

/**
 * Ends a request with a problem document (RFC 9457). The caller can see all of it except `cause`, which is for the log.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  /** How to fix the problem, if it has no field errors. A reply shows it after the message. */
  readonly fix: Hint | undefined;
  /** Seconds after which the same request may succeed, for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** For QUOTA_EXCEEDED: the quota, and what was used of it before. */
  readonly quota: { readonly name: string; readonly used: number; readonly limit: number } | undefined;
  /** For INSUFFICIENT_SCOPE: the scopes that the token needs. Empty otherwise. */
  readonly scopes: readonly string[];

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly FieldError[];
      fix?: Hint;
      retryAfterSeconds?: number;
      scopes?: readonly string[];
      quota?: { readonly name: string; readonly used: number; readonly limit: number };
      cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.errors = more.errors ?? [];
    this.fix = more.fix;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.scopes = more.scopes ?? [];
    this.quota = more.quota;
  }
}

/** The most field errors of a reply. Checks end when they have found more, so that a request with many costs little. */
export const MAX_FIELD_ERRORS = 50;

/** Whether checks have found more errors than a reply has. What they find after that is not shown. */
export const hasEnough = ({ length }: readonly unknown[]): boolean => length > MAX_FIELD_ERRORS;

/** Whether an error is about a file that the service cannot reach: the rest of the request helps only with another file. */
const isOutOfReach = ({ code, field }: FieldError): boolean =>
  code === 'STORAGE_NOT_ALLOWED' && /^(?:\/requests\/\d+)?\/inputs?(?:\/|$)/.test(field);

/**
 * The problem (400) for a request with field errors. `errors` must not be empty. Inputs that the service cannot reach come first. Of
 * many, it has the first.
 */
export function invalidRequest(errors: readonly FieldError[]): Problem {
  const ordered = errors.toSorted((a, b) => Number(isOutOfReach(b)) - Number(isOutOfReach(a)));
  const [first] = ordered;
  // One more than a reply shows, so that a problem with these errors says the same.
  const kept = ordered.slice(0, MAX_FIELD_ERRORS + 1);
  const count = hasEnough(errors)
    ? `more than ${MAX_FIELD_ERRORS} errors: these are the first ${MAX_FIELD_ERRORS}`
    : `${errors.length} errors`;
  const detail =
    errors.length === 1 && first !== undefined
      ? first.message
      : `The request has ${count}. The first: ${first?.message ?? ''}`;
  return new Problem('INVALID_REQUEST', detail, { errors: kept });
}

/** The error for an output that is the same file as the input at `field`. */
/** @param path The path of the output. */
export const outputIsInput = (field: string, output = '/output', path = ''): FieldError => ({
  field: output,
  code: 'OUTPUT_IS_INPUT',
  message: `The output is the same file as the input at ${field}.`,
  fix:
    path === '' || path.length > 200
      ? 'Send another path as output.'
      : `Send another path, such as ${JSON.stringify(path.replace(/(\.[^./]{1,12})?$/, '-new$1'))}.`,
});

/** Escapes one reference token of a JSON Pointer (RFC 6901 section 3). */
export const pointerToken = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

/** The opposite of `pointerToken`. */
export const pointerKey = (segment: string): string =>
  segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
