import type { WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { JobEnd, JobEndWrite } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { stateAfterJob } from './after-job.ts';
import type { WatchLedger } from './ports.ts';

/** The writes of watches in the transaction that ends a job. Both cost a job without a watch no statement. */
export interface WatchEndWrites {
  /** Writes what becomes of the file. */
  readonly watches: JobEndWrite;
  /** Stores the event of a file that waits for a person. It locks the events of the client, so it runs after the other writes. */
  readonly events: JobEndWrite;
}

export function watchEndWrites(
  ledger: Pick<WatchLedger, 'jobEnded'>,
  onNeedsAttention: (tx: Tx, end: JobEnd, file: WatchedFile) => Promise<void>,
): WatchEndWrites {
  const waiting = new WeakMap<Tx, WatchedFile>();
  return {
    watches: async (tx, end) => {
      const file = await ledger.jobEnded(tx, end, (row) => stateAfterJob(row, end));
      if (file?.state === 'NEEDS_ATTENTION') waiting.set(tx, file);
    },
    events: async (tx, end) => {
      const file = waiting.get(tx);
      if (file !== undefined) await onNeedsAttention(tx, end, file);
    },
  };
}
