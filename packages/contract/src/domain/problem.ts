import type { PROBLEMS } from '../wire/problem.ts';
import type { Hint } from './hint.ts';
import { type Nearest, suggest } from './suggest.ts';

export type ProblemCode = keyof typeof PROBLEMS;

/** A part of a text, in UTF-16 code units. A length of 0 means the position between two characters, or the end. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

export interface FieldError {
  /** JSON Pointer (RFC 6901) into the request body, e.g. `/parameters/c:v`; '' is the whole body. */
  readonly field: string;
  /** A stable code for programs: `UNKNOWN_OPTION`, `MISSING`, `WRONG_TYPE`, … */
  readonly code: string;
  readonly message: string;
  /** The wrong part of the value, if it is known. The value is a text, or a list with one text. */
  readonly at?: TextSpan;
  /** The allowed values or forms, if they can be listed. */
  readonly allowed?: readonly string[];
  readonly fix?: Hint;
  /** From what `suggest` makes the fix. Not in replies. */
  readonly nearest?: Nearest | undefined;
}

/** Ends a request with a problem document (RFC 9457). The caller sees all of it except `cause`, which is for the log. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  /** How to fix the problem. Only for a problem without field errors. A reply shows it after the message. */
  readonly fix: Hint | undefined;
  /** Seconds after which the same request may succeed, for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** For QUOTA_EXCEEDED and STORAGE_EXCEEDED: the quota, and how much was used before the request. */
  readonly quota: { readonly name: string; readonly used: number; readonly limit: number } | undefined;
  /** For INSUFFICIENT_SCOPE: the scopes that the token needs. */
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

/** The maximum number of field errors in a reply. Checks stop at one more, so that a request with many errors costs little. */
export const MAX_FIELD_ERRORS = 50;

/** Whether checks have found more errors than a reply shows. */
export const hasEnough = ({ length }: readonly unknown[]): boolean => length > MAX_FIELD_ERRORS;

/** Whether an error is about an input that the service cannot reach. Until the client replaces this input, no other fix helps. */
const isOutOfReach = ({ code, field }: FieldError): boolean =>
  code === 'STORAGE_NOT_ALLOWED' && /^(?:\/requests\/\d+)?\/inputs?(?:\/|$)/.test(field);

/** The problem (400) for field errors. `errors` has at least one. Inputs that the service cannot reach come first. */
export function invalidRequest(errors: readonly FieldError[]): Problem {
  const ordered = errors.toSorted((a, b) => Number(isOutOfReach(b)) - Number(isOutOfReach(a)));
  const [first] = ordered;
  // Keep one error more than a reply shows. A problem that is built again from these errors then also says "more than 50 errors".
  const kept = ordered.slice(0, MAX_FIELD_ERRORS + 1).map(suggest);
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
export const outputIsInput = (field: string, output = '/output'): FieldError => ({
  field: output,
  code: 'OUTPUT_IS_INPUT',
  message: `The output is the same file as the input at ${field}.`,
});

/** Escapes one reference token of a JSON Pointer (RFC 6901, section 3). */
export const pointerToken = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

/** Reverses `pointerToken`. */
export const pointerKey = (segment: string): string =>
  segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
