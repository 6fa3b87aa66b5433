import type { Caller } from '../domain/client.ts';
import { isFinished } from '../domain/states.ts';
import { authorizeFinishedJob } from './authorize-job.ts';
import type { Accepted } from './operations.ts';
import type { JobStore } from './ports/job-store.ts';
import type { ClientContext } from './ports/planner.ts';
import { type SubmitDeps, submitJob } from './submit/submit.ts';

/**
 * Submits the request of a finished job again, for the same client. The old job does not change. Throws JOB_NOT_FOUND,
 * JOB_NOT_FINISHED and what `submitJob` throws.
 */
export async function retryJob(
  deps: SubmitDeps & {
    readonly jobs: Pick<JobStore, 'get'>;
    readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  },
  caller: Caller,
  jobId: string,
): Promise<Accepted> {
  const job = await authorizeFinishedJob(deps.jobs, caller, jobId);
  const { clientId } = job;
  const owner =
    clientId === caller.clientId ? caller : { ...caller, clientId, ...(await deps.clientContextOf(clientId)) };
  const { after = [], ...request } = job.request;
  const unfinished = await unfinishedOf(deps.jobs, after);
  return submitJob(deps, owner, unfinished.length > 0 ? { ...request, after: unfinished } : request, {
    retryOf: jobId,
  });
}

/** A retry waits only for what can still be complete: it is for the client to retry those that failed, before this one. */
async function unfinishedOf(jobs: Pick<JobStore, 'get'>, after: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(after.map((jobId) => jobs.get(jobId)));
  return found.flatMap((job) => (job === undefined || isFinished(job.status) ? [] : [job.jobId]));
}
