import type { Job } from '../domain/job.ts';

/** When an operator paused the queue. Undefined if it is not paused. */
export type QueuePausedAt = () => Promise<string | undefined>;

/** Marks the queued jobs if the queue is paused. Reads that only if one of the jobs is queued. */
export async function markPaused(pausedAt: QueuePausedAt, jobs: readonly Job[]): Promise<readonly Job[]> {
  if (!jobs.some(isQueued) || (await pausedAt()) === undefined) return jobs;
  return jobs.map((job) => (isQueued(job) ? { ...job, queuePaused: true } : job));
}

const isQueued = ({ status }: Job): boolean => status === 'PENDING';
