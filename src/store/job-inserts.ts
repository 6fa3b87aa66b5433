import { sql } from 'kysely';
import { ONE_SLOT } from '../domain/lane.ts';
import { RANKS_APART } from '../domain/states.ts';
import type { JobStore, NewJob } from '../jobs/ports/job-store.ts';
import { insertMetadata } from './job-metadata.ts';
import { statusIs } from './job-status.ts';
import type { Database } from './transaction/database.ts';
import { compileInsert, compileStatement } from './transaction/statement.ts';
import { dbOf } from './transaction/tx.ts';

interface NewRow extends Omit<NewJob, 'retryOf' | 'warnings' | 'needs' | 'metadata' | 'traceParent'> {
  readonly retryOf: string | null;
}

interface RareColumns {
  readonly warnings: string | null;
  readonly needs: string | null;
  readonly traceParent: string | null;
}

const newRow = (row: NewRow) => ({
  job_id: row.jobId,
  client_id: row.clientId,
  status: sql.lit('PENDING' as const),
  request: row.request,
  retry_of: row.retryOf,
  turn: row.fairnessRank,
  attempt: sql.lit(0),
  fence: sql.lit(0),
  created_at: row.createdAt,
});

/** The writes of a submission. */
export function jobInserts({ reader, lock }: Database): Pick<JobStore, 'insert' | 'nextFairnessRank'> {
  const insertRows = compileInsert((rows: readonly NewRow[]) => reader.insertInto('jobs').values(rows.map(newRow)));
  // Jobs with warnings, needs, another lane or weight, or a trace have their own statement, so that the others bind no values
  // for them.
  const insertRareRows = compileInsert((rows: readonly (NewRow & RareColumns)[]) =>
    reader.insertInto('jobs').values(
      rows.map((row) => ({
        ...newRow(row),
        warnings: row.warnings,
        lane: row.lane,
        weight: row.weight,
        needs: row.needs,
        trace_parent: row.traceParent,
      })),
    ),
  );
  // A job that was cancelled before it started used no rank, so only started jobs count. Where one
  // process gives all ids, the newest queued job of a client has the highest rank, and no index of ranks is needed.
  const highestRank = lock === undefined ? 'job_id' : 'turn';
  const lastRanks = compileStatement((p: { clientId: string }) =>
    reader.selectNoFrom((e) => [
      e
        .selectFrom('jobs')
        .select((j) => j.fn.max('turn').as('turn'))
        .where('started_at', 'is not', null)
        .as('started'),
      e
        .selectFrom('jobs')
        .select('turn')
        .where('client_id', '=', p.clientId)
        .where(statusIs('PENDING'))
        .orderBy(highestRank, 'desc')
        .limit(sql.lit(1))
        .as('queued'),
    ]),
  );

  return {
    async insert(tx, jobs) {
      const plain: NewRow[] = [];
      const rare: (NewRow & RareColumns)[] = [];
      for (const { warnings = null, traceParent = null, needs, metadata: _, ...job } of jobs) {
        const row = { ...job, retryOf: job.retryOf ?? null };
        const isOrdinary = needs.length === 0 && job.lane === 'full' && job.weight === ONE_SLOT;
        if (isOrdinary && warnings === null && traceParent === null) plain.push(row);
        else rare.push({ ...row, warnings, traceParent, needs: needs.length === 0 ? null : JSON.stringify(needs) });
      }
      const db = dbOf(tx);
      const inserted = [insertRows(db, plain), insertRareRows(db, rare)];
      await Promise.all([...inserted, insertMetadata(db, jobs)]);
    },

    async nextFairnessRank(tx, clientId) {
      const db = dbOf(tx);
      // Started in this order, because the ranks are read under the lock.
      const locked = lock?.(db, 'rank of client', clientId);
      const [{ rows }] = await Promise.all([lastRanks(db, { clientId }), locked]);
      const [last] = rows;
      const afterStarted = (last?.started ?? 0) + 1;
      const queued = last?.queued ?? null;
      return queued === null ? afterStarted : Math.max(afterStarted, queued + RANKS_APART);
    },
  };
}
