import { type ExpressionBuilder, sql } from 'kysely';
import { ONE_SLOT } from '../domain/lane.ts';
import { RANKS_APART } from '../domain/states.ts';
import type { JobStore, NewJob } from '../jobs/ports/job-store.ts';
import { insertMetadata } from './job-metadata.ts';
import { statusIs } from './job-status.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { compileInsert, compileStatement } from './transaction/statement.ts';
import { dbOf } from './transaction/tx.ts';

interface NewRow extends Pick<NewJob, 'jobId' | 'clientId' | 'request' | 'fairnessRank' | 'createdAt'> {
  readonly retryOf: string | null;
  /** null if the database gives it: see `reserveChanges`. */
  readonly changeNumber: number | null;
}

interface RareColumns extends Pick<NewJob, 'lane' | 'weight'> {
  readonly warnings: string | null;
  readonly needs: string | null;
  readonly traceParent: string | null;
  readonly waitingFor: string | null;
  readonly reservedMediaMs: number;
  readonly priority: number;
  readonly batchId: string | null;
  readonly name: string | null;
}

const newRow = (row: NewRow, hasNumber: boolean) => ({
  job_id: row.jobId,
  client_id: row.clientId,
  status: sql.lit('PENDING' as const),
  request: row.request,
  retry_of: row.retryOf,
  turn: row.fairnessRank,
  attempt: sql.lit(0),
  fence: sql.lit(0),
  created_at: row.createdAt,
  ...(hasNumber && { change_number: row.changeNumber }),
});

const jsonOrNull = (texts: readonly string[]): string | null => (texts.length === 0 ? null : JSON.stringify(texts));

/** The writes of a submission. */
export function jobInserts({
  reader,
  lock,
  preparesStatements,
  reserveChanges,
}: Database): Pick<JobStore, 'insert' | 'nextFairnessRank'> {
  const hasNumber = reserveChanges !== undefined;
  const insertRows = compileInsert(
    (rows: readonly NewRow[]) => reader.insertInto('jobs').values(rows.map((row) => newRow(row, hasNumber))),
    preparesStatements,
  );
  // Jobs with warnings, needs, another lane or weight, a trace, jobs to wait for, reserved media or a priority have their own
  // statement, so that the others bind no values for them.
  const insertRareRows = compileInsert(
    (rows: readonly (NewRow & RareColumns)[]) =>
      reader.insertInto('jobs').values(
        rows.map((row) => ({
          ...newRow(row, hasNumber),
          warnings: row.warnings,
          lane: row.lane,
          weight: row.weight,
          needs: row.needs,
          trace_parent: row.traceParent,
          waiting_for: row.waitingFor,
          reserved_media_ms: row.reservedMediaMs,
          priority: row.priority,
          batch_id: row.batchId,
          name: row.name,
        })),
      ),
    preparesStatements,
  );
  // A job that was cancelled before it started used no rank, so only started jobs count.
  const highestStarted = (e: ExpressionBuilder<Schema, never>) =>
    e
      .selectFrom('jobs')
      .select((j) => j.fn.max('turn').as('turn'))
      .where('started_at', 'is not', null);
  const lastRanks = compileStatement((p: { clientId: string }) =>
    reader.selectNoFrom((e) => [
      highestStarted(e).as('started'),
      e
        .selectFrom('jobs')
        .select('client_id')
        .where('started_at', 'is not', null)
        .where('turn', '=', highestStarted(e))
        // Clients often share a rank. The text is not the column, so that no index of clients is read, which has all their jobs.
        .where(sql`client_id || ''`, '=', p.clientId)
        .limit(sql.lit(1))
        .as('startedBy'),
      e
        .selectFrom('jobs')
        .select('turn')
        .where('client_id', '=', p.clientId)
        .where(statusIs('PENDING'))
        // A job that waits for others gets its rank when it is released.
        .where('waiting_for', 'is', null)
        .orderBy('turn', 'desc')
        .limit(sql.lit(1))
        .as('queued'),
    ]),
  );

  return {
    async insert(tx, jobs) {
      if (jobs.length === 0) return;
      const db = dbOf(tx);
      // PostgreSQL numbers the rows itself. An await there would delay the insert behind later statements of the caller.
      const firstNumber = reserveChanges && (await reserveChanges(db, jobs.length));
      const plain: NewRow[] = [];
      const rare: (NewRow & RareColumns)[] = [];
      for (const [index, job] of jobs.entries()) {
        const { jobId, clientId, request, fairnessRank, createdAt, lane, weight, needs, batch } = job;
        const { retryOf = null, warnings = null, traceParent = null, waitingFor = [], priority = 0 } = job;
        const reservedMediaMs = Math.round((job.reservedMediaSeconds ?? 0) * 1000);
        const changeNumber = firstNumber === undefined ? null : firstNumber + index;
        const row = { jobId, clientId, request, retryOf, fairnessRank, createdAt, changeNumber };
        const isOrdinary = needs.length === 0 && lane === 'full' && weight === ONE_SLOT;
        const isPlain = warnings === null && traceParent === null && reservedMediaMs === 0 && priority === 0;
        if (isOrdinary && isPlain && waitingFor.length === 0 && batch === undefined) plain.push(row);
        else
          rare.push({
            ...row,
            lane,
            weight,
            warnings,
            traceParent,
            reservedMediaMs,
            priority,
            needs: jsonOrNull(needs),
            waitingFor: jsonOrNull(waitingFor),
            batchId: batch?.batchId ?? null,
            name: batch?.name ?? null,
          });
      }
      const inserted = [insertRows(db, plain), insertRareRows(db, rare)];
      if (jobs.some(({ metadata }) => metadata !== undefined)) inserted.push(insertMetadata(db, jobs));
      await Promise.all(inserted);
    },

    async nextFairnessRank(tx, clientId) {
      const db = dbOf(tx);
      // Started in this order, because the ranks are read under the lock.
      const locked = lock?.(db, 'rank of client', clientId);
      const [{ rows }] = await Promise.all([lastRanks(db, { clientId }), locked]);
      const [last] = rows;
      const afterStarted = (last?.started ?? 0) + (last?.startedBy === clientId ? RANKS_APART : 1);
      const queued = last?.queued ?? null;
      return queued === null ? afterStarted : Math.max(afterStarted, queued + RANKS_APART);
    },
  };
}
