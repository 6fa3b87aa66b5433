import type { DependencyStore, ReleasedJob } from '../jobs/ports/job-records.ts';
import { parseJsonColumn, toJsonColumn } from './columns.ts';
import { chunksOf, countOf, statusIs, updateRows } from './queries.ts';
import { type Database, type Db, dbOf, hasRowLocks } from './transaction/database.ts';

/**
 * Stores which jobs wait for which other jobs. The column `jobs.waiting_for` repeats the parents of a job, so that
 * reading a job needs no other table.
 */
export function dependencyStore(database: Database): DependencyStore {
  const { reader } = database;
  const locksRows = hasRowLocks(database);

  return {
    async lockParents(tx, jobIds) {
      const rows = dbOf(tx)
        .selectFrom('jobs')
        .select(['job_id as jobId', 'client_id as clientId', 'status'])
        .where('job_id', 'in', jobIds)
        // Lock the rows in the same order in all transactions, so that they do not deadlock.
        .orderBy('job_id');
      return (locksRows ? rows.forShare() : rows).execute();
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

    async removeParent(tx, parentId, limit) {
      const db = dbOf(tx);
      const next = await db
        .selectFrom('job_dependencies')
        .select('job_id')
        .where('parent_id', '=', parentId)
        .orderBy('job_id')
        .limit(limit + 1)
        .execute();
      if (next.length === 0) return { released: [], isMore: false };
      const isMore = next.length > limit;
      const ids = next.slice(0, limit).map((row) => row.job_id);
      const released = await releaseFrom(db, parentId, ids, locksRows);
      if (isMore) await updateRows(db, 'job_dependencies', { is_complete: 1 }, { parent_id: parentId, is_complete: 0 });
      return { released, isMore };
    },

    async release(tx, jobId, at) {
      await updateRows(dbOf(tx), 'jobs', { waiting_for: null, released_at: at }, { job_id: jobId });
    },

    async removeJobs(tx, jobIds) {
      await dbOf(tx).deleteFrom('job_dependencies').where('job_id', 'in', jobIds).execute();
    },

    countWaiting: (limit) =>
      countOf(reader, reader.selectFrom('job_dependencies').select('job_id').distinct().limit(limit)),

    dependentsOf: (parentIds, limit) =>
      reader
        .selectFrom('job_dependencies as d')
        .innerJoin('jobs as j', 'j.job_id', 'd.job_id')
        .select(['d.parent_id as parentId', 'd.job_id as jobId', 'j.client_id as clientId'])
        .where('d.parent_id', 'in', parentIds)
        .limit(limit)
        .execute(),

    async parents(afterParentId, limit) {
      const found = await reader
        .selectFrom('job_dependencies')
        .select((e) => ['parent_id as parentId', e.fn.max('is_complete').as('isComplete')])
        .where('parent_id', '>', afterParentId)
        .groupBy('parent_id')
        .orderBy('parent_id')
        .limit(limit)
        .execute();
      if (found.length === 0) return [];
      const ids = found.map(({ parentId }) => parentId);
      const rows = await reader.selectFrom('jobs').select(['job_id', 'status']).where('job_id', 'in', ids).execute();
      const statuses = new Map(rows.map(({ job_id, status }) => [job_id, status]));
      return found.map(({ parentId, isComplete }) => ({
        parentId,
        status: isComplete === 1 ? 'COMPLETED' : statuses.get(parentId),
      }));
    },
  };
}

/** Removes a parent from jobs that wait for it. Returns those that wait for no other job, by id. */
async function releaseFrom(
  db: Db,
  parentId: string,
  jobIds: readonly string[],
  locksRows: boolean,
): Promise<readonly ReleasedJob[]> {
  const dependents = db
    .selectFrom('jobs')
    .select(['job_id as jobId', 'client_id as clientId', 'priority', 'lane', 'weight', 'needs', 'waiting_for'])
    .where('job_id', 'in', jobIds)
    .where(statusIs('PENDING'))
    .where('waiting_for', 'is not', null);
  const rows = await (locksRows ? dependents.orderBy('job_id').forUpdate() : dependents).execute();
  await db.deleteFrom('job_dependencies').where('parent_id', '=', parentId).where('job_id', 'in', jobIds).execute();
  const released: ReleasedJob[] = [];
  for (const { needs, waiting_for, ...job } of rows) {
    const rest = (parseJsonColumn<string[]>(waiting_for) ?? []).filter((id) => id !== parentId);
    if (rest.length === 0) released.push({ ...job, needs: parseJsonColumn<string[]>(needs) ?? [] });
    else await updateRows(db, 'jobs', { waiting_for: toJsonColumn(rest) }, { job_id: job.jobId });
  }
  return released.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
}
