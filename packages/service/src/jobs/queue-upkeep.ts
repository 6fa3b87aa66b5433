import type { Failure } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { describeNeeds, type Requirements } from '@telecine/contract/domain/lane.ts';
import { type EndJobDeps, endQueued } from './end-job.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { JobStore } from './ports/job-store.ts';
import type { ScratchSpace } from './ports/media-store.ts';
import type { Transactions } from './ports/transactions.ts';

/**
 * Ends the leases of the previous process, and removes scratch folders and staged files that belong to no job. Call
 * this at the start, before the first claim. Resolves to the number of jobs that had a lease: 0 if the previous process
 * stopped regularly.
 */
export async function recoverJobs(deps: {
  readonly jobs: Pick<JobStore, 'liveScratch'>;
  readonly queue: Pick<JobQueue, 'releaseAll'>;
  readonly media: Pick<ScratchSpace, 'sweep'>;
}): Promise<number> {
  const workersGone = deps.queue.releaseAll !== undefined;
  const released = (await deps.queue.releaseAll?.()) ?? 0;
  await deps.media.sweep(() => deps.jobs.liveScratch(workersGone));
  return released;
}

const TICKET_BATCH = 500;

/**
 * Adds a ticket to each unfinished job that should have one but has none: without it, the job would wait for ever. Does
 * nothing with an engine that never loses tickets.
 */
export async function restoreTickets(deps: {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'ticketsOf'>;
  readonly queue: Pick<JobQueue, 'restore'>;
}): Promise<void> {
  const { transactions, jobs, queue } = deps;
  if (queue.restore === undefined) return;
  let last = '';
  for (let size = TICKET_BATCH; size === TICKET_BATCH; ) {
    const tickets = await jobs.ticketsOf(last, TICKET_BATCH);
    size = tickets.length;
    last = tickets.at(-1)?.jobId ?? last;
    if (size > 0) await transactions.run(async (tx) => queue.restore?.(tx, tickets));
  }
}

interface UnmetNeedsDeps extends EndJobDeps {
  readonly jobs: EndJobDeps['jobs'] & Pick<JobStore, 'pendingNeeds' | 'pendingWith'>;
  /**
   * Returns whether a worker meets these needs. Also returns true while no worker is live: then jobs wait instead of
   * failing.
   */
  readonly isMet: (needs: Requirements['needs']) => Promise<boolean>;
  /** How long a job waits, in seconds, before it fails because no worker meets its needs. */
  readonly limitSeconds: number;
  /** A clock that never goes back, even if the time of the machine is changed. */
  readonly uptimeSeconds: () => number;
}

/** The number of jobs that are read and ended together. */
const BATCH = 100;

/**
 * Returns a function that fails queued jobs if no worker has met their needs for `limitSeconds`. Call it at intervals.
 * The time counts from the first call that finds the needs unmet, so it starts again after a restart of the service.
 */
export function unmetNeeds(deps: UnmetNeedsDeps): () => Promise<void> {
  const { jobs, isMet, limitSeconds, uptimeSeconds, now } = deps;
  /**
   * For each combination of needs, when it was first found unmet, in seconds of `uptimeSeconds`. The key is the JSON of
   * the needs.
   */
  let unmetSince = new Map<string, number>();

  const failAll = async (needs: Requirements['needs']): Promise<void> => {
    const before = new Date(now().getTime() - limitSeconds * 1000).toISOString();
    const error = noWorker(needs, limitSeconds);
    for (;;) {
      const waiting = await jobs.pendingWith(needs, before, BATCH);
      // Changes nothing of the jobs that have ended or were claimed since `pendingWith`.
      await endQueued(deps, waiting, error);
      if (waiting.length < BATCH) return;
    }
  };

  return async () => {
    const stillUnmet = new Map<string, number>();
    for (const needs of await jobs.pendingNeeds()) {
      if (await isMet(needs)) continue;
      const key = JSON.stringify(needs);
      const since = unmetSince.get(key) ?? uptimeSeconds();
      stillUnmet.set(key, since);
      if (uptimeSeconds() - since >= limitSeconds) await failAll(needs);
    }
    unmetSince = stillUnmet;
  };
}

const noWorker = (needs: Requirements['needs'], seconds: number): Failure => ({
  code: 'NO_WORKER',
  message: `The job needs a worker with ${describeNeeds(needs)}, and no such worker ran for ${seconds} s.`,
  fix: hint`Ask the operator to start such a worker, then ${RETRY_JOB}. Or send a request that other workers can run.`,
});
