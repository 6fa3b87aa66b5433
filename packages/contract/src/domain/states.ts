export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

/** In their order. SAMPLING: samples of the input are encoded, to choose the frame size, the quality or the versions of a ladder. */
export const JOB_PHASES = ['STAGING', 'SAMPLING', 'CONVERTING', 'PUBLISHING'] as const;

export type JobPhase = (typeof JOB_PHASES)[number];

/** Each event with the statuses that it can change, and the resulting status. */
const TRANSITIONS = {
  /** A worker claims the job. The attempt number and the fence of the job increase. */
  claim: { PENDING: 'PROCESSING' },
  /** The job returns to the queue, during a drain or for a retry after a crash, a full disk or a storage error. */
  requeue: { PROCESSING: 'PENDING' },
  complete: { PROCESSING: 'COMPLETED' },
  /** A queued job fails if no worker can run it. */
  fail: { PENDING: 'FAILED', PROCESSING: 'FAILED' },
  cancel: { PENDING: 'CANCELLED', PROCESSING: 'CANCELLED' },
} as const satisfies Record<string, Partial<Record<JobStatus, JobStatus>>>;

export type JobEvent = keyof typeof TRANSITIONS;

/** The status after `event`. undefined: the event is not allowed in this status. */
export function nextStatus(status: JobStatus, event: JobEvent): JobStatus | undefined {
  const row: Partial<Record<JobStatus, JobStatus>> = TRANSITIONS[event];
  return row[status];
}

/** Whether the job is completed, failed or cancelled. The status of such a job never changes. */
export const isFinished = (status: JobStatus): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';
