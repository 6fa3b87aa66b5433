import type { BatchState } from '@telecine/contract/domain/batch.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';

export interface JobEventOptions {
  /** Follows only this job. By default all jobs that the caller can see. */
  readonly jobId?: string;
  readonly batchId?: string;
  /** The number of the last event that the caller has. The stream continues after it. */
  readonly lastEventId?: number;
  readonly signal: AbortSignal;
  /** Called once when the caller may follow and there is something to write. `follow` ends the returned writer. */
  readonly start: () => LiveEventWriter;
}

/** One event of a stream. Events with a job show its current state, which may be newer than the change. */
export type LiveEvent =
  /** The state of a job when the stream began. */
  | { readonly kind: 'snapshot'; readonly job: Job }
  | { readonly kind: ChangeKind; readonly job: Job }
  /** Another phase or more progress of a running job. These have no number and are not repeated. */
  | { readonly kind: 'phase' | 'progress'; readonly job: Job }
  | { readonly kind: 'deleted'; readonly jobId: string }
  /** The state of the batch that the stream follows, after the events before it. */
  | { readonly kind: 'batch'; readonly batch: BatchState }
  /** The stream cannot continue where the caller was, and begins with a new snapshot. */
  | { readonly kind: 'reset' }
  /** The caller has the current state of all jobs. */
  | { readonly kind: 'ready' };

export const jobIdOf = (event: LiveEvent): string | undefined =>
  'job' in event ? event.job.jobId : 'jobId' in event ? event.jobId : undefined;

/** The kind of a job's last numbered change, as far as its state shows it. */
type ChangeKind = 'created' | 'status' | 'ended' | 'expired';

export function changeKindOf({ status, startedAt, cancelRequestedAt, releasedAt, outputsExpired }: Job): ChangeKind {
  if (isFinished(status)) return outputsExpired === true ? 'expired' : 'ended';
  const isNew = startedAt === undefined && cancelRequestedAt === undefined && releasedAt === undefined;
  return isNew ? 'created' : 'status';
}

export interface LiveEventWriter {
  /** `number`: all changes with this number and lower ones have been written. */
  write(event: LiveEvent, number?: number): void;
  /** undefined: write more. Otherwise resolves when the reader has caught up, has disconnected, or may get a little more. */
  blocked(): Promise<void> | undefined;
  /** Ends the stream. Resolves when the system has taken everything, or the reader has disconnected. Idempotent. */
  end(): Promise<void>;
}

/** Whether the system takes what was written, now or in the next turn of the event loop. */
export async function keepsUp(writer: Pick<LiveEventWriter, 'blocked'>): Promise<boolean> {
  // Node reports a large write as blocked until the next turn of the event loop, even if the socket has taken it.
  if (writer.blocked() !== undefined) await nextTurn();
  return writer.blocked() === undefined;
}
