import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import type { Warning } from '../domain/plan.ts';
import { priorityOf } from '../domain/priority.ts';
import { isFinished } from '../domain/states.ts';
import { authorizeFinishedJob } from './authorize-job.ts';
import type { Accepted } from './operations.ts';
import type { ClientContext } from './ports/ffmpeg.ts';
import { type SubmitDeps, submitJob } from './submit/submit.ts';

/**
 * Submits the request of a finished job again, for the same client. The old job does not change. Throws JOB_NOT_FOUND,
 * JOB_NOT_FINISHED and what `submitJob` throws.
 */
export async function retryJob(
  deps: SubmitDeps & {
    readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  },
  caller: Caller,
  jobId: string,
): Promise<Accepted> {
  const job = await authorizeFinishedJob(deps.jobs, caller, jobId);
  const { clientId } = job;
  const owner = clientId === caller.clientId ? caller : { ...caller, ...(await deps.clientContextOf(clientId)) };
  const { after = [], ...request } = job.request;
  const parents = await deps.jobs.getMany(after);
  const unfinished = parents.flatMap((parent) => (isFinished(parent.status) ? [] : [parent.jobId]));
  const retry = {
    ...request,
    // The limit of the client may be lower by now, and a retry cannot be changed.
    ...(request.priority !== undefined && { priority: priorityOf(request, owner.policy) }),
    ...(unfinished.length > 0 && { after: unfinished }),
  };
  const accepted = await submitJob(deps, owner, retry, { retryOf: jobId });
  const failed = parents.filter(({ status }) => status === 'FAILED' || status === 'CANCELLED').map(notWaitedFor);
  return failed.length > 0 ? { ...accepted, warnings: [...(accepted.warnings ?? []), ...failed] } : accepted;
}

/** A retry waits only for what can still be complete. It does not know the retries of those that failed. */
const notWaitedFor = ({ jobId, status }: Job): Warning => ({
  code: 'DEPENDENCY_FAILED',
  message: `Job "${jobId}", after which this request was to run, is ${status}. The retry does not wait for it, nor for a retry of it.`,
  fix: 'If it needs the output of that job, cancel it. Retry that job, and send this request again with the id of the new job in "after".',
});
