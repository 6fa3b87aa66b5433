import type { DependencyStore } from '../jobs/ports/dependencies.ts';
import { chunksOf } from './chunks-of.ts';
import { parseJsonColumn, toJsonColumn } from './job-row.ts';
import { statusIs } from './job-status.ts';
import { countOfRows } from './transaction/count-of-rows.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** Which jobs wait for which. `jobs.waiting_for` repeats the rows of a job, so that a read of the job needs no others. */
export function dependencyStore({ reader, lock }: Database): DependencyStore {
  // Without a lock, transactions run one after the other, and the database knows no locks of rows.
  const hasRowLocks = lock !== undefined;

  return {
    async lockParents(tx, jobIds) {
      const rows = dbOf(tx)
        .selectFrom('jobs')
        .select(['job_id as jobId', 'client_id as clientId', 'status'])
        .where('job_id', 'in', jobIds)
        // In one order everywhere, so that no two transactions wait for each other.
        .orderBy('job_id');
      return (hasRowLocks ? rows.forShare() : rows).execute();
    },

    async countDependents(tx, parentIds) {
      const rows = await dbOf(tx)
        .selectFrom('job_dependencies')
        .select((e) => ['parent_id', e.fn.countAll<number>().as('n')])
        .where('parent_id', 'in', parentIds)
        .groupBy('parent_id')
        .execute();
      return new Map(rows.map(({ parent_id, n }) => [parent_id, n]));
    },

    async add(tx, dependencies) {
      const rows = dependencies.map(({ jobId, parentId }) => ({ job_id: jobId, parent_id: parentId }));
      for (const chunk of chunksOf(rows)) await dbOf(tx).insertInto('job_dependencies').values(chunk).execute();
    },

    async removeParent(tx, parentId) {
      const db = dbOf(tx);
      const dependents = db
        .selectFrom('jobs')
        .select(['job_id', 'client_id', 'priority', 'lane', 'weight', 'needs', 'waiting_for'])
        .where('job_id', 'in', (e) =>
          e.selectFrom('job_dependencies').select('job_dependencies.job_id').where('parent_id', '=', parentId),
        )
        .where(statusIs('PENDING'))
        .where('waiting_for', 'is not', null);
      const rows = await (hasRowLocks ? dependents.orderBy('job_id').forUpdate() : dependents).execute();
      if (rows.length === 0) return [];
      await db.deleteFrom('job_dependencies').where('parent_id', '=', parentId).execute();
      const waiting = rows.map((row) => ({
        ...row,
        rest: (parseJsonColumn<string[]>(row.waiting_for) ?? []).filter((id) => id !== parentId),
      }));
      for (const { job_id, rest } of waiting)
        if (rest.length > 0)
          await db
            .updateTable('jobs')
            .set({ waiting_for: toJsonColumn(rest) })
            .where('job_id', '=', job_id)
            .execute();
      return waiting
        .filter(({ rest }) => rest.length === 0)
        .map(({ job_id, client_id, priority, lane, weight, needs }) => ({
          jobId: job_id,
          clientId: client_id,
          priority,
          lane,
          weight,
          needs: parseJsonColumn<string[]>(needs) ?? [],
        }))
        .toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
    },

    async release(tx, jobId, fairnessRank, at) {
      await dbOf(tx)
        .updateTable('jobs')
        .set({ waiting_for: null, released_at: at, turn: fairnessRank })
        .where('job_id', '=', jobId)
        .execute();
    },

    async removeJob(tx, jobId) {
      await dbOf(tx).deleteFrom('job_dependencies').where('job_id', '=', jobId).execute();
    },

    async countWaiting(limit) {
      const waiting = reader.selectFrom('job_dependencies').select('job_id').distinct().limit(limit).as('waiting');
      const row = await reader.selectFrom(waiting).select(countOfRows).executeTakeFirstOrThrow();
      return row.count;
    },

    async dependentsOf(parentId, limit) {
      const rows = await reader
        .selectFrom('job_dependencies as d')
        .innerJoin('jobs as j', 'j.job_id', 'd.job_id')
        .select(['d.job_id as jobId', 'j.client_id as clientId'])
        .where('d.parent_id', '=', parentId)
        .limit(limit)
        .execute();
      return rows;
    },

    async parents(afterParentId, limit) {
      const ids = await reader
        .selectFrom('job_dependencies')
        .select('parent_id')
        .distinct()
        .where('parent_id', '>', afterParentId)
        .orderBy('parent_id')
        .limit(limit)
        .execute();
      if (ids.length === 0) return [];
      const rows = await reader
        .selectFrom('jobs')
        .select(['job_id', 'status'])
        .where(
          'job_id',
          'in',
          ids.map((row) => row.parent_id),
        )
        .execute();
      const statuses = new Map(rows.map(({ job_id, status }) => [job_id, status]));
      return ids.map(({ parent_id }) => ({ parentId: parent_id, status: statuses.get(parent_id) }));
    },
  };
}
