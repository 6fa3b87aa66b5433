import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { RANKS_APART } from '@telecine/contract/domain/queue-order.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import type { JobStore, NewJob } from '../jobs/ports/job-store.ts';
import { insertMetadata } from './job-metadata.ts';
import type { JobRow } from './job-row.ts';
import { statusIs } from './queries.ts';
import type { Schema } from './schema.ts';
import { type Database, dbOf } from './transaction/database.ts';
import { compileInsert, compileStatement } from './transaction/statement.ts';

const USUAL_COLUMNS = ['job_id', 'client_id', 'request', 'retry_of', 'fairness_rank', 'created_at'] as const;

/** The columns that few jobs use, with their usual values. For other jobs, the insert leaves these columns out. */
const RARE_VALUES = {
  warnings: null,
  lane: 'full',
  weight: ONE_SLOT,
  needs: null,
  trace_parent: null,
  waiting_for: null,
  reserved_media_ms: 0,
  priority: 0,
  batch_id: null,
  name: null,
} as const satisfies Partial<JobRow>;

const RARE_COLUMNS = Object.keys(RARE_VALUES) as readonly (keyof typeof RARE_VALUES)[];

/** The values that all new jobs have. */
const QUEUED = { status: sql.lit('PENDING' as const), attempt: sql.lit(0), fence: sql.lit(0) };

/** The row of a new job. `change_number`: null if the database assigns it; see `reserveChanges`. */
type NewRow = Pick<JobRow, (typeof USUAL_COLUMNS)[number] | keyof typeof RARE_VALUES | 'change_number'>;

const jsonOrNull = (texts: readonly string[]): string | null => (texts.length === 0 ? null : JSON.stringify(texts));

const toRow = (job: NewJob, changeNumber: number | null): NewRow => ({
  job_id: job.jobId,
  client_id: job.clientId,
  request: job.request,
  retry_of: job.retryOf ?? null,
  fairness_rank: job.fairnessRank,
  created_at: job.createdAt,
  warnings: job.warnings ?? null,
  lane: job.lane,
  weight: job.weight,
  needs: jsonOrNull(job.needs),
  trace_parent: job.traceParent ?? null,
  waiting_for: jsonOrNull(job.waitingFor ?? []),
  reserved_media_ms: Math.round((job.reservedMediaSeconds ?? 0) * 1000),
  priority: job.priority ?? 0,
  batch_id: job.batch?.batchId ?? null,
  name: job.batch?.name ?? null,
  change_number: changeNumber,
});

export function jobInserts({
  reader,
  lock,
  preparesStatements,
  reserveChanges,
}: Database): Pick<JobStore, 'insert' | 'nextFairnessRank'> {
  const numbered = reserveChanges === undefined ? [] : (['change_number'] as const);
  const insertOf = (columns: readonly (keyof NewRow)[]) => {
    const valuesOf = (row: NewRow) => Object.fromEntries(columns.map((column) => [column, row[column]])) as NewRow;
    return compileInsert(
      (rows: readonly NewRow[]) =>
        reader.insertInto('jobs').values(rows.map((row) => ({ ...valuesOf(row), ...QUEUED }))),
      preparesStatements,
    );
  };
  const insertUsual = insertOf([...USUAL_COLUMNS, ...numbered]);
  const insertRare = insertOf([...USUAL_COLUMNS, ...numbered, ...RARE_COLUMNS]);
  // Only started jobs count, because a job that was cancelled before it started used no rank.
  const highestStarted = (e: ExpressionBuilder<Schema, never>) =>
    e
      .selectFrom('jobs')
      .select((j) => j.fn.max('fairness_rank').as('fairness_rank'))
      .where('started_at', 'is not', null);
  const lastRanks = compileStatement((p: { clientId: string }) =>
    reader.selectNoFrom((e) => [
      highestStarted(e).as('started'),
      e
        .selectFrom('jobs')
        .select('client_id')
        .where('started_at', 'is not', null)
        .where('fairness_rank', '=', highestStarted(e))
        // Several clients often share a rank. The expression prevents the use of an index by client, which would read
        // all jobs of the client.
        .where(sql`client_id || ''`, '=', p.clientId)
        .limit(sql.lit(1))
        .as('startedBy'),
      e
        .selectFrom('jobs')
        .select('fairness_rank')
        .where('client_id', '=', p.clientId)
        .where(statusIs('PENDING'))
        // Skip jobs that wait for other jobs, because they get their rank when they are released.
        .where('waiting_for', 'is', null)
        .orderBy('fairness_rank', 'desc')
        .limit(sql.lit(1))
        .as('queued'),
    ]),
  );

  return {
    async insert(tx, jobs) {
      if (jobs.length === 0) return;
      const db = dbOf(tx);
      // Await only if numbers must be reserved. PostgreSQL numbers the rows itself, and there an await would delay the
      // insert behind later statements of the caller.
      const firstNumber = reserveChanges && (await reserveChanges(db, jobs.length));
      const rows = jobs.map((job, index) => toRow(job, firstNumber === undefined ? null : firstNumber + index));
      const isRare = (row: NewRow): boolean => RARE_COLUMNS.some((column) => row[column] !== RARE_VALUES[column]);
      const { usual = [], rare = [] } = Object.groupBy(rows, (row) => (isRare(row) ? 'rare' : 'usual'));
      const inserted = [insertUsual(db, usual), insertRare(db, rare)];
      if (jobs.some(({ metadata }) => metadata !== undefined)) inserted.push(insertMetadata(db, jobs));
      await Promise.all(inserted);
    },

    async nextFairnessRank(tx, clientId) {
      const db = dbOf(tx);
      // Start the lock first, because the ranks must be read while it is held.
      const locked = lock?.(db, 'rank of client', clientId);
      const [{ rows }] = await Promise.all([lastRanks(db, { clientId }), locked]);
      const [last] = rows;
      const afterStarted = (last?.started ?? 0) + (last?.startedBy === clientId ? RANKS_APART : 1);
      const queued = last?.queued ?? null;
      return queued === null ? afterStarted : Math.max(afterStarted, queued + RANKS_APART);
    },
  };
}
