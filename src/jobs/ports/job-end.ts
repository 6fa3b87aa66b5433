import type { JobOutcome } from './job-claims.ts';
import type { Tx } from './transactions.ts';

/** A job that ends in an open transaction. Its row in the jobs table already has this status. */
export interface JobEnd {
  readonly jobId: string;
  readonly clientId: string;
  readonly status: JobOutcome['status'];
  /** When the job ends, as ISO 8601 text. */
  readonly at: string;
}

/**
 * Writes what another part of the service stores when a job ends, in the transaction that ends it: both are stored, or
 * neither. If it throws, the job does not end. All other transactions may wait for it, so it awaits nothing but calls with
 * `tx`. It may run again after its transaction was rolled back.
 */
export type JobEndWrite = (tx: Tx, end: JobEnd) => Promise<unknown>;
