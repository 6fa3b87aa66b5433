import type { JobOutput } from '../../domain/job.ts';
import type { Tx } from './transactions.ts';

/** The outputs of a job whose time is over. */
export interface ExpiredOutputs {
  readonly jobId: string;
  readonly clientId: string;
  readonly files: readonly Pick<JobOutput, 'path' | 'fingerprint'>[];
}

/**
 * The outputs that are to be removed some time. `JobClaims.end` adds those of a job. They outlive the job, so they are also
 * removed if the job is deleted before.
 */
export interface OutputExpiries {
  /** Lists outputs that are due at this time, those that are due longest first. */
  due(at: string, limit: number): Promise<readonly ExpiredOutputs[]>;
  /** Forgets outputs that were removed, and marks their job, if it exists. False if another process did so before. */
  finish(tx: Tx, jobId: string): Promise<boolean>;
  /** Makes outputs due at another time, because they could not be removed. */
  postpone(jobId: string, until: string): Promise<void>;
}
