import { visibleJob } from './authorize-job.ts';
import { cancelJob } from './cancel.ts';
import type { JobChangeSink, JobChangeSource } from './job-changes.ts';
import { jobWaits } from './job-waits.ts';
import { list } from './list.ts';
import type { JobOperations } from './operations.ts';
import type { IdempotencyStore, JobQueue, JobStore, MediaStore, PathPlanner, Planner, Terms } from './ports.ts';
import { remove } from './remove.ts';
import { retry } from './retry.ts';
import { dryRun } from './submit/dry-run.ts';
import { type InsertBatcherDeps, insertBatcher } from './submit/insert-batcher.ts';
import { admission, type PendingLimits } from './submit/pending-quota.ts';
import { type SubmitDeps, submit } from './submit/submit.ts';

export interface JobOperationsDeps extends Omit<SubmitDeps, 'insertJob' | 'planner'>, InsertBatcherDeps {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly idempotency: IdempotencyStore;
  readonly media: MediaStore;
  readonly planner: Planner;
  readonly pathPlanner: PathPlanner;
  readonly termsOf: (clientId: string) => Promise<Terms>;
  readonly changes: JobChangeSource & JobChangeSink;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly pendingLimits: PendingLimits | undefined;
}

/** The verbs of this folder behind the one interface that the doors use. */
export function jobOperations(deps: JobOperationsDeps): JobOperations {
  const submitDeps = { ...deps, planner: deps.pathPlanner, insertJob: insertBatcher(deps) };
  return {
    admit: admission(deps, deps.pendingLimits),
    submit: (caller, request, idempotency) => submit(submitDeps, caller, request, { idempotency }),
    dryRun: (caller, request) => dryRun(deps, caller, request),
    get: (caller, jobId) => visibleJob(deps.jobs, caller, jobId),
    wait: jobWaits(deps),
    list: (caller, query) => list(deps.jobs, caller, query),
    log: async (caller, jobId) => {
      await visibleJob(deps.jobs, caller, jobId);
      return (await deps.jobs.log(jobId)) ?? '';
    },
    cancel: (caller, jobId) => cancelJob(deps, caller, jobId),
    retry: (caller, jobId) => retry(submitDeps, caller, jobId),
    remove: (caller, jobId, outputs) => remove(deps, caller, jobId, outputs),
  };
}
