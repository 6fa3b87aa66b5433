import { batchState } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { authorizeBatch } from '../batches.ts';
import type { BatchJobState, BatchStore, ChangeLog } from '../ports/job-records.ts';
import type { JobStore } from '../ports/job-store.ts';
import { type EventHub, MISSED_JOBS_AT_ONCE, type PipedStream, pipeEvents } from './event-hub.ts';
import type { JobEventOptions } from './live-event.ts';
import { jobIdOf, keepsUp, type LiveEvent } from './live-event.ts';

export interface FollowBatchDeps {
  readonly hub: EventHub;
  readonly batches: Pick<BatchStore, 'get' | 'membersOf' | 'statesOf'>;
  readonly jobs: Pick<JobStore, 'getMany'>;
  readonly changeLog: Pick<ChangeLog, 'last' | 'ofAll' | 'isKnownSince'>;
  readonly inStep: PipedStream['inStep'];
  /** Sets `queuePaused` on queued jobs. See `markPaused`. */
  readonly mark: (jobs: readonly Job[]) => Promise<readonly Job[]>;
}

/**
 * Writes the events of the jobs of a batch until all jobs have ended. After changes and progress, a `batch` event shows
 * the state of the whole batch. Only `batch` events have numbers: a reader that has the last number therefore has the
 * final state. In this case, returns without calling `start`. Throws BATCH_NOT_FOUND.
 */
export async function followBatch(
  { hub, batches, jobs, changeLog, mark, inStep }: FollowBatchDeps,
  caller: Caller,
  batchId: string,
  { lastEventId, start, signal }: Omit<JobEventOptions, 'jobId' | 'batchId'>,
): Promise<void> {
  const batch = await authorizeBatch(batches, caller, batchId);
  const members = (await batches.membersOf(batchId)).map(({ jobId }) => jobId);
  // Read the states before the changes, so that `changes` contains any change between the two reads.
  const states = lastEventId === undefined ? [] : await batches.statesOf(batchId);
  const changes = await changeLog.ofAll(members);
  const last = changes.at(-1)?.number ?? 0;
  const isContinued =
    lastEventId !== undefined && (lastEventId === last || (await changeLog.isKnownSince(lastEventId)));
  if (isContinued && last <= lastEventId && hasEnded(states)) return;
  const writer = start();
  if (lastEventId !== undefined && !isContinued) writer.write({ kind: 'reset' });

  /** For each job that exists, its state as the reader knows it. */
  const present = new Map<string, Omit<BatchJobState, 'jobId'>>();
  /** For each job, the number of the last change that the reader knows. */
  const known = new Map<string, number>();
  /** The number of the next `batch` event. undefined: the event has no number. */
  let stateNumber: number | undefined;
  let isStateDue = false;

  const show = (event: LiveEvent): void => {
    if ('job' in event) present.set(event.job.jobId, shortOf(event.job));
    else if (event.kind === 'deleted') present.delete(event.jobId);
    writer.write(event);
  };
  const showState = (number: number | undefined): void =>
    writer.write({ kind: 'batch', batch: batchState(batch, [...present.values()]) }, number);
  /** Writes one `batch` event for all changes that arrive in the same turn of the event loop. */
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

  if (isContinued) {
    for (const { jobId, ...state } of states) present.set(jobId, state);
    for (const jobId of members) known.set(jobId, lastEventId);
  } else {
    // The jobs are read after `changes`, so the events of the jobs already include these changes.
    for (const { jobId, number } of changes) known.set(jobId, number);
    // Read one job at a time, so that a reader that stops reading costs the memory of only one job. Meanwhile, the hub
    // serves other followers.
    for (const jobId of members) {
      if (signal.aborted) return;
      for (const job of await inStep(async () => mark(await jobs.getMany([jobId])))) show({ kind: 'snapshot', job });
      await writer.blocked();
    }
  }

  await pipeEvents(hub, {
    filters: members.map((jobId) => ({ jobId })),
    writer,
    signal,
    inStep,
    catchUp: async () => {
      const number = await changeLog.last();
      const missed = (await changeLog.ofAll(members)).filter(
        (change) => change.number > (known.get(change.jobId) ?? 0),
      );
      const page = missed.slice(0, MISSED_JOBS_AT_ONCE);
      const events = await hub.load(page);
      for (const change of page) {
        const event = events.get(change);
        if (event !== undefined) show(event);
        known.set(change.jobId, change.number);
        if (!(await keepsUp(writer))) return undefined;
      }
      if (missed.length > page.length) return undefined;
      const isOver = hasEnded([...present.values()]);
      showState(isOver ? Math.max(number, ...known.values()) : number);
      return isOver ? 'ended' : number;
    },
    change: (event, number, isLast, end) => {
      const jobId = jobIdOf(event) ?? '';
      // Skip a change that the reader already knows: `catchUp` may have shown it if an earlier transaction was still
      // open.
      if (number > (known.get(jobId) ?? 0)) show(event);
      known.set(jobId, number);
      if (isLast) stateNumber = number;
      showStateSoon(end);
    },
    progress: (event, end) => {
      show(event);
      showStateSoon(end);
    },
  });
}

/** Keeps only the part of a job that the state of its batch needs, because a whole job can be large. */
const shortOf = ({ status, progress }: Job): Omit<BatchJobState, 'jobId'> => ({
  status,
  ...(progress && { progress }),
});

const hasEnded = (jobs: readonly Pick<Job, 'status'>[]): boolean => jobs.every(({ status }) => isFinished(status));
