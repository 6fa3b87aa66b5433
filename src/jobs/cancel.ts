import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { isFinished } from '../domain/states.ts';
import { authorizeJob } from './authorize-job.ts';
import { CANCELLED_ON_REQUEST, type EndJobDeps, endJob } from './end-job.ts';
import type { JobStore } from './ports/job-store.ts';

export interface CancelDeps extends EndJobDeps {
  readonly jobs: EndJobDeps['jobs'] & Pick<JobStore, 'get' | 'requestCancel'>;
}

/**
 * Ends a queued job at once. Marks a running job, whose worker then ends ffmpeg. Throws JOB_NOT_FOUND, JOB_FINISHED.
 */
export async function cancelJob(deps: CancelDeps, caller: Caller, jobId: string): Promise<Job> {
  let job = await authorizeJob(deps.jobs, caller, jobId);
  // A worker may claim or requeue the job between the read and the write. Then read it again and cancel its new status.
  while (!(await tryCancel(deps, job))) job = await authorizeJob(deps.jobs, caller, jobId);
  return authorizeJob(deps.jobs, caller, jobId);
}

/** Resolves to false if the status of the job has changed since it was read. */
async function tryCancel(deps: CancelDeps, job: Job): Promise<boolean> {
  const { jobId, clientId, status } = job;
  if (isFinished(status))
    throw new Problem('JOB_FINISHED', `Job ${jobId} is ${status} and can no longer be cancelled.`);
  if (status === 'PENDING') return endJob(deps, { queued: job, error: CANCELLED_ON_REQUEST });
  const marked = await deps.transactions.run((tx) => deps.jobs.requestCancel(tx, jobId, deps.now().toISOString()));
  if (marked) deps.changes.publish({ kind: 'cancelRequested', jobId, clientId });
  return marked;
}
