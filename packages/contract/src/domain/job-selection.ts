import type { FailureCode } from './failure.ts';
import type { Job } from './job.ts';
import type { JobStatus } from './states.ts';

/** What can be done with all jobs of a selection, and the statuses of jobs with which it can be done. */
export const JOB_ACTIONS = {
  cancel: ['PENDING', 'PROCESSING'],
  retry: ['FAILED', 'CANCELLED'],
  expire: ['COMPLETED'],
} as const satisfies Readonly<Record<string, readonly JobStatus[]>>;

/** The most jobs of one request. */
export const MAX_CHANGED = 500;

export type JobAction = keyof typeof JOB_ACTIONS;

/** Jobs that have all these values. */
export interface JobSelection {
  readonly status?: JobStatus;
  readonly clientId?: string;
  /** The code of the error. */
  readonly error?: FailureCode;
  /** Only jobs that were created from this time on, in ISO 8601. */
  readonly from?: string;
  /** Only jobs that were created before this time. */
  readonly to?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** What became of a job of a selection. */
export interface ChangedJob extends Pick<Job, 'jobId' | 'clientId' | 'retriedAs'> {
  /** Why the action failed for this job. */
  readonly error?: { readonly code: string; readonly message: string };
}
