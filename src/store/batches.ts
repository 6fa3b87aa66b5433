import { sql } from 'kysely';
import { type Batch, type BatchCounts, type BatchMember, NO_JOBS } from '../domain/batch.ts';
import { AFTER_ALL_IDS, firstIdAt } from '../domain/id-order.ts';
import type { Job } from '../domain/job.ts';
import type { BatchStore } from '../jobs/ports/job-records.ts';
import { omitNullish, parseJsonColumn, recordsOf } from './columns.ts';
import { storedBytes } from './job-reads.ts';
import { countOfRows, removeInBatches } from './queries.ts';
import type { BatchesTable } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

export const BATCHES = recordsOf<Batch, BatchesTable>()({
  batchId: 'batch_id',
  clientId: 'client_id',
  createdAt: 'created_at',
  size: 'size',
  callbackUrl: 'callback_url',
});

/** The most batches that one transaction deletes. */
const DELETE_BATCH = 1000;

export function batchStore({ reader, write }: Database): BatchStore {
  /** The condition is in the SQL text, so that SQLite uses the partial index. */
  const ofBatches = () => reader.selectFrom('jobs').where('batch_id', 'is not', null);

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
      const row = await reader
        .selectFrom('batches')
        .select('members')
        .where('batch_id', '=', batchId)
        .executeTakeFirst();
      return parseJsonColumn<readonly BatchMember[]>(row?.members ?? null) ?? [];
    },

    async statesOf(batchId) {
      const rows = await ofBatches()
        .select(['job_id', 'status', 'progress', storedBytes.as('bytes')])
        .where('batch_id', '=', batchId)
        .orderBy('job_id')
        .execute();
      return rows.map((row) => ({
        jobId: row.job_id,
        status: row.status,
        bytes: row.bytes,
        ...omitNullish({ progress: parseJsonColumn<Job['progress']>(row.progress) }),
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
      // Counted here: the database would sort to group by status. A batch has a bounded number of jobs.
      const jobs = await ofBatches()
        .select(['batch_id', 'status'])
        .where(
          'batch_id',
          'in',
          batches.map(({ batchId }) => batchId),
        )
        .execute();
      const counts = new Map(
        batches.map(({ batchId }) => [batchId, { ...NO_JOBS } as Record<keyof BatchCounts, number>]),
      );
      for (const { batch_id, status } of jobs) {
        const ofBatch = counts.get(batch_id ?? '');
        if (ofBatch !== undefined) ofBatch[status] += 1;
      }
      return batches.map((batch) => ({ ...batch, counts: counts.get(batch.batchId) ?? NO_JOBS }));
    },

    async countUnfinished(limit) {
      const unfinished = ofBatches().select('batch_id').where('completed_at', 'is', null).distinct().limit(limit);
      const row = await reader.selectFrom(unfinished.as('unfinished')).select(countOfRows).executeTakeFirstOrThrow();
      return row.count;
    },

    removeEmptyBefore: (before) =>
      removeInBatches({ write }, DELETE_BATCH, async (db) => {
        const old = db
          .selectFrom('batches as b')
          .select('b.batch_id')
          // Ids sort by time, so the oldest are at one end of the primary key.
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
