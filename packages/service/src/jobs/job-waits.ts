import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Metadata } from '@telecine/contract/domain/conversion.ts';
import { REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { tally } from '@telecine/contract/domain/tally.ts';
import { authorizeBatch } from './batches.ts';
import type { JobChangeSource } from './job-changes.ts';
import { authorizeJob, canSeeAllJobs, isVisible, jobNotFound, type ReadStep } from './job-reads.ts';
import type { BatchStore } from './ports/job-records.ts';
import type { JobStore } from './ports/job-store.ts';

export interface JobWaitOptions {
  readonly seconds: number;
  /** Aborted when the caller disconnects, which ends the wait. */
  readonly signal: AbortSignal;
  /** When the wait ends. `change`: at the first change of the job. `end`: only when the job ends. */
  readonly until: 'change' | 'end';
  /** Receives the job at the start and after each change. */
  readonly onChange?: ((job: Job) => Promise<void>) | undefined;
}

/** Selects the jobs that `waitForAll` waits for: by their ids, by their batch, or by their metadata. */
export type JobSelection =
  | { readonly jobIds: readonly string[] }
  | { readonly batchId: string }
  | { readonly metadata: Metadata };

export interface WaitForAllOptions<Kept> extends Pick<JobWaitOptions, 'seconds' | 'signal'> {
  /** Returns the part of a job that the result of the wait contains. */
  readonly keep: (job: Job) => Kept;
  /** Receives how many of all jobs have ended. Called at the start and each time after jobs have ended. */
  readonly onEnd?: ((ended: number, all: number) => Promise<void>) | undefined;
}

/** The result of a wait for several jobs. Does not contain jobs that were deleted during the wait. */
export interface WaitedJobs<Kept> {
  readonly jobs: readonly Kept[];
  /** How many of the jobs have not ended. */
  readonly running: number;
  /** true: there may be older jobs with the same metadata, for which the call did not wait. */
  readonly hasMore: boolean;
}

/** The maximum number of concurrent waits of one client. Each wait occupies a connection. */
export const MAX_WAITS_PER_CLIENT = 32;

/** The maximum number of jobs in one wait. It is the size of the largest batch. */
export const MAX_JOBS_PER_WAIT = REQUEST_LIMITS.batch;

/** The number of jobs that a wait reads in one step. It is small, because the sizes of the jobs are not known. */
const STEP_JOBS = 10;

export interface JobWaitDeps {
  readonly jobs: Pick<JobStore, 'get' | 'getMany' | 'search'>;
  readonly batches: Pick<BatchStore, 'get' | 'statesOf'>;
  readonly step: ReadStep;
  readonly changes: JobChangeSource;
  readonly stopping: AbortSignal;
  /**
   * How often a wait reads its jobs again, in ms, because another process may have changed them. Absent if `changes`
   * delivers the changes of all processes.
   */
  readonly pollWaitsMs?: number;
}

/**
 * Creates the methods that wait for jobs. A wait ends when its jobs change or end, or when its time is over. A method
 * returns undefined at once if the client already has too many waits.
 */
export function jobWaits(deps: JobWaitDeps) {
  const waits = tally();

  const limited = async <T>({ clientId }: Caller, wait: () => Promise<T>): Promise<T | undefined> => {
    if (waits.of(clientId) >= MAX_WAITS_PER_CLIENT) return undefined;
    waits.add(clientId);
    try {
      return await wait();
    } finally {
      waits.remove(clientId);
    }
  };
  return {
    wait: (caller: Caller, jobId: string, options: JobWaitOptions): Promise<Job | undefined> =>
      limited(caller, () => waitForJob(deps, caller, jobId, options)),
    /** Waits until several jobs have ended, at most `MAX_JOBS_PER_WAIT`. Throws JOB_NOT_FOUND, BATCH_NOT_FOUND. */
    waitForAll: <Kept>(
      caller: Caller,
      selection: JobSelection,
      options: WaitForAllOptions<Kept>,
    ): Promise<WaitedJobs<Kept> | undefined> => limited(caller, () => waitForAll(deps, caller, selection, options)),
  };
}

async function waitForJob(deps: JobWaitDeps, caller: Caller, jobId: string, options: JobWaitOptions): Promise<Job> {
  const { until, onChange } = options;
  const seen: Job[] = [];
  const look = async (): Promise<readonly string[]> => {
    const job = await authorizeJob(deps.jobs, caller, jobId);
    const previous = seen.pop();
    seen.push(job);
    const hasChanged = !isDeepStrictEqual(job, previous);
    if (hasChanged) await onChange?.(job);
    const isLast = isFinished(job.status) || (until === 'change' && previous !== undefined && hasChanged);
    return isLast ? [] : [jobId];
  };
  await watchJobs(deps, [jobId], { ...options, everyChange: until === 'change' || onChange !== undefined }, look);
  return seen[0] ?? authorizeJob(deps.jobs, caller, jobId);
}

/**
 * Waits until several jobs have ended. Keeps only the result of `keep` for each job in memory, because a job can take
 * megabytes.
 */
async function waitForAll<Kept>(
  deps: JobWaitDeps,
  caller: Caller,
  selection: JobSelection,
  options: WaitForAllOptions<Kept>,
): Promise<WaitedJobs<Kept>> {
  const { jobIds, hasMore } = await selectJobs(deps, caller, selection);
  const kept = new Map<string, Kept>();
  const running = new Set(jobIds);
  const look = async (due: readonly string[]): Promise<readonly string[]> => {
    for (let first = 0; first < due.length; first += STEP_JOBS) {
      const ids = due.slice(first, first + STEP_JOBS);
      const jobs = await deps.step(caller.clientId, NEVER, () => deps.jobs.getMany(ids));
      const found = new Map(jobs.map((job) => [job.jobId, job]));
      for (const id of ids) {
        const job = found.get(id);
        if (isVisible(caller, job)) kept.set(id, options.keep(job));
        else if ('jobIds' in selection && !kept.has(id)) throw jobNotFound(id);
        // The job was deleted during the wait.
        else kept.delete(id);
        if (job === undefined || isFinished(job.status)) running.delete(id);
      }
    }
    await options.onEnd?.(jobIds.length - running.size, jobIds.length);
    return [...running];
  };
  await watchJobs(deps, jobIds, { ...options, everyChange: false }, look);
  return { jobs: jobIds.flatMap((id) => kept.get(id) ?? []), running: running.size, hasMore };
}

/** Returns the ids of the selected jobs, including jobs that the caller may not see. Throws BATCH_NOT_FOUND. */
async function selectJobs(
  { jobs, batches, step }: JobWaitDeps,
  caller: Caller,
  selection: JobSelection,
): Promise<{ readonly jobIds: readonly string[]; readonly hasMore: boolean }> {
  const { clientId } = caller;
  if ('jobIds' in selection) return { jobIds: [...new Set(selection.jobIds)], hasMore: false };
  if ('batchId' in selection) {
    await authorizeBatch(batches, caller, selection.batchId);
    return { jobIds: (await batches.statesOf(selection.batchId)).map(({ jobId }) => jobId), hasMore: false };
  }
  const owner = canSeeAllJobs(caller) ? {} : { clientId };
  const query = { ...owner, metadata: selection.metadata, limit: MAX_JOBS_PER_WAIT + 1 };
  const found = await step(clientId, NEVER, () => jobs.search(query));
  return {
    jobIds: found.jobs.slice(0, MAX_JOBS_PER_WAIT).map(({ jobId }) => jobId),
    hasMore: found.jobs.length > MAX_JOBS_PER_WAIT || found.searchedTo !== undefined,
  };
}

/**
 * Calls `look` with all ids, and then again with the ids of jobs that have changed. `look` returns the ids for which
 * the wait goes on. The wait ends when `look` returns no id. When the time is over, calls `look` a last time with the
 * remaining ids. `everyChange`: calls `look` at every change of a job, not only at its end.
 */
async function watchJobs(
  { changes, stopping, pollWaitsMs }: JobWaitDeps,
  jobIds: readonly string[],
  { seconds, signal, everyChange }: Pick<JobWaitOptions, 'seconds' | 'signal'> & { readonly everyChange: boolean },
  look: (due: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const over = AbortSignal.any([signal, stopping, AbortSignal.timeout(seconds * 1000)]);
  const wakeUp = new AbortController();
  const isOver = once(over, 'abort', { signal: wakeUp.signal }).catch(() => undefined);
  let changed = Promise.withResolvers<void>();
  let left = jobIds;
  let due = new Set(jobIds);
  const wake = (ids: readonly string[]): void => {
    for (const id of ids) due.add(id);
    changed.resolve();
  };
  // Subscribe before reading the jobs. Otherwise, a change between the read and the subscription would be missed.
  const subscriptions = jobIds.map((jobId) =>
    changes.subscribe({ jobId }, ({ kind }) => {
      if (kind === 'ended' || everyChange) wake([jobId]);
    }),
  );
  const poll = pollWaitsMs === undefined ? undefined : setInterval(() => wake(left), pollWaitsMs);
  try {
    for (;;) {
      const isLast = over.aborted;
      const ids = isLast ? left : left.filter((id) => due.has(id));
      due = new Set();
      left = await look(ids);
      if (left.length === 0 || isLast) return;
      await Promise.race([changed.promise, isOver]);
      changed = Promise.withResolvers<void>();
    }
  } finally {
    clearInterval(poll);
    for (const unsubscribe of subscriptions) unsubscribe();
    wakeUp.abort();
  }
}
