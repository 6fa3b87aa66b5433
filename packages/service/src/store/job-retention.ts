import type { Kysely } from 'kysely';
import type { JobStore } from '../jobs/ports/job-store.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

/**
 * The maximum number of jobs that one transaction deletes, because submissions wait for it. Each job can have a log of
 * up to 64 KiB.
 */
const DELETE_BATCH = 100;

/** One transaction deletes no further job after one with this many outputs, which take some megabytes. */
const MANY_OUTPUTS = 1000;

/** Deletes old jobs. The caller decides how long ended jobs are kept: see the setting `TELECINE_JOB_RETENTION_DAYS`. */
export function jobRetention(database: Database): Pick<JobStore, 'removeFinishedBefore'> {
  return {
    async removeFinishedBefore(before) {
      for (let all = 0; ; ) {
        const removed = await database.write((db) => removeSome(database, db, before));
        if (removed === 0) return all;
        all += removed;
      }
    },
  };
}

/** Resolves to the number of deleted jobs. */
async function removeSome({ lock }: Database, db: Kysely<Schema>, before: string): Promise<number> {
  // Let only one process delete at a time: two would wait for each other's row locks.
  await lock?.(db, 'old jobs', '');
  const old = await db
    .selectFrom('jobs')
    .select(['job_id', 'output_count'])
    .where('completed_at', '<', before)
    .orderBy('completed_at')
    .limit(DELETE_BATCH)
    .execute();
  const many = old.findIndex(({ output_count }) => (output_count ?? 0) >= MANY_OUTPUTS);
  const ids = old.slice(0, many < 0 ? old.length : many + 1).map((row) => row.job_id);
  if (ids.length === 0) return 0;
  await db.deleteFrom('job_logs').where('job_id', 'in', ids).execute();
  await db.deleteFrom('jobs').where('job_id', 'in', ids).execute();
  return ids.length;
}
