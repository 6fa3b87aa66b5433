import { type FieldError, Problem, type ProblemCode } from '../../domain/problem.ts';
import { type HasScope, modelHint } from './model-hint.ts';

/** An error in a tool result. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  /** The JSON Pointer to the argument with the error. */
  readonly field?: string;
  readonly allowed?: readonly string[];
  /** How to fix the error. */
  readonly fix?: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  /** The other field errors. */
  readonly more?: readonly Omit<ToolError, 'retryable'>[];
}

const RETRYABLE: ReadonlySet<ProblemCode> = new Set([
  'RATE_LIMITED',
  'TOO_MANY_PENDING',
  'UNAVAILABLE',
  'STORAGE_FAULT',
  'NO_SPACE',
]);

/** The fixes for problems without field errors, by problem code. */
const FIXES: Partial<Record<ProblemCode, string>> = {
  JOB_NOT_FOUND: 'Call list_jobs for the ids of your jobs.',
  JOB_FINISHED: 'Call get_job for its result. To convert again, call convert_media.',
  IDEMPOTENCY_CONFLICT: 'Send a new idempotencyKey, or the same arguments as before.',
  TOO_MANY_PENDING: 'Wait for jobs to finish (wait_for_job), or cancel some (cancel_job).',
  INSUFFICIENT_SCOPE: 'Ask the user for a token with that scope.',
};

const MAX_ERRORS = 10;
const MAX_ALLOWED = 30;
const MAX_LENGTH = 1000;

const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);

function fieldErrorOf(
  { field, code, message, allowed, fix }: FieldError,
  has?: HasScope,
): Omit<ToolError, 'retryable'> {
  return {
    code,
    message: cut(message),
    ...(field !== '' && { field: cut(field) }),
    ...(allowed && { allowed: allowed.slice(0, MAX_ALLOWED).map(cut) }),
    ...(fix !== undefined && { fix: cut(modelHint(fix, has)) }),
  };
}

/**
 * Turns a problem into a tool error for a reader with the scopes of `has` (default: all): its first field error, with the others in `more`, or else the
 * problem itself.
 */
export function toolError(problem: Problem, has?: HasScope): ToolError {
  const { code, errors, retryAfterSeconds } = problem;
  const [first, ...more] = errors.map((one) => fieldErrorOf(one, has));
  const wait = retryAfterSeconds === undefined ? undefined : `Wait ${retryAfterSeconds} s, then call again.`;
  const fix = FIXES[code] ?? (problem.fix && modelHint(problem.fix, has)) ?? wait;
  return {
    ...(first ?? { code, message: cut(problem.message), ...(fix !== undefined && { fix }) }),
    retryable: RETRYABLE.has(code),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(more.length > 0 && { more: more.slice(0, MAX_ERRORS - 1) }),
  };
}

/** The problem that the caller sees instead of an internal error. */
export const internalProblem = (cause: unknown): Problem =>
  new Problem('INTERNAL', 'Internal error. The operator finds the cause in the log of the service.', { cause });
