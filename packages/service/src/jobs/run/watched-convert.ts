import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionOutcome, Converter } from '../ports/ffmpeg.ts';
import type { SpaceWatch, WatchedConversion } from './space-watch.ts';

type ConverterTask = Parameters<Converter>[0];

export interface WatchedTask extends Omit<ConverterTask, 'onCountable' | 'onFault'> {
  readonly jobId: string;
  readonly policy: ClientLimits;
  /** The free disk space before the inputs were staged, in bytes. */
  readonly freeBefore: number;
  /** Called before the conversion starts. */
  readonly onWatched?: (watched: WatchedConversion) => void;
}

export interface ConvertDeps {
  readonly convert: Converter;
  readonly space: SpaceWatch;
  /** Writes an error of the service, not of the job, to the log of the operator. */
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/**
 * Converts. Stops the conversion if it fills the disk or exceeds its limits: `watched.signal` is then aborted, and its
 * reason is the failure.
 */
export async function convertWatched(
  { convert, space, onInternalError }: ConvertDeps,
  { jobId, freeBefore, onWatched, signal, ...task }: WatchedTask,
): Promise<{ readonly outcome: ConversionOutcome; readonly watched: WatchedConversion }> {
  const watched = space.watch(task.scratch, task.policy, freeBefore);
  onWatched?.(watched);
  const outcome = await convert({
    ...task,
    signal: AbortSignal.any([signal, watched.signal]),
    onCountable: watched.countDeletedFiles,
    onFault: (error) => onInternalError(jobId, error),
  }).finally(watched.end);
  return { outcome, watched };
}
