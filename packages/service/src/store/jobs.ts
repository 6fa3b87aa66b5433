import { sql } from 'kysely';
import type { JobStore } from '../jobs/ports/job-store.ts';
import { toJsonColumn } from './columns.ts';
import { jobClaims, workerWrites } from './job-claims.ts';
import { jobInserts } from './job-inserts.ts';
import { metadataSearch } from './job-metadata.ts';
import { jobLists, jobReads } from './job-reads.ts';
import { listReads } from './long-lists.ts';
import { deleteRows, FINISHED_STATUSES, removeInBatches, rowsChanged, updateRows } from './queries.ts';
import { type Database, dbOf } from './transaction/database.ts';

/**
 * The maximum number of jobs that one transaction deletes, because submissions wait for it. Each job can have a log of
 * up to 64 KiB.
 */
const DELETE_BATCH = 100;

export function jobStore(database: Database): JobStore {
  return {
    ...jobInserts(database),
    ...jobReads(database.reader),
    ...listReads(database.reader),
    ...jobLists(database.reader),
    ...metadataSearch(database),
    ...jobClaims(database),
    ...workerWrites(database),

    async endPending(tx, jobId, status, error, at) {
      const set = { status, error: toJsonColumn(error), completed_at: at, intent: null, waiting_for: null };
      return (await updateRows(dbOf(tx), 'jobs', set, { job_id: jobId, status: 'PENDING' })) > 0;
    },

    async requestCancel(tx, jobId, at) {
      const set = { cancel_requested_at: sql<string>`coalesce(cancel_requested_at, ${at})` };
      return (await updateRows(dbOf(tx), 'jobs', set, { job_id: jobId, status: 'PROCESSING' })) > 0;
    },

    async remove(tx, jobId) {
      const db = dbOf(tx);
      const job = db.deleteFrom('jobs').where('job_id', '=', jobId).where('status', 'in', FINISHED_STATUSES);
      if ((await rowsChanged(db, job)) === 0) return false;
      await deleteRows(db, 'job_logs', { job_id: jobId });
      return true;
    },

    removeFinishedBefore: (before) =>
      removeInBatches(database, DELETE_BATCH, async (db) => {
        // Let only one process delete at a time. Two would wait for each other's row locks.
        await database.lock?.(db, 'old jobs', '');
        const old = await db
          .selectFrom('jobs')
          .select('job_id')
          .where('completed_at', '<', before)
          .orderBy('completed_at')
          .limit(DELETE_BATCH)
          .execute();
        if (old.length === 0) return 0;
        const ids = old.map((row) => row.job_id);
        await db.deleteFrom('job_logs').where('job_id', 'in', ids).execute();
        await db.deleteFrom('jobs').where('job_id', 'in', ids).execute();
        return old.length;
      }),
  };
}
