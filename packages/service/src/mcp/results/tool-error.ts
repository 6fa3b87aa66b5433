import { hasChoice, hasEdits } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import { ALL_TOOLS, type HasTool } from '../tool-names.ts';
import { UNTRUSTED_NOTE } from './job-summary.ts';
import { modelHint } from './model-hint.ts';

/** An error or warning about one field. */
interface FieldText {
  readonly code: string;
  readonly message: string;
  /** The JSON Pointer to the wrong argument. */
  readonly field?: string;
  readonly allowed?: readonly string[];
  readonly fix?: string;
}

export interface ToolError extends FieldText {
  /** true: the same call may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly more?: readonly FieldText[];
  /** The arguments with all fixes. They were checked. Absent if a fix leaves a choice. */
  readonly corrected?: object;
  /** How a model must treat the texts in this error. */
  readonly note?: string;
}

const RETRYABLE: ReadonlySet<ProblemCode> = new Set([
  'RATE_LIMITED',
  'TOO_MANY_PENDING',
  'UNAVAILABLE',
  // A probe can be slow while many other jobs run.
  'TIMEOUT',
  // Some tools read the outputs of a job, so they work after the job has finished.
  'JOB_NOT_FINISHED',
  'STORAGE_FAULT',
  'NO_SPACE',
]);

/** Returns the fix for a problem without field errors. undefined: this code has no standard fix. */
function fixOf(code: ProblemCode, has: HasTool): string | undefined {
  switch (code) {
    case 'JOB_NOT_FOUND':
      return has('list_jobs') ? 'Call list_jobs for the ids of your jobs.' : 'Ask the user for the id of the job.';
    case 'JOB_FINISHED':
      return `${has('wait_for_job') ? 'Call wait_for_job for its result. ' : ''}To convert again, call convert_media, with "y": "" in "parameters" if it replaces the output.`;
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

const cut = (text: string): string => shorten(text, MAX_LENGTH);

function fieldErrorOf({ field, code, message, allowed, fix }: FieldError, has: HasTool): FieldText {
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

/** Whether a fix leaves no choice, so that the reader does not need the allowed values. */
const isSure = (fix: Hint | undefined): boolean => hasEdits(fix) && !hasChoice(fix);

/** Whether a fix changes the field that has the error: its edit then names no other field. */
const isAboutField = (fix: Hint | undefined): boolean =>
  hasEdits(fix) && fix.edits.some((edit) => !('name' in edit) || edit.name === undefined);

/**
 * Removes fixes and allowed values that an earlier error already has. A fix that changes the field with the error
 * stays, because each time it is about another field.
 *
 * @param fixes The fixes as data, in the order of `errors`.
 */
function withoutRepeats(errors: readonly FieldText[], fixes: readonly (Hint | undefined)[]): readonly FieldText[] {
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
 * Turns a problem into a tool error. Its first field error becomes the error, and the others go into `more`. A problem
 * without field errors becomes the error itself.
 */
export function toolError(problem: Problem, has: HasTool = ALL_TOOLS, corrected?: object): ToolError {
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
    ...(corrected && { corrected }),
    // The fix can contain names of files, which are untrusted text.
    ...(code === 'INPUT_NOT_FOUND' && { note: UNTRUSTED_NOTE }),
  };
}

/** The problem that the caller sees instead of an internal error. */
export const internalProblem = (cause: unknown): Problem =>
  new Problem('INTERNAL', 'Internal error. The operator finds the cause in the log of the service.', { cause });
