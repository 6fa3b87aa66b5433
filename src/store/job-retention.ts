import type { JobStore } from '../jobs/ports/job-store.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** The most jobs that one transaction deletes, with logs of up to 64 KiB each, because submissions wait for it. */
const DELETE_BATCH = 100;

export function jobRetention({ transactions, lock }: Database): Pick<JobStore, 'removeFinishedBefore'> {
  const removeSome = (before: string): Promise<number> =>
    transactions.run(async (tx) => {
      const db = dbOf(tx);
      // One process at a time: two would wait for each other's rows.
      await lock?.(db, 'old jobs', '');
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
    });

  return {
    async removeFinishedBefore(before) {
      let removed = 0;
      for (let batch = DELETE_BATCH; batch === DELETE_BATCH; removed += batch) batch = await removeSome(before);
      return removed;
    },
  };
}
