import type { Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { tally } from '@telecine/contract/domain/tally.ts';
import { authorizeJob, canSeeAllJobs, markPaused, type ReadStep, readInSteps } from '../job-reads.ts';
import { afterNumber, type ChangeLog, type ChangePosition, type NumberedChange } from '../ports/job-records.ts';
import type { JobStore } from '../ports/job-store.ts';
import {
  CHANGES_AT_ONCE,
  EventHub,
  type EventHubDeps,
  lastOfNumbers,
  MISSED_JOBS_AT_ONCE,
  pipeEvents,
} from './event-hub.ts';
import { type FollowBatchDeps, followBatch } from './follow-batch.ts';
import type { JobEventOptions } from './live-event.ts';
import { changeKindOf, keepsUp, type LiveEventWriter } from './live-event.ts';

/** How many job sizes are read at once for a snapshot. */
const SIZES_AT_ONCE = 200;

const UNFINISHED = ['PENDING', 'PROCESSING'] as const;

interface FollowDeps extends Omit<EventHubDeps, 'changeLog'> {
  readonly jobs: Pick<JobStore, 'get' | 'getMany' | 'list' | 'sizes'>;
  readonly step: ReadStep;
  readonly batches: FollowBatchDeps['batches'];
  readonly changeLog: Pick<ChangeLog, 'after' | 'last' | 'isKnownSince' | 'of' | 'ofAll'>;
  /** Aborted when the service stops, which ends all streams. */
  readonly stopping: AbortSignal;
}

/** What one stream uses. */
interface Following extends FollowDeps, Pick<FollowBatchDeps, 'hub' | 'inStep' | 'mark'> {}

/**
 * Returns a function that follows all jobs, one job or a batch. The function writes the current states and then the
 * changes. It resolves when the jobs have ended, the signal is aborted or the service stops. It does not call `start`
 * if the caller already knows that the jobs have ended. Throws TOO_MANY_STREAMS, BATCH_NOT_FOUND.
 */
export function jobFollowing(deps: FollowDeps) {
  const { queuePausedAt, step, stopping } = deps;
  const hub = new EventHub(deps);
  const streams = tally();
  const mark = async (found: readonly Job[]): Promise<readonly Job[]> => markPaused(queuePausedAt, found);

  return async (caller: Caller, options: JobEventOptions): Promise<void> => {
    const { clientId } = caller;
    const limit = caller.policy['event-streams'];
    if (limit !== undefined && streams.of(clientId) >= limit) {
      const message = `${limit} event streams of this client are open. Close one. ${operatorHint(clientId, 'event-streams')}`;
      throw new Problem('TOO_MANY_STREAMS', message, { retryAfterSeconds: 5 });
    }
    streams.add(clientId);
    const opened: { writer?: LiveEventWriter } = {};
    const start = (): LiveEventWriter => {
      opened.writer = options.start();
      return opened.writer;
    };
    try {
      const { jobId, batchId } = options;
      const signal = AbortSignal.any([options.signal, stopping]);
      const piped = { ...options, start, signal };
      const following: Following = { ...deps, hub, mark, inStep: (work) => step(clientId, signal, work) };
      if (jobId !== undefined) await followOne(following, caller, jobId, piped);
      else if (batchId !== undefined) await followBatch(following, caller, batchId, piped);
      else await followAll(following, caller, piped);
    } catch (error) {
      // If a step was aborted, it threw the reason of the signal, which is not an error.
      if (opened.writer === undefined || !(options.signal.aborted || stopping.aborted)) throw error;
    } finally {
      // Count the stream until the reader has received everything, because events that were not read yet use memory.
      await opened.writer?.end();
      streams.remove(clientId);
    }
  };
}

/**
 * Writes the jobs that have not ended. Resolves to the change number up to which the written jobs include all
 * changes.
 */
async function writeSnapshot(
  { changeLog, inStep, jobs, mark, step }: Following,
  writer: LiveEventWriter,
  caller: Caller,
  clientId: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const number = await changeLog.last();
  // Read PENDING before PROCESSING, so that a job that starts between the two reads is not missed. A job that goes
  // back to PENDING meanwhile gets a higher change number, so this change follows later.
  for (const status of UNFINISHED) {
    let before: string | undefined;
    for (let isFull = true; isFull; ) {
      const query = { status, limit: SIZES_AT_ONCE, ...(clientId && { clientId }), ...(before && { before }) };
      const sizes = await inStep(() => jobs.sizes(query));
      for await (const read of readInSteps({ jobs, step }, caller.clientId, sizes, signal))
        for (const job of await mark(read)) {
          if (job.status === status) writer.write({ kind: 'snapshot', job });
          await writer.blocked();
        }
      before = sizes.at(-1)?.jobId;
      isFull = sizes.length === SIZES_AT_ONCE;
    }
  }
  return number;
}

async function followAll(
  following: Following,
  caller: Caller,
  { lastEventId, start, signal }: JobEventOptions,
): Promise<void> {
  const { changeLog, hub, inStep, watchChanges } = following;
  const clientId = canSeeAllJobs(caller) ? undefined : caller.clientId;
  const isContinued = lastEventId !== undefined && (await changeLog.isKnownSince(lastEventId));
  const writer = start();
  if (lastEventId !== undefined && !isContinued) writer.write({ kind: 'reset' });
  let position: ChangePosition = afterNumber(
    isContinued ? lastEventId : await writeSnapshot(following, writer, caller, clientId, signal),
  );
  let isReady = false;
  let hasMissedWatch = false;
  const unsubscribe = watchChanges?.subscribe((change) => {
    if (clientId === undefined || change.clientId === clientId) hasMissedWatch = true;
  });
  const isOwn = (change: NumberedChange): boolean => clientId === undefined || change.clientId === clientId;
  const catchUp = async (): Promise<number | undefined> => {
    const { changes } = await changeLog.after(position, CHANGES_AT_ONCE);
    const own = changes.filter(isOwn);
    const page = own.slice(0, MISSED_JOBS_AT_ONCE);
    const rest = own.slice(MISSED_JOBS_AT_ONCE);
    const events = await hub.load(page);
    const last = lastOfNumbers(changes, [...events.keys(), ...rest]);
    for (const [change, event] of events) {
      writer.write(event, last.has(change) ? change.number : undefined);
      if ('job' in event && event.job.watchId !== undefined) hasMissedWatch = true;
      position = change;
      if (!(await keepsUp(writer))) return undefined;
    }
    position = (rest.length > 0 ? page : changes).at(-1) ?? position;
    if (rest.length > 0 || changes.length === CHANGES_AT_ONCE) return undefined;
    if (!isReady) writer.write({ kind: 'ready' }, position.number);
    // The stream had left the hub, which keeps no changes of watches for it.
    else if (hasMissedWatch) writer.write({ kind: 'watch' });
    hasMissedWatch = false;
    isReady = true;
    return position.number;
  };
  await pipeEvents(hub, {
    filters: [clientId === undefined ? 'all' : { clientId }],
    writer,
    signal,
    inStep,
    catchUp,
    change: (event, number, isLast) => {
      writer.write(event, isLast ? number : undefined);
      if (isLast) position = afterNumber(number);
    },
    progress: (event) => {
      if (event.kind === 'watch') hasMissedWatch = false;
      writer.write(event);
    },
  }).finally(unsubscribe);
}

/** Follows one job until it ends or is deleted. Does not call `start` if the caller already knows its end. */
async function followOne(
  { changeLog, hub, inStep, jobs, mark }: Following,
  caller: Caller,
  jobId: string,
  { lastEventId, start, signal }: JobEventOptions,
): Promise<void> {
  const last = await changeLog.of(jobId);
  const number = last?.number ?? 0;
  // If the database was restored from a backup, the caller may send the id of an event that the restore has undone.
  // This id can be higher than `number`, although the caller does not know the current state.
  const knowsLast =
    lastEventId !== undefined &&
    number <= lastEventId &&
    (number === lastEventId || (await changeLog.isKnownSince(lastEventId)));
  if (lastEventId !== undefined && last?.isDeleted === true && maySee(caller, last)) {
    if (!knowsLast) start().write({ kind: 'deleted', jobId }, last.number);
    return;
  }
  const { status } = await authorizeJob(jobs, caller, jobId);
  if (knowsLast && isFinished(status)) return;
  const writer = start();
  let isFirst = true;
  const catchUp = async (): Promise<number | 'ended'> => {
    const number = await changeLog.last();
    const found = await jobs.get(jobId);
    if (found === undefined) {
      writer.write({ kind: 'deleted', jobId }, (await changeLog.of(jobId))?.number);
      return 'ended';
    }
    const [job = found] = await mark([found]);
    writer.write(isFirst ? { kind: 'snapshot', job } : { kind: changeKindOf(job), job }, number);
    isFirst = false;
    return isFinished(job.status) ? 'ended' : number;
  };
  await pipeEvents(hub, {
    filters: [{ jobId }],
    writer,
    signal,
    inStep,
    catchUp,
    change: (event, number, isLast, end) => {
      writer.write(event, isLast ? number : undefined);
      if (event.kind === 'ended' || event.kind === 'expired' || event.kind === 'deleted') end();
    },
    progress: (event) => writer.write(event),
  });
}

const maySee = (caller: Caller, { clientId }: NumberedChange): boolean =>
  clientId === caller.clientId || canSeeAllJobs(caller);
