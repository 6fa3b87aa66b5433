import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { type Chunk, type ChunkClaim, type ChunkStore, ClaimLost } from '../jobs/ports/chunk-store.ts';
import type { Claim } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { omitNullish, parseJsonColumn, toJsonColumn } from './columns.ts';
import { NO_RANK } from './job-inserts.ts';
import { FINISHED_STATUSES, chunksOf as groupsOf, hasValues, rowsChanged } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf, hasRowLocks } from './transaction/database.ts';

type Row = Selectable<Schema['job_chunks']>;

const toChunk = (row: Row): Chunk => ({
  chunkId: row.chunk_id,
  jobId: row.job_id,
  clientId: row.client_id,
  place: row.place,
  task: row.task,
  state: row.state,
  fence: row.fence,
  doneSeconds: Number(row.done_ms) / 1000,
  ...omitNullish({ facts: row.facts, error: parseJsonColumn<NonNullable<Chunk['error']>>(row.error) }),
});

const toClaim = (row: Row): ChunkClaim => ({ chunk: toChunk(row), fence: row.fence });

type Chunks = ExpressionBuilder<Schema, 'job_chunks'>;

/** The row of a chunk, if the claim with this fence is still valid. */
const isHeld = ({ chunk, fence }: ChunkClaim): Expression<SqlBool> =>
  hasValues<'job_chunks'>({ chunk_id: chunk.chunkId, fence, state: 'RUNNING' });

/** The row of a job, if this claim is still valid. */
const holdsJob = ({ job, fence }: Claim): Expression<SqlBool> =>
  hasValues<'jobs'>({ job_id: job.jobId, fence, status: 'PROCESSING' });

/** True for all chunks while this claim of a job is valid. */
const isClaimed =
  (claim: Claim | undefined) =>
  (e: Chunks): Expression<SqlBool> =>
    claim === undefined
      ? e.lit(true)
      : e.exists(e.selectFrom('jobs').select(sql.lit(1).as('one')).where(holdsJob(claim)));

/** Whether the job of a chunk has not ended, and nobody has asked to cancel it. */
const isWanted = (e: Chunks): Expression<SqlBool> =>
  e.exists(
    e
      .selectFrom('jobs')
      .select(sql.lit(1).as('one'))
      .whereRef('jobs.job_id', '=', 'job_chunks.job_id')
      .where('jobs.status', 'not in', FINISHED_STATUSES)
      .where('jobs.cancel_requested_at', 'is', null),
  );

