import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Converter } from '../ports/ffmpeg.ts';
import type { SpaceWatch, WatchedConversion } from './space-watch.ts';

type ConverterTask = Parameters<Converter>[0];

/** A run of ffmpeg in a scratch folder, whose disk space is watched. */
interface WatchedRun extends Pick<ConverterTask, 'scratch' | 'signal'> {
  readonly policy: ClientLimits;
  /** The free disk space before the inputs were staged, in bytes. */
  readonly freeBefore: number;
  /** Called before ffmpeg starts. */
  readonly onWatched?: (watched: WatchedConversion) => void;
}

export interface WatchedTask extends Omit<ConverterTask, 'onCountable' | 'onFault' | keyof WatchedRun>, WatchedRun {
  readonly jobId: string;
}

export interface ConvertDeps {
  readonly convert: Converter;
  readonly space: SpaceWatch;
  /** Writes an error of the service, not of the job, to the log of the operator. */
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/** Runs ffmpeg. Stops it if it fills the disk or exceeds its limits: `watched.signal` is then aborted, and its reason is the failure. */
export async function runWatched<T>(
  space: SpaceWatch,
  { scratch, policy, freeBefore, signal, onWatched }: WatchedRun,
  run: (own: Pick<ConverterTask, 'signal' | 'onCountable'>) => Promise<T>,
): Promise<{ readonly outcome: T; readonly watched: WatchedConversion }> {
  const watched = space.watch(scratch, policy, freeBefore);
  onWatched?.(watched);
  const own = { signal: AbortSignal.any([signal, watched.signal]), onCountable: watched.countDeletedFiles };
  const outcome = await run(own).finally(watched.end);
  return { outcome, watched };
}

/** Converts, and watches the disk space. See `runWatched`. */
export const convertWatched = ({ convert, space, onInternalError }: ConvertDeps, { jobId, ...task }: WatchedTask) =>
  runWatched(space, task, (own) => convert({ ...task, ...own, onFault: (error) => onInternalError(jobId, error) }));
