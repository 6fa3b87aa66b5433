import type { Failure } from '@telecine/contract/domain/failure.ts';
import { RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { queuePositionOf } from '@telecine/contract/domain/queue-position.ts';
import { isFinished, type JobStatus, RANKS_APART } from '@telecine/contract/domain/states.ts';
import { type EndJobDeps, endJob } from './end-job.ts';
import type { JobChangeSink, JobChangeSource } from './job-changes.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { DependencyStore, ReleasedJob } from './ports/job-records.ts';
import type { JobEndWrite, JobStore } from './ports/job-store.ts';
import type { Tx } from './ports/transactions.ts';

interface ReleaseDeps {
  readonly dependencies: Pick<DependencyStore, 'removeParent' | 'release' | 'removeJob'>;
  readonly jobs: Pick<JobStore, 'nextFairnessRank'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
}

/** The most jobs that one transaction releases, because all other transactions may wait for it. */
const RELEASE_BATCH = 100;

/**
 * Queues the next jobs that wait only for a completed parent. They get new ranks: with their old ranks, they would all
 * come before the jobs of other clients. `isMore`: other jobs still wait for the parent.
 */
async function releaseDependents(
  { dependencies, jobs, queue }: ReleaseDeps,
  tx: Tx,
  parentId: string,
  at: string,
): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }> {
  const next = await dependencies.removeParent(tx, parentId, RELEASE_BATCH);
  const { released } = next;
  for (const [clientId, ofClient] of Map.groupBy(released, (job) => job.clientId)) {
    const first = await jobs.nextFairnessRank(tx, clientId);
    const queued = ofClient.map((job, index) => ({ ...job, rank: first + index * RANKS_APART }));
    await queue.enqueue(
      tx,
      queued.map(({ rank, priority, ...job }) => ({ ...job, queuePosition: queuePositionOf(rank, priority) })),
    );
    for (const { jobId, rank } of queued) await dependencies.release(tx, jobId, rank, at);
  }
  return next;
}

/**
 * Returns what the end of a job writes: a complete job releases its first dependents, and a finished job waits for no
 * other job. `onMore`: called after the commit if further dependents wait; see `failDependents`.
 */
export function dependencyEndWrite(
  deps: ReleaseDeps,
  changes: JobChangeSource & JobChangeSink,
  onMore: (parentId: string) => void,
): JobEndWrite {
  /** The released jobs, by the job that ends. Announced only with its end, because the transaction may still be rolled back. */
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

interface FailDependentsDeps extends EndJobDeps {
  readonly jobs: EndJobDeps['jobs'] & ReleaseDeps['jobs'];
  readonly queue: EndJobDeps['queue'] & ReleaseDeps['queue'];
  readonly dependencies: ReleaseDeps['dependencies'] & Pick<DependencyStore, 'dependentsOf' | 'parents'>;
  readonly changes: EndJobDeps['changes'] & JobChangeSource;
  /** Reports an error of the store. `settle` tries again. */
  readonly onError: (error: unknown) => void;
}

/** How many jobs are read at a time. */
const BATCH = 100;

/**
 * Settles dependents: fails them if their parent did not complete, and releases the ones that the transaction of its
 * end left. Each failed job has its own end and events, so a chain of any length needs no recursion.
 */
export function failDependents(deps: FailDependentsDeps) {
  const { dependencies, changes, transactions, now, onError } = deps;
  /** Finished jobs whose dependents must fail. */
  const ended: { readonly jobId: string; readonly status: JobStatus }[] = [];
  let working: Promise<void> | undefined;
  const releases = new Set<Promise<void>>();
  let isClosed = false;

  const failAll = async (parentId: string, status: JobStatus | undefined): Promise<void> => {
    for (;;) {
      const dependents = await dependencies.dependentsOf(parentId, BATCH);
      let isProgress = false;
      for (const queued of dependents) {
        if (isClosed) return;
        if (await endJob(deps, { queued, error: dependencyFailed(parentId, status) })) isProgress = true;
      }
      // Without progress, another process ends them.
      if (dependents.length < BATCH || !isProgress) return;
    }
  };

  const releaseAll = async (parentId: string): Promise<void> => {
    for (let isMore = true; isMore && !isClosed; ) {
      const at = now().toISOString();
      const next = await transactions.run((tx) => releaseDependents(deps, tx, parentId, at));
      for (const { jobId, clientId } of next.released) changes.publish({ kind: 'released', jobId, clientId });
      isMore = next.isMore;
    }
  };

  const work = async (): Promise<void> => {
    for (let next = ended.shift(); next !== undefined && !isClosed; next = ended.shift())
      await failAll(next.jobId, next.status).catch(onError);
    working = undefined;
  };

  const unsubscribe = changes.subscribe('all', (change) => {
    if (change.kind !== 'ended' || change.status === 'COMPLETED') return;
    ended.push({ jobId: change.jobId, status: change.status });
    working ??= work();
  });

  return {
    /** Ends or releases the jobs that still wait for a finished job, for example after a crash. Call it at intervals. */
    async settle(): Promise<void> {
      let last = '';
      for (let size = BATCH; size === BATCH; ) {
        const page = await dependencies.parents(last, BATCH);
        size = page.length;
        last = page.at(-1)?.parentId ?? last;
        for (const { parentId, status } of page)
          if (status === 'COMPLETED') await releaseAll(parentId);
          else if (status === undefined || isFinished(status)) await failAll(parentId, status);
      }
    },
    /** Releases the jobs that still wait for a complete job, in several transactions. Returns at once. */
    releaseRest(parentId: string): void {
      // Do not queue this behind the failures of other jobs, which can be many.
      const release = releaseAll(parentId)
        .catch(onError)
        .finally(() => releases.delete(release));
      releases.add(release);
    },
    /** Waits for running ends and releases. `settle` handles the rest, later or in another process. */
    async [Symbol.asyncDispose](): Promise<void> {
      isClosed = true;
      unsubscribe();
      await Promise.all([working, ...releases]);
    },
  };
}

/** The failure of a job that waited for another one. `status`: the status of the other job; undefined if that job is deleted. */
function dependencyFailed(parentId: string, status: JobStatus | undefined): Failure {
  const end = status === undefined ? 'is deleted' : status === 'CANCELLED' ? 'was cancelled' : 'failed';
  return {
    code: 'DEPENDENCY_FAILED',
    message: `This job waited for job ${parentId}, which ${end}.`,
    fix:
      status === undefined
        ? 'Send this request again without that job in "after".'
        : [
            `For job ${parentId}: `,
            RETRY_JOB,
            '. Then send the request of this job again, with the id of the new one in "after".',
          ],
  };
}
