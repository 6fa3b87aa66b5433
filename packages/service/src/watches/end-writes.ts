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
  ledger: Pick<WatchLedger, 'jobEnded' | 'takeAttention'>,
  /** `files`: how many files of the watch need attention. */
  onNeedsAttention: (tx: Tx, end: JobEnd, file: WatchedFile, files: number) => Promise<void>,
): WatchEndWrites {
  const waiting = new WeakMap<Tx, (readonly [end: JobEnd, file: WatchedFile, files: number])[]>();
  return {
    watches: async (tx, ends) => {
      for (const end of ends) {
        const file = await ledger.jobEnded(tx, end, (row) => stateAfterJob(row, end));
        if (file?.state !== 'NEEDS_ATTENTION') continue;
        const files = await ledger.takeAttention(tx, file.watchId, end.at);
        if (files !== undefined) waiting.set(tx, [...(waiting.get(tx) ?? []), [end, file, files]]);
      }
    },
    events: async (tx) => {
      for (const told of waiting.get(tx) ?? []) await onNeedsAttention(tx, ...told);
    },
  };
}
