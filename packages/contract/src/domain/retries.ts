import type { Job } from './job.ts';
import { JOB_STATUSES, type JobStatus } from './states.ts';

/**
 * The statuses in which a retry takes the place of the job that it runs again: that job needs nobody, and if the retry fails, the retry does. A
 * retry that was cancelled changed nothing.
 */
export const REPLACING_STATUSES: readonly JobStatus[] = JOB_STATUSES.filter((status) => status !== 'CANCELLED');

/** Whether a job failed and no retry has taken its place, so that somebody has to look at it. */
export const isUnretriedFailure = ({
  status,
  retriedAs,
}: {
  readonly status: JobStatus;
  readonly retriedAs?: Job['retriedAs'] | undefined;
}): boolean => status === 'FAILED' && retriedAs === undefined;
