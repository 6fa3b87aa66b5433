import type { Caller } from '../domain/client.ts';
import { finishedJob } from './authorize-job.ts';
import type { Accepted } from './operations.ts';
import type { JobStore, Terms } from './ports.ts';
import { type SubmitDeps, submit } from './submit/submit.ts';

/**
 * A new job with the request of a finished one, for the client whose job that was; the old one stays as it is.
 * Throws JOB_NOT_FINISHED.
 */
export async function retry(
  deps: SubmitDeps & {
    readonly jobs: Pick<JobStore, 'get'>;
    readonly termsOf: (clientId: string) => Promise<Terms>;
  },
  caller: Caller,
  jobId: string,
): Promise<Accepted> {
  const job = await finishedJob(deps.jobs, caller, jobId);
  const { clientId } = job;
  const owner = clientId === caller.clientId ? caller : { ...caller, clientId, ...(await deps.termsOf(clientId)) };
  return submit(deps, owner, job.request, { retryOf: jobId });
}
