import type { FieldError, ProblemCode } from '../../domain/problem.ts';
import { Problem } from '../../domain/problem.ts';
import { modelHint } from './model-hint.ts';

/** An error as a model reads it. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  /** JSON Pointer into the arguments. */
  readonly field?: string;
  readonly allowed?: readonly string[];
  /** The one thing to do about it. */
  readonly fix?: string;
  /** The very same call may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  /** What else is wrong, of the same form. */
  readonly more?: readonly Omit<ToolError, 'retryable'>[];
}

const RETRYABLE: ReadonlySet<ProblemCode> = new Set([
  'RATE_LIMITED',
  'TOO_MANY_PENDING',
  'UNAVAILABLE',
  'STORAGE_FAULT',
  'NO_SPACE',
]);

/** What to do about what no field is to blame for. */
const FIXES: Partial<Record<ProblemCode, string>> = {
  JOB_NOT_FOUND: 'Call list_jobs for the ids of your jobs.',
  JOB_FINISHED: 'Call get_job to see how it ended; to convert again, call convert_media.',
  IDEMPOTENCY_CONFLICT: 'Send a new idempotencyKey, or the very arguments that the key was used with.',
  TOO_MANY_PENDING: 'Wait for jobs to end (wait_for_job), or cancel some (cancel_job).',
  INSUFFICIENT_SCOPE: 'Ask the user for a token with that scope.',
};

const MOST_ERRORS = 10;
const MOST_ALLOWED = 30;
const LONGEST = 1000;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function shown({ field, code, message, allowed, fix }: FieldError): Omit<ToolError, 'retryable'> {
  return {
    code,
    message: cut(message),
    ...(field !== '' && { field: cut(field) }),
    ...(allowed && { allowed: allowed.slice(0, MOST_ALLOWED).map(cut) }),
    ...(fix !== undefined && { fix: cut(modelHint(fix)) }),
  };
}

/** The first fault, with what else is wrong, or the problem as a whole where no field is to blame. */
export function toolError(problem: Problem): ToolError {
  const { code, errors, retryAfterSeconds } = problem;
  const [first, ...more] = errors.map(shown);
  const wait = retryAfterSeconds === undefined ? undefined : `Wait ${retryAfterSeconds} s, then call again.`;
  const fix = FIXES[code] ?? (problem.fix && modelHint(problem.fix)) ?? wait;
  return {
    ...(first ?? { code, message: cut(problem.message), ...(fix !== undefined && { fix }) }),
    retryable: RETRYABLE.has(code),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(more.length > 0 && { more: more.slice(0, MOST_ERRORS - 1) }),
  };
}

/** What is neither the caller's fault nor for its eyes. */
export const internalProblem = (cause: unknown): Problem =>
  new Problem('INTERNAL', 'Something went wrong inside the service. Its operators find more in its log.', { cause });
