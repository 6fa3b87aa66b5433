import type { Job } from '../../domain/job.ts';
import type { JobEnd } from './job-end.ts';
import type { Tx } from './transactions.ts';

/** What a client used on one UTC day. */
export interface DailyUse {
  /** Submitted jobs, without those that ended before they started. */
  readonly jobs: number;
  /** Seconds of media that its jobs published, and that its unfinished jobs have reserved. */
  readonly mediaSeconds: number;
}

/** Counts what clients use. */
export interface UsageStore {
  /**
   * Adds what new jobs use and reserve to the day of a client, and returns the sum. Call it in the transaction that stores
   * the jobs: until it ends, others that add to the day wait, so that no two exceed a quota together.
   */
  reserve(tx: Tx, clientId: string, day: string, added: DailyUse): Promise<DailyUse>;
  /**
   * Replaces what a job has reserved by what it published, in the transaction that ends it. Gives a job back that ended
   * before it started.
   */
  settle(tx: Tx, end: JobEnd): Promise<void>;
  /**
   * Seconds of media that a job may publish: what the other jobs of its client leave of the quota `limit` on the day of this job,
   * and at least what it has reserved.
   */
  leftFor(job: Pick<Job, 'jobId' | 'clientId' | 'createdAt'>, limit: number): Promise<number>;
  ofDay(clientId: string, day: string): Promise<DailyUse>;
  /** Deletes the days before this one. */
  forgetBefore(day: string): Promise<void>;
}
