import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { isFinished } from '../domain/states.ts';
import type { Accepted } from './operations.ts';
import type { JobStore } from './ports.ts';
import { type SubmitDeps, submit } from './submit.ts';
import { visibleJob } from './visible.ts';

/**
 * A new job with the request of a finished one, for the client whose job that was; the old one stays as it is.
 * Throws JOB_NOT_FINISHED.
 */
export async function retry(
  deps: SubmitDeps & {
    readonly jobs: Pick<JobStore, 'get'>;
    readonly rootOf: (clientId: string) => Promise<string>;
  },
  caller: Caller,
  jobId: string,
): Promise<Accepted> {
  const job = await visibleJob(deps.jobs, caller, jobId);
  if (!isFinished(job.status))
    throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${job.status}; cancel it first, or wait for its end.`);
  const { clientId } = job;
  const owner = clientId === caller.clientId ? caller : { ...caller, clientId, root: await deps.rootOf(clientId) };
  return submit(deps, owner, job.request, { retryOf: jobId });
}
