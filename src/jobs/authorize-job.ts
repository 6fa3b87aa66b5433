import { allows, type Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { isFinished } from '../domain/states.ts';
import type { JobStore } from './ports/job-store.ts';

/** Whether the caller may see jobs of all clients. */
export const canSeeAllJobs = (caller: Caller): boolean => allows(caller, 'admin');

/** Whether the job exists, and the caller may see it. */
export const isVisible = (caller: Caller, job: Job | undefined): job is Job =>
  job !== undefined && (job.clientId === caller.clientId || canSeeAllJobs(caller));

/**
 * Returns the job. Throws JOB_NOT_FOUND if it belongs to another client, so that a caller cannot learn which ids exist.
 */
export async function authorizeJob(jobs: Pick<JobStore, 'get'>, caller: Caller, jobId: string): Promise<Job> {
  const job = await jobs.get(jobId);
  if (!isVisible(caller, job)) throw jobNotFound(jobId);
  return job;
}

/** Returns a finished job. `instead`: what to do if it is not. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED. */
export async function authorizeFinishedJob(
  jobs: Pick<JobStore, 'get'>,
  caller: Caller,
  jobId: string,
  instead = 'Cancel it, or wait until it has finished.',
): Promise<Job> {
  const job = await authorizeJob(jobs, caller, jobId);
  if (isFinished(job.status)) return job;
  throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${job.status}. ${instead}`);
}

export const jobNotFound = (jobId: string): Problem =>
  new Problem('JOB_NOT_FOUND', `Job ${jobId} does not exist, or it belongs to another client.`);
