import type { BatchState } from '@telecine/contract/domain/batch.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';

export interface JobEventOptions {
  /** Follows only this job. Default: all jobs that the caller may see. */
  readonly jobId?: string;
  readonly batchId?: string;
  /** The number of the last event that the caller has received. The stream continues after this event. */
  readonly lastEventId?: number;
  readonly signal: AbortSignal;
  /**
   * Called once, when the caller may follow the jobs and there is something to write. `follow` ends the writer that it
   * returns.
   */
  readonly start: () => LiveEventWriter;
}

/**
 * One event of a stream. An event with a job shows the current state of the job, which may be newer than the change
 * that caused the event.
 */
export type LiveEvent =
  /** The state of a job when the stream began. */
  | { readonly kind: 'snapshot'; readonly job: Job }
  | { readonly kind: ChangeKind; readonly job: Job }
  /** A running job has a new phase or more progress. These events have no number and are not repeated. */
  | { readonly kind: 'phase' | 'progress'; readonly job: Job }
  | { readonly kind: 'deleted'; readonly jobId: string }
  /**
   * A watch or its files have changed, at most once a second. Without `watchId`, any may have: the reader was slow. These events have no
   * number and are not repeated.
   */
  | { readonly kind: 'watch'; readonly watchId?: string }
  /** The state of the batch that the stream follows, including all events before this one. */
  | { readonly kind: 'batch'; readonly batch: BatchState }
  /** The stream cannot continue after the last event of the caller, so it starts over: all current states follow. */
  | { readonly kind: 'reset' }
  /** All events before this one together show the current state of all jobs. */
  | { readonly kind: 'ready' };

export const jobIdOf = (event: LiveEvent): string | undefined =>
  'job' in event ? event.job.jobId : 'jobId' in event ? event.jobId : undefined;

/** The kind of the last numbered change of a job, derived from the state of the job. */
type ChangeKind = 'created' | 'status' | 'ended' | 'expired';

export function changeKindOf({ status, startedAt, cancelRequestedAt, releasedAt, outputsExpired }: Job): ChangeKind {
  if (isFinished(status)) return outputsExpired === true ? 'expired' : 'ended';
  const isNew = startedAt === undefined && cancelRequestedAt === undefined && releasedAt === undefined;
  return isNew ? 'created' : 'status';
}

export interface LiveEventWriter {
  /** Writes an event. `number`: the reader has now received all changes up to this number. */
  write(event: LiveEvent, number?: number): void;
  /**
   * Returns undefined if the reader keeps up. For a slow reader, returns a promise. It resolves when the reader has
   * received everything or has disconnected, or when it has room for some more data.
   */
  blocked(): Promise<void> | undefined;
  /**
   * Ends the stream. Resolves when the operating system has accepted all data, or when the reader has disconnected.
   * Idempotent.
   */
  end(): Promise<void>;
}

/** Returns whether the operating system accepts the written data now or in the next turn of the event loop. */
export async function keepsUp(writer: Pick<LiveEventWriter, 'blocked'>): Promise<boolean> {
  // Node reports a large write as blocked until the next turn of the event loop, even if the socket has accepted all of
  // it.
  if (writer.blocked() !== undefined) await nextTurn();
  return writer.blocked() === undefined;
}
