import type { Failure } from '@telecine/contract/domain/failure.ts';
import { RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { isFinished, type JobStatus } from '@telecine/contract/domain/states.ts';
import { type EndJobDeps, endQueued } from './end-job.ts';
import type { JobChangeSink, JobChangeSource } from './job-changes.ts';
import type { JobQueue } from './ports/job-queue.ts';
import type { DependencyStore, ReleasedJob } from './ports/job-records.ts';
import type { JobEndWrite } from './ports/job-store.ts';
import type { Tx } from './ports/transactions.ts';

interface ReleaseDeps {
  readonly dependencies: Pick<DependencyStore, 'removeParent' | 'release' | 'removeJobs'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
}

/** The maximum number of jobs that one transaction releases, because other transactions may wait for its end. */
const RELEASE_BATCH = 100;

/**
 * Puts dependents of a completed parent into the queue, at most `RELEASE_BATCH`, if they wait for no other job.
 * `isMore`: other jobs still wait for the parent.
 */
async function releaseDependents(
  { dependencies, queue }: ReleaseDeps,
  tx: Tx,
  parentId: string,
  at: string,
): Promise<{ readonly released: readonly ReleasedJob[]; readonly isMore: boolean }> {
  const next = await dependencies.removeParent(tx, parentId, RELEASE_BATCH);
  if (next.released.length > 0) await queue.enqueue(tx, next.released);
  for (const { jobId } of next.released) await dependencies.release(tx, jobId, at);
  return next;
}

/**
 * Returns the write that runs in the transaction that ends a job. If the job is complete, the write releases its first
 * `RELEASE_BATCH` dependents. Otherwise, it deletes the dependencies of the job on its own parents. `onMore`: called
 * after the commit if more dependents wait.
 */
export function dependencyEndWrite(
  deps: ReleaseDeps,
  changes: JobChangeSource & JobChangeSink,
  onMore: (parentId: string) => void,
): JobEndWrite {
  /**
   * The jobs that the end of a parent has released, by the id of the parent. They are announced after the end of the
   * parent is announced, because until then the transaction may be rolled back.
   */
  const ends = new Map<string, Awaited<ReturnType<typeof releaseDependents>>>();
  changes.subscribe('all', (change) => {
    if (change.kind !== 'ended') return;
    const { released = [], isMore = false } = ends.get(change.jobId) ?? {};
    ends.delete(change.jobId);
    for (const { jobId, clientId } of released) changes.publish({ kind: 'released', jobId, clientId });
    if (isMore) onMore(change.jobId);
  });
  return async (tx, all) => {
    const unsuccessful = all.filter(({ status }) => status !== 'COMPLETED').map(({ jobId }) => jobId);
    if (unsuccessful.length > 0) await deps.dependencies.removeJobs(tx, unsuccessful);
    for (const { jobId, status, at } of all) {
      if (status !== 'COMPLETED') continue;
      const end = await releaseDependents(deps, tx, jobId, at);
      if (end.released.length > 0 || end.isMore) ends.set(jobId, end);
    }
  };
}

interface FailDependentsDeps extends EndJobDeps {
  readonly queue: EndJobDeps['queue'] & ReleaseDeps['queue'];
  readonly dependencies: ReleaseDeps['dependencies'] & Pick<DependencyStore, 'dependentsOf' | 'parents'>;
  readonly changes: EndJobDeps['changes'] & JobChangeSource;
  /** Called with errors of the store. The work is not lost: a later call of `settle` repeats it. */
  readonly onError: (error: unknown) => void;
}

const BATCH = 100;

/**
 * Handles jobs whose parent has ended. If the parent failed or was cancelled, fails its dependents. If it is complete,
 * releases the dependents that still wait. A failed dependent publishes its own `ended` change, which fails its
 * dependents in turn, so a chain of any length needs no recursion.
 */
export function failDependents(deps: FailDependentsDeps) {
  const { dependencies, changes, transactions, now, onError } = deps;
  /** Jobs that ended without completing. Their dependents must fail. */
  const ended: { readonly jobId: string; readonly status: JobStatus }[] = [];
  let working: Promise<void> | undefined;
  const releases = new Set<Promise<void>>();
  let isClosed = false;

  /** `parents`: the statuses of parents, by their ids. */
  const failAll = async (parents: ReadonlyMap<string, JobStatus | undefined>): Promise<void> => {
    for (;;) {
      const dependents = await dependencies.dependentsOf([...parents.keys()], BATCH);
      if (isClosed) return;
      let failed = 0;
      for (const [parentId, some] of Map.groupBy(dependents, (one) => one.parentId))
        failed += (await endQueued(deps, some, dependencyFailed(parentId, parents.get(parentId)))).length;
      // If none of the dependents could be ended, another process is ending them.
      if (dependents.length < BATCH || failed === 0) return;
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
    while (ended.length > 0 && !isClosed)
      await failAll(new Map(ended.splice(0, BATCH).map(({ jobId, status }) => [jobId, status]))).catch(onError);
    working = undefined;
  };

  const unsubscribe = changes.subscribe('all', (change) => {
    if (change.kind !== 'ended' || change.status === 'COMPLETED') return;
    ended.push({ jobId: change.jobId, status: change.status });
    working ??= work();
  });

  return {
    /** Fails or releases the jobs that still wait for a finished job, such as after a crash. Call this at intervals. */
    async settle(): Promise<void> {
      let last = '';
      for (let size = BATCH; size === BATCH; ) {
        const page = await dependencies.parents(last, BATCH);
        size = page.length;
        last = page.at(-1)?.parentId ?? last;
        for (const { parentId, status } of page)
          if (status === 'COMPLETED') await releaseAll(parentId);
          else if (status === undefined || isFinished(status)) await failAll(new Map([[parentId, status]]));
      }
    },
    /**
     * Releases the jobs that still wait for a completed job, in several transactions. Returns at once; the work
     * continues in the background.
     */
    releaseRest(parentId: string): void {
      // Do not wait for `working`, which may have to fail many jobs first.
      const release = releaseAll(parentId)
        .catch(onError)
        .finally(() => releases.delete(release));
      releases.add(release);
    },
    /**
     * Waits until the writes in progress have ended. A later `settle`, in this or in another process, handles the jobs
     * that remain.
     */
    async [Symbol.asyncDispose](): Promise<void> {
      isClosed = true;
      unsubscribe();
      await Promise.all([working, ...releases]);
    },
  };
}

/**
 * The failure of a job whose parent did not complete. `status`: the status of the parent. undefined: the parent is
 * deleted.
 */
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
