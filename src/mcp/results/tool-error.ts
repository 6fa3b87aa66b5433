import { hasEdits } from '../../domain/edit.ts';
import type { Hint } from '../../domain/hint.ts';
import { type FieldError, Problem, type ProblemCode } from '../../domain/problem.ts';
import { ALL_TOOLS, type HasTool } from '../tool-names.ts';
import { UNTRUSTED_NOTE } from './job-summary.ts';
import { modelHint } from './model-hint.ts';

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
  /** What the next calls would be told if they followed the fixes. */
  readonly afterwards?: readonly Omit<ToolError, 'retryable'>[];
  /** The whole arguments with all fixes, those of `afterwards` too, which have been checked. */
  readonly corrected?: object;
  /** Warnings about `corrected`. Their fixes are not in it. */
  readonly warnings?: readonly Omit<ToolError, 'retryable'>[];
  /** Names the recipe that does what the call does by hand. Absent if `corrected` leaves no doubt. */
  readonly recipe?: string;
  /** How to treat the texts in this error. */
  readonly note?: string;
}

/** What comes of arguments once the fixes of their errors are followed. */
export interface FollowedFixes {
  /** The arguments with all fixes of errors, which have none any more. Absent if a fix leaves a choice, or leads astray. */
  readonly corrected?: object;
  /** What the next calls would be told: the errors that the fixes lead to. */
  readonly afterwards: readonly FieldError[];
  /** The warnings about `corrected`. */
  readonly warnings: readonly FieldError[];
}

const RETRYABLE: ReadonlySet<ProblemCode> = new Set([
  'RATE_LIMITED',
  'TOO_MANY_PENDING',
  'UNAVAILABLE',
  // Reading an input took too long, as it does beside many other jobs.
  'TIMEOUT',
  // The only tools that need the end of a job read its outputs.
  'JOB_NOT_FINISHED',
  'STORAGE_FAULT',
  'NO_SPACE',
]);

/** The fix for a problem without field errors. Undefined if it is none of these, or if the reader has none of the tools. */
function fixOf(code: ProblemCode, has: HasTool): string | undefined {
  switch (code) {
    case 'JOB_NOT_FOUND':
      return has('list_jobs') ? 'Call list_jobs for the ids of your jobs.' : 'Ask the user for the id of the job.';
    case 'JOB_FINISHED':
      return `${has('get_job') ? 'Call get_job for its result. ' : ''}To convert again, call convert_media, with "y": "" in "parameters" if it replaces the output.`;
    case 'IDEMPOTENCY_CONFLICT':
      return 'Send a new idempotencyKey, or the same arguments as before.';
    case 'TOO_MANY_PENDING':
      return has('wait_for_job')
        ? 'Wait for jobs to finish (wait_for_job), or cancel some (cancel_job).'
        : 'Call again later, or cancel some jobs (cancel_job).';
    case 'INSUFFICIENT_SCOPE':
      return 'Ask the user for a token with that scope.';
    default:
      return undefined;
  }
}

const MAX_ERRORS = 10;
const MAX_ALLOWED = 30;
const MAX_LENGTH = 1000;

const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);

function fieldErrorOf({ field, code, message, allowed, fix }: FieldError, has: HasTool): Omit<ToolError, 'retryable'> {
  const text = fix === undefined ? undefined : cut(modelHint(fix, has));
  const isSaid = (value: string): boolean => message.includes(value) || text?.includes(JSON.stringify(value)) === true;
  return {
    code,
    message: cut(message),
    ...(field !== '' && { field: cut(field) }),
    ...(allowed && !isSure(fix) && !allowed.every(isSaid) && { allowed: allowed.slice(0, MAX_ALLOWED).map(cut) }),
    ...(text !== undefined && { fix: text }),
  };
}

/** Whether a fix leaves no choice, so that nobody needs to know what else is allowed. */
const isSure = (fix: Hint | undefined): boolean => hasEdits(fix) && fix.or === undefined && fix.isExample !== true;

/** Whether a fix changes the field itself, which it does not name. */
const isAboutField = (fix: Hint | undefined): boolean =>
  hasEdits(fix) && fix.edits.some((edit) => !('name' in edit) || edit.name === undefined);

/**
 * Leaves out what an error before it says too: the fix that several fields share, and the values that they allow. A fix that
 * changes the field itself is about another thing each time.
 *
 * @param fixes The fixes as data, in the same order.
 */
function withoutRepeats(
  errors: readonly Omit<ToolError, 'retryable'>[],
  fixes: readonly (Hint | undefined)[],
): readonly Omit<ToolError, 'retryable'>[] {
  const seen = new Set<string>();
  const isNew = (value: unknown): boolean => {
    const text = JSON.stringify(value);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst;
  };
  return errors.map(({ fix, allowed, ...error }, at) => ({
    ...error,
    ...(allowed !== undefined && isNew(allowed) && { allowed }),
    ...(fix !== undefined && (isAboutField(fixes[at]) || isNew(fix)) && { fix }),
  }));
}

/**
 * Turns a problem into a tool error for a reader with the tools of `has`: its first field error, with the others in `more`,
 * or else the problem itself. `followed`: what comes of its fixes.
 */
export function toolError(problem: Problem, has: HasTool = ALL_TOOLS, followed?: FollowedFixes): ToolError {
  const { code, errors, retryAfterSeconds } = problem;
  const shown = errors.slice(0, MAX_ERRORS);
  const [first, ...more] = withoutRepeats(
    shown.map((one) => fieldErrorOf(one, has)),
    shown.map((one) => one.fix),
  );
  const wait = retryAfterSeconds === undefined ? undefined : `Wait ${retryAfterSeconds} s, then call again.`;
  const fix = fixOf(code, has) ?? (problem.fix && modelHint(problem.fix, has)) ?? wait;
  return {
    ...(first ?? { code, message: cut(problem.message), ...(fix !== undefined && { fix }) }),
    retryable: RETRYABLE.has(code),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(more.length > 0 && { more }),
    ...followedOf(followed, has),
    // Its fix can have names of files.
    ...(code === 'INPUT_NOT_FOUND' && { note: UNTRUSTED_NOTE }),
  };
}

function followedOf(
  followed: FollowedFixes | undefined,
  has: HasTool,
): Pick<ToolError, 'afterwards' | 'corrected' | 'warnings'> {
  const told = (errors: readonly FieldError[] = []) => errors.map(({ allowed: _, ...one }) => fieldErrorOf(one, has));
  const [afterwards, warnings] = [told(followed?.afterwards), told(followed?.warnings)];
  return {
    ...(afterwards.length > 0 && { afterwards }),
    ...(followed?.corrected && { corrected: followed.corrected }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The problem that the caller sees instead of an internal error. */
export const internalProblem = (cause: unknown): Problem =>
  new Problem('INTERNAL', 'Internal error. The operator finds the cause in the log of the service.', { cause });
