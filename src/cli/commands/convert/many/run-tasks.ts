import limitConcurrency from 'p-limit';
import { plainText } from '../../../../domain/text-validation.ts';
import { EXIT } from '../../../exit-codes.ts';
import { type ExitStatus, exitStatusOf } from '../../../exit-status.ts';
import type { BatchDisplay } from '../../../output/batch-display.ts';
import type { ProgressDisplay } from '../../../output/progress-display.ts';
import type { TaskResult } from './task-result.ts';
import type { ConversionTask } from './tasks.ts';

/** What became of one conversion. */
export interface TaskOutcome<T> {
  readonly value: T;
  readonly failure?: ExitStatus | undefined;
}

export interface RunTasksOptions<T> {
  /** How many run at the same time. */
  readonly slots: number;
  readonly display: BatchDisplay;
  readonly signal: AbortSignal;
  /** Called for each conversion, as it ends. */
  readonly onResult: (result: TaskResult<T>) => void;
}

/**
 * Runs `act` for all tasks, in their order. If one fails because the service is unreachable or rejects the credentials, or if
 * the signal aborts, no more are begun. Rejects only with an error of this program, after all have ended.
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

/** Whether the next conversion would fail for the same reason. */
const concernsAll = ({ exitCode }: ExitStatus): boolean =>
  exitCode === EXIT.unauthorised || exitCode === EXIT.unreachable;
