import { batchState } from '../../domain/batch.ts';
import type { Caller } from '../../domain/client.ts';
import type { Job } from '../../domain/job.ts';
import { isFinished } from '../../domain/states.ts';
import { authorizeBatch } from '../batches.ts';
import type { JobEventOptions } from '../operations.ts';
import type { BatchStore } from '../ports/batch-store.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import type { EventHub } from './event-hub.ts';
import type { LiveEvent } from './live-event.ts';
import { pipeEvents } from './pipe-events.ts';

export interface FollowBatchDeps {
  readonly hub: EventHub;
  readonly batches: Pick<BatchStore, 'get' | 'membersOf' | 'jobsOf'>;
  readonly changeLog: Pick<ChangeLog, 'last' | 'ofAll' | 'isKnownSince'>;
  /** Marks queued jobs if the queue is paused. */
  readonly mark: (jobs: readonly Job[]) => Promise<readonly Job[]>;
}

/**
 * Follows the jobs of a batch until all have ended. After changes, and after progress, an event of the kind `batch` has the
 * state of the whole. Only these have numbers, so that a reader that has the number of the end has the state then. Starts
 * nothing if the caller knows the end already. Throws BATCH_NOT_FOUND.
 */
export async function followBatch(
  { hub, batches, changeLog, mark }: FollowBatchDeps,
  caller: Caller,
  batchId: string,
  { lastEventId, start }: Pick<JobEventOptions, 'lastEventId' | 'start'>,
  over: AbortSignal,
): Promise<void> {
  const { jobs: found, ...batch } = await authorizeBatch(batches, caller, batchId);
  const members = (await batches.membersOf(batchId)).map(({ jobId }) => jobId);
  const lastNumber = async (): Promise<number> => (await changeLog.ofAll(members)).at(-1)?.number ?? 0;
  const last = lastEventId === undefined ? 0 : await lastNumber();
  const isContinued =
    lastEventId !== undefined && (lastEventId === last || (await changeLog.isKnownSince(lastEventId)));
  if (isContinued && last <= lastEventId && hasEnded(found)) return;
  const writer = start();
  if (lastEventId !== undefined && !isContinued) writer.write({ kind: 'reset' });
  let position = isContinued ? lastEventId : undefined;
  /** The jobs that are not deleted, as the reader knows them. */
  const present = new Map<string, Pick<Job, 'status' | 'progress'>>();
  /** The number of the next event with the state of the whole. */
  let stateNumber: number | undefined;
  let isStateDue = false;

  const show = (event: LiveEvent): void => {
    if ('job' in event) present.set(event.job.jobId, event.job);
    else if (event.kind === 'deleted') present.delete(event.jobId);
    writer.write(event);
  };
  const showState = (number: number | undefined): void =>
    writer.write({ kind: 'batch', batch: batchState(batch, [...present.values()]) }, number);
  /** Writes the state once for all events that come together. */
  const showStateSoon = (end: () => void): void => {
    if (isStateDue) return;
    isStateDue = true;
    queueMicrotask(() => {
      isStateDue = false;
      showState(stateNumber);
      stateNumber = undefined;
      if (hasEnded([...present.values()])) end();
    });
  };

  await pipeEvents(hub, {
    filters: members.map((jobId) => ({ jobId })),
    writer,
    over,
    catchUp: async () => {
      const number = await changeLog.last();
      // The jobs first: what changes before the changes are read is among these, and shown.
      const jobs = await mark(await batches.jobsOf(batchId));
      const changes = await changeLog.ofAll(members);
      present.clear();
      for (const job of jobs) present.set(job.jobId, job);
      const since = position;
      if (since === undefined) for (const job of jobs) show({ kind: 'snapshot', job });
      else {
        const missed = changes.filter((change) => change.number > since);
        for (const event of (await hub.load(missed)).values()) show(event);
      }
      position = number;
      const isOver = hasEnded([...present.values()]);
      showState(isOver ? Math.max(number, changes.at(-1)?.number ?? 0) : number);
      return isOver ? 'ended' : number;
    },
    change: (event, number, isLast, end) => {
      show(event);
      if (isLast) {
        stateNumber = number;
        position = number;
      }
      showStateSoon(end);
    },
    progress: (event, end) => {
      show(event);
      showStateSoon(end);
    },
  });
}

const hasEnded = (jobs: readonly Pick<Job, 'status'>[]): boolean => jobs.every(({ status }) => isFinished(status));
