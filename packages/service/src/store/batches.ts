import { type Batch, type BatchCounts, type BatchMember, NO_JOBS } from '@telecine/contract/domain/batch.ts';
import { AFTER_ALL_IDS, firstIdAt } from '@telecine/contract/domain/id-order.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { sql } from 'kysely';
import type { BatchStore } from '../jobs/ports/job-records.ts';
import { omitNullish, parseJsonColumn, recordsOf } from './columns.ts';
import { storedBytes } from './job-reads.ts';
import { countOf, findRow, removeInBatches } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, type Db, dbOf } from './transaction/database.ts';

export const BATCHES = recordsOf<Batch, Schema['batches']>()({
  batchId: 'batch_id',
  clientId: 'client_id',
  createdAt: 'created_at',
  size: 'size',
  callbackUrl: 'callback_url',
});

const DELETE_BATCH = 1000;

export function batchStore({ reader, write }: Database): BatchStore {
  return {
    async insert(tx, batch, members) {
      const row = { ...BATCHES.write(batch), members: JSON.stringify(members) };
      await dbOf(tx).insertInto('batches').values(row).execute();
    },

    async get(batchId) {
      const row = await reader
        .selectFrom('batches')
        .select(BATCHES.columns)
        .where('batch_id', '=', batchId)
        .executeTakeFirst();
      return row && BATCHES.read(row);
    },

    async membersOf(batchId) {
      const row = await findRow(reader, 'batches', { batch_id: batchId });
      return parseJsonColumn<readonly BatchMember[]>(row?.members ?? null) ?? [];
    },

    async statesOf(batchId) {
      const rows = await jobsOfBatches(reader)
        .select(['job_id as jobId', 'status', 'progress', storedBytes.as('bytes')])
        .where('batch_id', '=', batchId)
        .orderBy('job_id')
        .execute();
      return rows.map(({ progress, ...row }) => ({
        ...row,
        ...omitNullish({ progress: parseJsonColumn<Job['progress']>(progress) }),
      }));
    },

    async list({ clientId, limit, before = AFTER_ALL_IDS }) {
      let page = reader
        .selectFrom('batches')
        .select(BATCHES.columns)
        .where('batch_id', '<', before)
        .orderBy('batch_id', 'desc')
        .limit(limit);
      if (clientId !== undefined) page = page.where('client_id', '=', clientId);
      const batches = (await page.execute()).map(BATCHES.read);
      if (batches.length === 0) return [];
      const ids = batches.map(({ batchId }) => batchId);
      const counts = await countByStatus(reader, ids);
      return batches.map((batch) => ({ ...batch, counts: counts.get(batch.batchId) ?? NO_JOBS }));
    },

    countUnfinished: (limit) =>
      countOf(
        reader,
        jobsOfBatches(reader).select('batch_id').where('completed_at', 'is', null).distinct().limit(limit),
      ),

    removeEmptyBefore: (before) =>
      removeInBatches({ write }, DELETE_BATCH, async (db) => {
        const old = db
          .selectFrom('batches as b')
          .select('b.batch_id')
          // Ids sort by time, so compare them with an id of that time. This uses the primary key.
          .where('b.batch_id', '<', firstIdAt(before))
          .where((e) =>
            e.not(
              e.exists(
                e
                  .selectFrom('jobs as j')
                  .select(sql.lit(1).as('one'))
                  .where('j.batch_id', 'is not', null)
                  .whereRef('j.batch_id', '=', 'b.batch_id'),
              ),
            ),
          )
          .limit(DELETE_BATCH);
        const ids = (await old.execute()).map((row) => row.batch_id);
        if (ids.length > 0) await db.deleteFrom('batches').where('batch_id', 'in', ids).execute();
        return ids.length;
      }),
  };
}

/** `batch_id is not null` must be in the SQL text: only then does SQLite use the index with only such jobs. */
const jobsOfBatches = (reader: Db) => reader.selectFrom('jobs').where('batch_id', 'is not', null);

/**
 * Counts the jobs of batches by status, in this process, because for a `group by` the database would sort. A batch has a
 * limited number of jobs.
 */
async function countByStatus(reader: Db, batchIds: readonly string[]): Promise<ReadonlyMap<string, BatchCounts>> {
  const jobs = await jobsOfBatches(reader).select(['batch_id', 'status']).where('batch_id', 'in', batchIds).execute();
  const counts = new Map(batchIds.map((id) => [id, { ...NO_JOBS } as Record<keyof BatchCounts, number>]));
  for (const { batch_id, status } of jobs) {
    const ofBatch = counts.get(batch_id ?? '');
    if (ofBatch !== undefined) ofBatch[status] += 1;
  }
  return counts;
}
