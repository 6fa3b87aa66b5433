import type { JobStore } from '../jobs/ports/job-store.ts';
import { jobClaims } from './job-claim.ts';
import { jobInserts } from './job-inserts.ts';
import { jobLists } from './job-list.ts';
import { measurementReads } from './job-measurements.ts';
import { metadataSearch } from './job-metadata.ts';
import { outputReads } from './job-outputs.ts';
import { jobReads } from './job-reads.ts';
import { jobRetention } from './job-retention.ts';
import { toJsonColumn } from './job-row.ts';
import { FINISHED_STATUSES, statusIs } from './job-status.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';
import { workerWrites } from './worker-writes.ts';

/** The repository of jobs. */
export function jobStore(database: Database): JobStore {
  return {
    ...jobInserts(database),
    ...jobReads(database.reader),
    ...outputReads(database.reader),
    ...measurementReads(database.reader),
    ...jobLists(database.reader),
    ...metadataSearch(database),
    ...jobClaims(database.reader),
    ...workerWrites(database),
    ...jobRetention(database),

    async endPending(tx, jobId, status, error, at) {
      const { numUpdatedRows } = await dbOf(tx)
        .updateTable('jobs')
        .set({ status, error: toJsonColumn(error), completed_at: at, intent: null, waiting_for: null })
        .where('job_id', '=', jobId)
        .where(statusIs('PENDING'))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async requestCancel(tx, jobId, at) {
      const { numUpdatedRows } = await dbOf(tx)
        .updateTable('jobs')
        .set((e) => ({ cancel_requested_at: e.fn.coalesce('cancel_requested_at', e.val(at)) }))
        .where('job_id', '=', jobId)
        .where(statusIs('PROCESSING'))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async remove(tx, jobId) {
      const db = dbOf(tx);
      const { numDeletedRows } = await db
        .deleteFrom('jobs')
        .where('job_id', '=', jobId)
        .where('status', 'in', FINISHED_STATUSES)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await db.deleteFrom('job_logs').where('job_id', '=', jobId).execute();
      return true;
    },
  };
}