export function chunkStore(database: Database): ChunkStore {
  const { reader, write, now } = database;
  const locksRows = hasRowLocks(database);

  const claimed = (workerId: string | undefined, jobFence: number | null) => ({
    state: 'RUNNING' as const,
    fence: sql<number>`fence + 1`,
    job_fence: jobFence,
    worker_id: workerId ?? null,
    reported_at: now(),
    done_ms: 0,
    error: null,
  });

  /** Changes the chunk of a claim. Resolves to false if the claim is no longer valid. */
  const changeHeld = async (tx: Tx, claim: ChunkClaim, set: Updateable<Schema['job_chunks']>): Promise<boolean> =>
    (await rowsChanged(dbOf(tx), dbOf(tx).updateTable('job_chunks').set(set).where(isHeld(claim)))) > 0;

  return {
    async insert(tx, job, chunks) {
      const db = dbOf(tx);
      const claim = db.selectFrom('jobs').select('job_id').where(holdsJob(job));
      if ((await (locksRows ? claim.forShare() : claim).executeTakeFirst()) === undefined) throw new ClaimLost();
      const rows = chunks.map(({ chunkId, jobId, clientId, place, task }) => ({
        ...{ chunk_id: chunkId, job_id: jobId, client_id: clientId, place, task, fairness_rank: NO_RANK },
      }));
      for (const group of groupsOf(rows)) await db.insertInto('job_chunks').values(group).execute();
    },

    list: async (jobId) => {
      const rows = await reader
        .selectFrom('job_chunks')
        .selectAll()
        .where('job_id', '=', jobId)
        .orderBy('place')
        .execute();
      return rows.map(toChunk);
    },

    adopt: async (tx, fromJobId, job) => {
      const ended = dbOf(tx).selectFrom('jobs').select('job_id').where('job_id', '=', fromJobId);
      const rows = dbOf(tx)
        .updateTable('job_chunks')
        .set({
          ...{ job_id: job.job.jobId, job_fence: null },
          state: sql<Chunk['state']>`case state when 'DONE' then 'DONE' else 'READY' end`,
        })
        .where('job_id', 'in', ended.where('status', 'in', FINISHED_STATUSES))
        .where(isClaimed(job));
      return rowsChanged(dbOf(tx), rows);
    },

    async claim(tx, chunkId, workerId) {
      const row = await dbOf(tx)
        .updateTable('job_chunks')
        .set(claimed(workerId, null))
        .where('chunk_id', '=', chunkId)
        .where('state', 'in', ['READY', 'RUNNING'])
        .where('job_fence', 'is', null)
        .where(isWanted)
        .returningAll()
        .executeTakeFirst();
      return row && toClaim(row);
    },

    claimNext: (job, lostSeconds, workerId) =>
      write(async (db) => {
        const { jobId } = job.job;
        const isFree = (e: Chunks) =>
          e.or([
            e('state', 'in', ['READY', 'FAILED']),
            e.and([
              e('state', '=', 'RUNNING'),
              e.or([e('job_fence', '<', job.fence), e('reported_at', '<', now(-lostSeconds))]),
            ]),
          ]);
        const free = db
          .selectFrom('job_chunks')
          .select('chunk_id')
          .where('job_id', '=', jobId)
          .where(isFree)
          .orderBy('place')
          .limit(1);
        const row = await db
          .updateTable('job_chunks')
          .set(claimed(workerId, job.fence))
          .where('chunk_id', '=', locksRows ? free.forUpdate().skipLocked() : free)
          // Another transaction may have claimed the chunk since the statement began.
          .where(isFree)
          .where(isClaimed(job))
          .returningAll()
          .executeTakeFirst();
        return row && toClaim(row);
      }),

    progress: (claim, doneSeconds) =>
      write(
        async (db) => {
          const set = { reported_at: now(), done_ms: Math.round(doneSeconds * 1000) };
          const row = db.updateTable('job_chunks').set(set).where(isHeld(claim)).where(isWanted);
          return (await rowsChanged(db, row)) > 0;
        },
        { durable: false },
      ),

    finish: (tx, claim, facts) => changeHeld(tx, claim, { state: 'DONE', facts, error: null }),

    fail: (tx, claim, error) => changeHeld(tx, claim, { state: 'FAILED', error: toJsonColumn(error) }),

    giveBack: (tx, claim) => changeHeld(tx, claim, { state: 'READY', job_fence: null, done_ms: 0 }),

    reopen: async (tx, job, chunkId) => {
      const row = dbOf(tx)
        .updateTable('job_chunks')
        .set({ state: 'READY', job_fence: null, facts: null, done_ms: 0 })
        .where(hasValues<'job_chunks'>({ chunk_id: chunkId, state: 'DONE' }))
        .where(isClaimed(job));
      await rowsChanged(dbOf(tx), row);
    },

    takeFree: (tx, job) =>
      dbOf(tx)
        .deleteFrom('job_chunks')
        .where('job_id', '=', job.job.jobId)
        .where('state', 'in', ['READY', 'FAILED'])
        .where(isClaimed(job))
        .returning(['task', 'place'])
        .execute(),

    fileIds: async () => {
      const rows = await reader.selectFrom('job_chunks').select(['chunk_id', 'fence']).where('fence', '>', 0).execute();
      return new Set(rows.map(({ chunk_id, fence }) => `${chunk_id}.${fence}`));
    },

    remove: (jobId, claim) =>
      write((db) =>
        db
          .deleteFrom('job_chunks')
          .where('job_id', '=', jobId)
          .where(isClaimed(claim))
          .returning(['chunk_id as chunkId', 'fence'])
          .execute(),
      ),

    ofEndedJobs: async (before) => {
      const rows = await reader
        .selectFrom('job_chunks')
        .leftJoin('jobs', 'jobs.job_id', 'job_chunks.job_id')
        .select('job_chunks.job_id as jobId')
        .distinct()
        .where((e) =>
          e.or([
            e('jobs.job_id', 'is', null),
            e('jobs.status', 'in', ['COMPLETED', 'CANCELLED']),
            e.and([e('jobs.status', '=', 'FAILED'), e('jobs.completed_at', '<', before)]),
          ]),
        )
        .execute();
      return rows.map(({ jobId }) => jobId);
    },
  };
}
