import type { JobOutput } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';

/** How a complete job ended. */
export interface Receipt {
  readonly outputs: readonly JobOutput[];
  readonly warnings?: readonly Warning[];
}

/**
 * The ends of complete jobs, which are kept with the media. After the database was restored from an older backup, they
 * tell that a job was complete. A receipt is kept for some days after its job was accepted.
 */
export interface Receipts {
  keep(jobId: string, receipt: Receipt): Promise<void>;
  find(jobId: string): Promise<Receipt | undefined>;
  /** Removes the receipts of older jobs. */
  sweep(): Promise<void>;
}
