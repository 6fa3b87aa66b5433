import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import limitConcurrency from 'p-limit';
import { EXIT, type ExitCode } from '../../../exit-codes.ts';
import { type ExitStatus, exitStatusOf } from '../../../exit-status.ts';
import type { BatchDisplay, ProgressDisplay } from '../../../output/progress-display.ts';
import type { ConversionTask } from './output-template.ts';

interface TaskOutcome<T> {
  readonly value: T;
  readonly failure?: ExitStatus | undefined;
}

interface RunTasksOptions<T> {
  readonly slots: number;
  readonly display: BatchDisplay;
  readonly signal: AbortSignal;
  readonly onResult: (result: TaskResult<T>) => void;
}

/**
 * Runs `act` for all tasks, in order. Starts no further task after the signal, or after the service is unreachable or rejects the
 * credentials. Rejects only for a bug of this program, after all started tasks have ended.
 */
export async function runTasks<T>(
  tasks: readonly ConversionTask[],
  act: (task: ConversionTask, progress: ProgressDisplay) => Promise<TaskOutcome<T>>,
  { slots, display, signal, onResult }: RunTasksOptions<T>,
): Promise<readonly TaskResult<T>[]> {
  const limit = limitConcurrency(slots);
  let stop: ExitStatus | undefined;
  let bug: { readonly error: unknown } | undefined;

  async function run(task: ConversionTask): Promise<TaskResult<T>> {
    const { file } = task;
    const before = signal.aborted ? exitStatusOf(signal.reason) : stop;
    if (before !== undefined) return { file, failure: signal.aborted ? before : NOT_STARTED };
    const progress = display.start(plainText(file));
    try {
      const { value, failure } = await act(task, progress);
      return { file, value, ...(failure !== undefined && { failure }) };
    } catch (error) {
      const failure = exitStatusOf(error);
      if (failure === undefined) bug ??= { error };
      if (failure === undefined || concernsAll(failure)) stop ??= NOT_STARTED;
      return { file, failure: failure ?? NOT_STARTED };
    } finally {
      progress.close();
    }
  }
  const results = await Promise.all(
    tasks.map((task) =>
      limit(async () => {
        const result = await run(task);
        display.ended(result.failure !== undefined);
        onResult(result);
        return result;
      }),
    ),
  );
  if (bug !== undefined) throw bug.error;
  return results;
}

const NOT_STARTED: ExitStatus = {
  exitCode: EXIT.failed,
  code: 'NOT_STARTED',
  message: 'Not started, because an earlier file could not be sent to the service.',
};

/** Whether the remaining conversions would fail for the same reason. */
const concernsAll = ({ exitCode }: ExitStatus): boolean =>
  exitCode === EXIT.unauthorised || exitCode === EXIT.unreachable;

export interface TaskResult<T> {
  /** The input as the user wrote it. */
  readonly file: string;
  /** Absent if the conversion did not start, or failed without a result. */
  readonly value?: T;
  readonly failure?: ExitStatus;
}

/**
 * The failure of a finished job. undefined: the job is complete. `isLocal`: the service stops with the command, so the job's log cannot be
 * read later.
 */
export function failureOf({ jobId, status, error, message }: JobView, isLocal: boolean): ExitStatus | undefined {
  if (status === 'COMPLETED') return undefined;
  if (status === 'CANCELLED') return { exitCode: EXIT.cancelled, code: 'JOB_CANCELLED', message };
  const { code = status, message: reason = message, fix } = error ?? {};
  const log = isLocal ? [] : [`For the log of ffmpeg: telecine jobs log ${jobId}`];
  const hints = [...(fix === undefined ? [] : [fix]), ...log];
  return { exitCode: EXIT.failed, code, message: reason, ...(hints.length > 0 && { fix: hints.join('\n') }) };
}

/** Whether a conversion did not finish because the command was stopped. */
export const wasStopped = ({ failure }: TaskResult<unknown>): boolean =>
  failure !== undefined && STOPS.has(failure.code);

const STOPS: ReadonlySet<string> = new Set(['CANCELLED', 'TIMED_OUT', 'NOT_STARTED']);

/** Returns the exit code that all failures share. Returns 1 if they differ. */
export function exitCodeOf(results: readonly TaskResult<unknown>[]): ExitCode {
  const failures = results.flatMap(({ failure }) => failure ?? []);
  const stop = failures.find(({ code }) => code === 'CANCELLED' || code === 'TIMED_OUT');
  if (stop !== undefined) return stop.exitCode;
  const codes = new Set(failures.flatMap(({ code, exitCode }) => (code === 'NOT_STARTED' ? [] : exitCode)));
  const [first = EXIT.done] = codes;
  return codes.size > 1 ? EXIT.failed : first;
}

interface FailureGroup {
  readonly files: readonly string[];
  /** The failure of the first file in the group. */
  readonly failure: ExitStatus;
}

/** Groups failures by reason. Ignores conversions that were stopped. */
export function groupFailures(results: readonly TaskResult<unknown>[]): readonly FailureGroup[] {
  const groups = new Map<string, { readonly files: string[]; readonly failure: ExitStatus }>();
  for (const result of results) {
    const { file, failure } = result;
    if (failure === undefined || wasStopped(result)) continue;
    // Remove the file name from the message, so that the same failure of two files has one key. The fix is not part of the key, because it
    // may name the job.
    const key = `${failure.code} ${failure.message.replaceAll(file, '')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { files: [file], failure });
    else group.files.push(file);
  }
  return [...groups.values()];
}
