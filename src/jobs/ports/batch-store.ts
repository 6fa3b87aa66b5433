import type { Batch, BatchCounts, BatchMember } from '../../domain/batch.ts';
import type { Job } from '../../domain/job.ts';
import type { JobSize } from './job-store.ts';
import type { Tx } from './transactions.ts';

/** What the state of a batch takes from one of its jobs. */
export type BatchJobState = Pick<Job, 'jobId' | 'status' | 'progress'>;

/** The batches. A batch has at most `REQUEST_LIMITS.batch` jobs, which store its id. */
export interface BatchStore {
  /** Call it in the transaction that inserts the jobs. */
  insert(tx: Tx, batch: Batch, members: readonly BatchMember[]): Promise<void>;
  get(batchId: string): Promise<Batch | undefined>;
  /**
   * Returns the jobs with which a batch was submitted, in the order of the requests, also deleted ones. Those of a batch of an
   * earlier version are only known while they are not deleted.
   */
  membersOf(batchId: string): Promise<readonly BatchMember[]>;
  /**
   * Returns the jobs of a batch that are not deleted, in the order of the requests, in short: with their requests, streams and
   * warnings, they can have megabytes.
   */
  statesOf(batchId: string): Promise<readonly (BatchJobState & JobSize)[]>;
  /** Lists batches, newest first, with the numbers of their jobs. `clientId`: by default those of all clients. */
  list(query: {
    readonly clientId?: string;
    readonly limit: number;
    /** Lists only batches that are older than this one. */
    readonly before?: string;
  }): Promise<readonly (Batch & { readonly counts: BatchCounts })[]>;
  /** Counts the batches with jobs that have not ended, up to `limit`. */
  countUnfinished(limit: number): Promise<number>;
  /** Deletes batches from before this time whose jobs are all deleted. Resolves to their number. */
  removeEmptyBefore(before: string): Promise<number>;
}
