import { queuePositionOf } from '../../domain/priority.ts';
import { RANKS_APART } from '../../domain/states.ts';
import type { JobChangeSink, JobChangeSource } from '../job-changes.ts';
import type { DependencyStore, ReleasedJob } from '../ports/dependencies.ts';
import type { JobEndWrite } from '../ports/job-end.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { Tx } from '../ports/transactions.ts';

export interface ReleaseDeps {
  readonly dependencies: Pick<DependencyStore, 'removeParent' | 'release' | 'removeJob'>;
  readonly jobs: Pick<JobStore, 'nextFairnessRank'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
}

/**
 * Queues the jobs that wait for nothing but a parent that is complete now. Each gets a rank as if it were submitted now:
 * with its old one, jobs that waited for long would all be before those of other clients.
 */
export async function releaseDependents(
  { dependencies, jobs, queue }: ReleaseDeps,
  tx: Tx,
  parentId: string,
  at: string,
): Promise<readonly ReleasedJob[]> {
  const released = await dependencies.removeParent(tx, parentId);
  for (const [clientId, ofClient] of Map.groupBy(released, (job) => job.clientId)) {
    let fairnessRank = await jobs.nextFairnessRank(tx, clientId);
    const queued = ofClient.map((job) => {
      const rank = fairnessRank;
      fairnessRank += RANKS_APART;
      return { ...job, rank };
    });
    await queue.enqueue(
      tx,
      queued.map(({ rank, priority, ...job }) => ({ ...job, queuePosition: queuePositionOf(rank, priority) })),
    );
    for (const { jobId, rank } of queued) await dependencies.release(tx, jobId, rank, at);
  }
  return released;
}

/**
 * Returns what ends of jobs write: a complete job releases those that waited only for it, and any ended job waits for
 * nothing. Jobs that waited for one that failed end after its commit; see `failDependents`.
 */
export function dependencyEndWrite(deps: ReleaseDeps, changes: JobChangeSource & JobChangeSink): JobEndWrite {
  /** By the job that ends. The transaction may still be rolled back, so the end is what announces them. */
  const released = new Map<string, readonly ReleasedJob[]>();
  changes.subscribe('all', (change) => {
    if (change.kind !== 'ended') return;
    const jobs = released.get(change.jobId) ?? [];
    released.delete(change.jobId);
    for (const { jobId, clientId } of jobs) changes.publish({ kind: 'released', jobId, clientId });
  });
  return async (tx, { jobId, status, at }) => {
    if (status !== 'COMPLETED') return deps.dependencies.removeJob(tx, jobId);
    const jobs = await releaseDependents(deps, tx, jobId, at);
    if (jobs.length > 0) released.set(jobId, jobs);
  };
}
