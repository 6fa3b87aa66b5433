import type { WebhookOutbox } from '../../webhooks/ports.ts';
import { BATCH_COLUMNS, toBatch } from '../batch-row.ts';
import { toJob } from '../job-row.ts';
import type { Database } from '../transaction/database.ts';
import { dbOf } from '../transaction/tx.ts';

/** Reads the batch of a job that ends, if it was the last one. */
export function endedBatchReader({ lock }: Pick<Database, 'lock'>): WebhookOutbox['endedBatch'] {
  // Without a lock, transactions run one after the other, and the database knows no locks of rows.
  const hasRowLocks = lock !== undefined;
  return async (tx, batchId) => {
    const ofBatch = () => dbOf(tx).selectFrom('jobs').where('batch_id', 'is not', null).where('batch_id', '=', batchId);
    const batch = dbOf(tx).selectFrom('batches').select(BATCH_COLUMNS).where('batch_id', '=', batchId);
    // Started in this order. The second runs when the lock is held: it sees the ends that others committed before.
    const [row, unfinished] = await Promise.all([
      (hasRowLocks ? batch.forUpdate() : batch).executeTakeFirst(),
      ofBatch().select('job_id').where('completed_at', 'is', null).limit(1).executeTakeFirst(),
    ]);
    if (row === undefined || unfinished !== undefined) return undefined;
    const jobs = await ofBatch().selectAll().orderBy('job_id').execute();
    return { ...toBatch(row), jobs: jobs.map(toJob) };
  };
}
