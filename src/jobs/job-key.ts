import type { Caller } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { authorizeJob } from './authorize-job.ts';
import type { JobStore } from './ports/job-store.ts';

/**
 * Returns the key with which a job encrypts HLS, in hex. Throws JOB_NOT_FOUND, and NOT_FOUND if it encrypts nothing, or if the caller
 * may see the job but is not its client: whoever has the key plays the film.
 */
export async function jobKey(jobs: Pick<JobStore, 'get'>, caller: Caller, jobId: string): Promise<string> {
  const { request, clientId } = await authorizeJob(jobs, caller, jobId);
  if (clientId !== caller.clientId)
    throw new Problem('NOT_FOUND', `Job ${jobId} belongs to another client, and only that client gets its key.`);
  if (request.encrypt?.key === undefined)
    throw new Problem('NOT_FOUND', `Job ${jobId} has no key: its request has no "encrypt".`);
  return request.encrypt.key;
}
