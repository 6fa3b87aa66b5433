export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

/** What happens inside PROCESSING. */
export type JobPhase = 'STAGING' | 'CONVERTING' | 'PUBLISHING';

/** Every event that changes a job's status, and the one status that it leads to from each status it may meet. */
const TRANSITIONS = {
  /** A worker takes the job; its attempt and fence rise. */
  claim: { PENDING: 'PROCESSING' },
  /** An automatic try after a lost worker, no space or a storage fault; or a drain. */
  requeue: { PROCESSING: 'PENDING' },
  complete: { PROCESSING: 'COMPLETED' },
  fail: { PROCESSING: 'FAILED' },
  cancel: { PENDING: 'CANCELLED', PROCESSING: 'CANCELLED' },
} as const satisfies Record<string, Partial<Record<JobStatus, JobStatus>>>;

export type JobEvent = keyof typeof TRANSITIONS;

/** The status that `event` leads to, or undefined where it may not happen. */
export function nextStatus(status: JobStatus, event: JobEvent): JobStatus | undefined {
  const row: Partial<Record<JobStatus, JobStatus>> = TRANSITIONS[event];
  return row[status];
}

/** A finished job never changes. */
export const isFinished = (status: JobStatus): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/** Tries in all before a job whose worker keeps getting lost ends as WORKER_LOST. */
export const MAX_ATTEMPTS = 3;

/**
 * Turns between two jobs of one client. Two, so that a client with nothing in line comes between the turns of one with
 * many, whose ticket for an equal turn would be the older one.
 */
export const RANKS_APART = 2;
