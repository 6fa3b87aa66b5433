import { allows, type Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { isFinished } from '../domain/states.ts';
import type { JobStore } from './ports.ts';

/** Whether the caller may see jobs of all clients. */
export const canSeeAllJobs = (caller: Caller): boolean => allows(caller, 'admin');

/** The job, if this caller may see it; otherwise JOB_NOT_FOUND, so that nobody learns which ids exist. */
export async function authorizeJob(jobs: Pick<JobStore, 'get'>, caller: Caller, jobId: string): Promise<Job> {
  const job = await jobs.get(jobId);
  if (job === undefined || (job.clientId !== caller.clientId && !canSeeAllJobs(caller))) throw jobNotFound(jobId);
  return job;
}

/** As `authorizeJob`, for what only a job that has ended can be asked; otherwise JOB_NOT_FINISHED. */
export async function authorizeFinishedJob(jobs: Pick<JobStore, 'get'>, caller: Caller, jobId: string): Promise<Job> {
  const job = await authorizeJob(jobs, caller, jobId);
  if (isFinished(job.status)) return job;
  throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${job.status}; cancel it first, or wait for its end.`);
}

const jobNotFound = (jobId: string): Problem =>
  new Problem('JOB_NOT_FOUND', `There is no job ${jobId}, or it is not yours.`);
