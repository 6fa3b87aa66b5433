import type { Failure } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { describeNeeds, type Requirements } from '@telecine/contract/domain/lane.ts';
import { type EndJobDeps, endJob } from './end-job.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { JobStore } from './ports/job-store.ts';
import type { ScratchSpace } from './ports/media-store.ts';
import type { Transactions } from './ports/transactions.ts';

/**
 * Runs at the start, before the first claim. Ends the leases of the previous process and removes scratch folders and
 * staged files without a job. Resolves to the number of jobs with a lease; 0 after a regular stop.
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

/** The tickets per transaction. */
const TICKET_BATCH = 500;

/** Adds the missing tickets of unfinished jobs, so that none waits for ever. Does nothing for an engine that loses no tickets. */
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
  /** Whether a worker has this. True also while no worker is live: then all jobs wait, and none fails. */
  readonly isMet: (needs: Requirements['needs']) => Promise<boolean>;
  /** How long a job may wait while no worker meets its needs. */
  readonly limitSeconds: number;
  /** A monotonic clock. */
  readonly uptimeSeconds: () => number;
}

/** The jobs that are ended at a time. */
const BATCH = 100;

/**
 * Returns a function that fails the queued jobs whose needs no worker has met for `limitSeconds`. Call it at intervals.
 * The time counts from the first call that found the needs unmet, so a restart extends it.
 */
export function unmetNeeds(deps: UnmetNeedsDeps): () => Promise<void> {
  const { jobs, isMet, limitSeconds, uptimeSeconds, now } = deps;
  /** When each combination of needs was first found unmet, by its JSON. */
  let unmetSince = new Map<string, number>();

  const failAll = async (needs: Requirements['needs']): Promise<void> => {
    const before = new Date(now().getTime() - limitSeconds * 1000).toISOString();
    const error = noWorker(needs, limitSeconds);
    for (;;) {
      const waiting = await jobs.pendingWith(needs, before, BATCH);
      // `endJob` may find that a job has ended or was claimed.
      for (const queued of waiting) await endJob(deps, { queued, error });
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
