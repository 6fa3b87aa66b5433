export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_PHASES = ['STAGING', 'CONVERTING', 'PUBLISHING'] as const;

export type JobPhase = (typeof JOB_PHASES)[number];

/** Each event with the statuses that it can change, and the resulting status. */
const TRANSITIONS = {
  /** A worker claims the job. Its attempt and fence increase. */
  claim: { PENDING: 'PROCESSING' },
  /** The job returns to the queue: for a retry after a crash, a full disk or a storage error, or during a drain. */
  requeue: { PROCESSING: 'PENDING' },
  complete: { PROCESSING: 'COMPLETED' },
  /** A queued job fails if no worker can run it. */
  fail: { PENDING: 'FAILED', PROCESSING: 'FAILED' },
  cancel: { PENDING: 'CANCELLED', PROCESSING: 'CANCELLED' },
} as const satisfies Record<string, Partial<Record<JobStatus, JobStatus>>>;

export type JobEvent = keyof typeof TRANSITIONS;

/** The status after `event`. Returns undefined if the event is not allowed. */
export function nextStatus(status: JobStatus, event: JobEvent): JobStatus | undefined {
  const row: Partial<Record<JobStatus, JobStatus>> = TRANSITIONS[event];
  return row[status];
}

/** Whether the job is completed, failed or cancelled. The status of such a job never changes. */
export const isFinished = (status: JobStatus): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/**
 * The difference of the fairness ranks of consecutive jobs of one client. It is 2, so that the first job of another client
 * gets a rank in between: of equal ranks, the older ticket is first.
 */
export const RANKS_APART = 2;
