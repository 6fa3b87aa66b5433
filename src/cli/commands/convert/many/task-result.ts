import type { JobView } from '../../../../wire/job.ts';
import { EXIT, type ExitCode } from '../../../exit-codes.ts';
import type { ExitStatus } from '../../../exit-status.ts';

/** How one of several conversions ended. */
export interface TaskResult<T> {
  /** The input as it was written. */
  readonly file: string;
  /** Absent if the conversion was not begun, or failed without a result. */
  readonly value?: T;
  readonly failure?: ExitStatus;
}

/** Why a job that has ended failed. Undefined if it is complete. `isLocal`: its service ends with the command. */
export function failureOf({ jobId, status, error, message }: JobView, isLocal: boolean): ExitStatus | undefined {
  if (status === 'COMPLETED') return undefined;
  if (status === 'CANCELLED') return { exitCode: EXIT.cancelled, code: 'JOB_CANCELLED', message };
  const { code = status, message: reason = message, fix } = error ?? {};
  const log = isLocal ? [] : [`For the log of ffmpeg: telecine jobs log ${jobId}`];
  const hints = [...(fix === undefined ? [] : [fix]), ...log];
  return { exitCode: EXIT.failed, code, message: reason, ...(hints.length > 0 && { fix: hints.join('\n') }) };
}

/** Whether a conversion did not end because the command was stopped. */
export const wasStopped = ({ failure }: TaskResult<unknown>): boolean =>
  failure !== undefined && STOPS.has(failure.code);

const STOPS: ReadonlySet<string> = new Set(['CANCELLED', 'TIMED_OUT', 'NOT_STARTED']);

/** The exit code of the command: that of all failures if they have the same, else 1. */
export function exitCodeOf(results: readonly TaskResult<unknown>[]): ExitCode {
  const failures = results.flatMap(({ failure }) => failure ?? []);
  const stop = failures.find(({ code }) => code === 'CANCELLED' || code === 'TIMED_OUT');
  if (stop !== undefined) return stop.exitCode;
  const codes = new Set(failures.flatMap(({ code, exitCode }) => (code === 'NOT_STARTED' ? [] : exitCode)));
  const [first = EXIT.done] = codes;
  return codes.size > 1 ? EXIT.failed : first;
}

/** Failures with one reason. */
interface FailureGroup {
  readonly files: readonly string[];
  /** The reason as the first of the files has it. */
  readonly failure: ExitStatus;
}

/** Failures by their reason, so that a summary says each once. Conversions that were stopped are not among them. */
export function groupFailures(results: readonly TaskResult<unknown>[]): readonly FailureGroup[] {
  const groups = new Map<string, { readonly files: string[]; readonly failure: ExitStatus }>();
  for (const result of results) {
    const { file, failure } = result;
    if (failure === undefined || wasStopped(result)) continue;
    // A message may name the file, and a fix the job.
    const key = `${failure.code} ${failure.message.replaceAll(file, '')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { files: [file], failure });
    else group.files.push(file);
  }
  return [...groups.values()];
}
