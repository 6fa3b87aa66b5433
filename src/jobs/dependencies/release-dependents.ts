import { queuePositionOf } from '../../domain/priority.ts';
import { RANKS_APART } from '../../domain/states.ts';
import type { JobChangeSink, JobChangeSource } from '../job-changes.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { DependencyStore, ReleasedJob } from '../ports/job-records.ts';
import type { JobEndWrite, JobStore } from '../ports/job-store.ts';
import type { Tx } from '../ports/transactions.ts';

export interface ReleaseDeps {
  readonly dependencies: Pick<DependencyStore, 'removeParent' | 'release' | 'removeJob'>;
  readonly jobs: Pick<JobStore, 'nextFairnessRank'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
}

/** The most jobs that one transaction releases, because all other transactions may wait for it. */
const RELEASE_BATCH = 100;

/**
 * Queues the next jobs that wait for nothing but a parent that is complete now. Each gets a rank as if it were submitted now:
 * with its old one, jobs that waited for long would all be before those of other clients. `isMore`: whether others still wait
 * for the parent.
 */
export async function releaseDependents(
  { dependencies, jobs, queue }: ReleaseDeps,
  tx: Tx,
  parentId: string,
  at: string,
): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }> {
  const next = await dependencies.removeParent(tx, parentId, RELEASE_BATCH);
  const { released } = next;
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
  return next;
}

/**
 * Returns what ends of jobs write: a complete job releases the first of those that waited only for it, and any ended job waits
 * for nothing. `onMore`: called after the commit of a complete job that others still wait for; see `failDependents`.
 */
export function dependencyEndWrite(
  deps: ReleaseDeps,
  changes: JobChangeSource & JobChangeSink,
  onMore: (parentId: string) => void,
): JobEndWrite {
  /** By the job that ends. The transaction may still be rolled back, so the end is what announces them. */
  const ends = new Map<string, Awaited<ReturnType<typeof releaseDependents>>>();
  changes.subscribe('all', (change) => {
    if (change.kind !== 'ended') return;
    const { released = [], isMore = false } = ends.get(change.jobId) ?? {};
    ends.delete(change.jobId);
    for (const { jobId, clientId } of released) changes.publish({ kind: 'released', jobId, clientId });
    if (isMore) onMore(change.jobId);
  });
  return async (tx, { jobId, status, at }) => {
    if (status !== 'COMPLETED') return deps.dependencies.removeJob(tx, jobId);
    const end = await releaseDependents(deps, tx, jobId, at);
    if (end.released.length > 0 || end.isMore) ends.set(jobId, end);
  };
}
