import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { isFinished } from '../domain/states.ts';
import { authorizeJob } from './authorize-job.ts';
import type { JobChangeSource } from './job-changes.ts';
import type { JobWaitOptions } from './operations.ts';
import type { JobStore } from './ports/job-store.ts';

/** The most concurrent waits of one client. Each wait occupies a connection. */
export const MAX_WAITS_PER_CLIENT = 32;

export interface JobWaitDeps {
  readonly jobs: Pick<JobStore, 'get'>;
  readonly changes: JobChangeSource;
  /** Aborted when the service stops. This ends all waits. */
  readonly stopping: AbortSignal;
  /** How often a wait reads its job again. Absent if `changes` has the changes of all processes. */
  readonly pollWaitsMs?: number;
}

/** Waits for jobs to end or to change; see `JobOperations.wait`. */
export function jobWaits(deps: JobWaitDeps) {
  const waits = new Map<string, number>();

  return async (caller: Caller, jobId: string, options: JobWaitOptions): Promise<Job | undefined> => {
    const { clientId } = caller;
    const count = waits.get(clientId) ?? 0;
    if (count >= MAX_WAITS_PER_CLIENT) return undefined;
    waits.set(clientId, count + 1);
    try {
      return await waitForJob(deps, caller, jobId, options);
    } finally {
      const others = (waits.get(clientId) ?? 1) - 1;
      if (others > 0) waits.set(clientId, others);
      else waits.delete(clientId);
    }
  };
}

async function waitForJob(
  { jobs, changes, stopping, pollWaitsMs }: JobWaitDeps,
  caller: Caller,
  jobId: string,
  { seconds, signal, until, onChange }: JobWaitOptions,
): Promise<Job> {
  const over = AbortSignal.any([signal, stopping, AbortSignal.timeout(seconds * 1000)]);
  const wakeUp = new AbortController();
  const isOver = once(over, 'abort', { signal: wakeUp.signal }).catch(() => undefined);
  let changed = Promise.withResolvers<void>();
  // Subscribe before reading the job, so that no change in between is missed.
  const unsubscribe = changes.subscribe({ jobId }, ({ kind }) => {
    if (kind === 'ended' || until === 'change' || onChange !== undefined) changed.resolve();
  });
  const poll = pollWaitsMs === undefined ? undefined : setInterval(() => changed.resolve(), pollWaitsMs);
  let previous: Job | undefined;
  try {
    for (;;) {
      const job = await authorizeJob(jobs, caller, jobId);
      const hasChanged = !isDeepStrictEqual(job, previous);
      if (hasChanged) await onChange?.(job);
      if (isFinished(job.status) || over.aborted) return job;
      if (until === 'change' && previous !== undefined && hasChanged) return job;
      previous = job;
      await Promise.race([changed.promise, isOver]);
      changed = Promise.withResolvers<void>();
    }
  } finally {
    clearInterval(poll);
    unsubscribe();
    wakeUp.abort();
  }
}
