import type { JobStore } from '../jobs/ports.ts';
import { jobClaim } from './job-claim.ts';
import { jobInsert } from './job-insert.ts';
import { jobList } from './job-list.ts';
import { jobReads } from './job-reads.ts';
import { json } from './job-row.ts';
import { FINISHED_STATUSES, statusIs } from './job-status.ts';
import type { Database } from './transaction/database.ts';
import { inside } from './transaction/tx.ts';
import { jobFenced } from './worker-writes.ts';

/** The jobs table. */
export function jobStore(database: Database): JobStore {
  return {
    ...jobInsert(database.reader),
    ...jobReads(database.reader),
    ...jobList(database.reader),
    ...jobClaim(database.reader),
    ...jobFenced(database),

    async cancelPending(tx, jobId, error, at) {
      const { numUpdatedRows } = await inside(tx)
        .updateTable('jobs')
        .set({ status: 'CANCELLED', error: json(error), completed_at: at, intent: null })
        .where('job_id', '=', jobId)
        .where(statusIs('PENDING'))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async requestCancel(tx, jobId, at) {
      const { numUpdatedRows } = await inside(tx)
        .updateTable('jobs')
        .set((e) => ({ cancel_requested_at: e.fn.coalesce('cancel_requested_at', e.val(at)) }))
        .where('job_id', '=', jobId)
        .where(statusIs('PROCESSING'))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async remove(tx, jobId) {
      const db = inside(tx);
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
