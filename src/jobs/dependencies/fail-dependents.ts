import type { Failure } from '../../domain/failure.ts';
import { RETRY_JOB } from '../../domain/hint.ts';
import { isFinished, type JobStatus } from '../../domain/states.ts';
import { type EndJobDeps, endJob } from '../end-job.ts';
import type { JobChangeSource } from '../job-changes.ts';
import type { DependencyStore } from '../ports/job-records.ts';
import { type ReleaseDeps, releaseDependents } from './release-dependents.ts';

export interface FailDependentsDeps extends EndJobDeps {
  readonly jobs: EndJobDeps['jobs'] & ReleaseDeps['jobs'];
  readonly queue: EndJobDeps['queue'] & ReleaseDeps['queue'];
  readonly dependencies: ReleaseDeps['dependencies'] & Pick<DependencyStore, 'dependentsOf' | 'parents'>;
  readonly changes: EndJobDeps['changes'] & JobChangeSource;
  /** Reports an error of the store. `settle` tries again. */
  readonly onError: (error: unknown) => void;
}

/** The jobs that are ended at a time. */
const BATCH = 100;

/** Disposing it waits for the jobs that are being ended or released. What is left then is for `settle`, here or in another process. */
export interface DependencyFailures extends AsyncDisposable {
  /**
   * Ends or releases the jobs that wait for one that has ended: those that a crash left, or a service of an earlier
   * version. Call it at intervals.
   */
  settle(): Promise<void>;
  /** Releases the jobs that still wait for a job that is complete, some in each transaction. Does not wait for it. */
  releaseRest(parentId: string): void;
}

/**
 * Settles the jobs that wait for another job. If that job did not complete, they fail. If it did, this releases the jobs that
 * the transaction of its end left over. Each failed job ends by itself, so it has its own events. Its end fails the jobs that
 * wait for it, so a chain of any length needs no recursion.
 */
export function failDependents(deps: FailDependentsDeps): DependencyFailures {
  const { dependencies, changes, transactions, now, onError } = deps;
  /** Jobs that have ended, whose dependents are still to be failed. */
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
    async settle() {
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
    releaseRest(parentId) {
      // Not after the failures of others, which can be many.
      const release = releaseAll(parentId)
        .catch(onError)
        .finally(() => releases.delete(release));
      releases.add(release);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      unsubscribe();
      await Promise.all([working, ...releases]);
    },
  };
}

/** The failure of a job that waited for another one. `status`: that of the other one; undefined if it is deleted. */
export function dependencyFailed(parentId: string, status: JobStatus | undefined): Failure {
  const end = status === undefined ? 'is deleted' : status === 'CANCELLED' ? 'was cancelled' : 'failed';
  return {
    code: 'DEPENDENCY_FAILED',
    message: `This job was to run after job ${parentId}, which ${end}.`,
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
