import type { JobStore } from '../jobs/ports/job-store.ts';
import { removeInBatches } from './queries.ts';
import type { Database } from './transaction/database.ts';

/**
 * The maximum number of jobs that one transaction deletes, because submissions wait for it. Each job can have a log of
 * up to 64 KiB.
 */
const DELETE_BATCH = 100;

/** After a job with this many outputs, which take megabytes, one transaction deletes no further one. */
const MANY_OUTPUTS = 1000;

/** Deletes old jobs. The caller decides how long ended jobs are kept: see the setting `TELECINE_JOB_RETENTION_DAYS`. */
export function jobRetention(database: Database): Pick<JobStore, 'removeFinishedBefore'> {
  return {
    removeFinishedBefore: (before) =>
      removeInBatches(database, 1, async (db) => {
        // Let only one process delete at a time: two would wait for each other's row locks.
        await database.lock?.(db, 'old jobs', '');
        const old = await db
          .selectFrom('jobs')
          .select(['job_id', 'output_count'])
          .where('completed_at', '<', before)
          .orderBy('completed_at')
          .limit(DELETE_BATCH)
          .execute();
        if (old.length === 0) return 0;
        const many = old.findIndex(({ output_count }) => (output_count ?? 0) >= MANY_OUTPUTS);
        const ids = old.slice(0, many < 0 ? DELETE_BATCH : many + 1).map((row) => row.job_id);
        await db.deleteFrom('job_logs').where('job_id', 'in', ids).execute();
        await db.deleteFrom('jobs').where('job_id', 'in', ids).execute();
        return ids.length;
      }),
  };
}
