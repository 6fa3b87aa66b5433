import type { JobStore } from '../jobs/ports/job-store.ts';
import { removeInBatches } from './queries.ts';
import type { Database } from './transaction/database.ts';

/**
 * The maximum number of jobs that one transaction deletes, because submissions wait for it. Each job can have a log of
 * up to 64 KiB.
 */
const DELETE_BATCH = 100;

/** Deletes old jobs. The caller decides how long ended jobs are kept: see the setting `TELECINE_JOB_RETENTION_DAYS`. */
export function jobRetention(database: Database): Pick<JobStore, 'removeFinishedBefore'> {
  return {
    removeFinishedBefore: (before) =>
      removeInBatches(database, DELETE_BATCH, async (db) => {
        // Let only one process delete at a time: two would wait for each other's row locks.
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
