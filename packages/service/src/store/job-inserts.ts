import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { sql } from 'kysely';
import type { JobStore, NewJob } from '../jobs/ports/job-store.ts';
import { insertMetadata } from './job-metadata.ts';
import type { JobRow } from './job-row.ts';
import { type Database, dbOf } from './transaction/database.ts';
import { compileInsert } from './transaction/statement.ts';

const USUAL_COLUMNS = ['job_id', 'client_id', 'request', 'retry_of', 'created_at'] as const;

/**
 * The columns that few new jobs set, with the value that the database sets otherwise. An insert of jobs with only these
 * values leaves the columns out.
 */
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
  watch_id: null,
  submitted_by: null,
} as const satisfies Partial<JobRow>;

const RARE_COLUMNS = Object.keys(RARE_VALUES) as readonly (keyof typeof RARE_VALUES)[];

/** Earlier versions ordered the queue by ranks, and read them while they run beside this one. */
export const NO_RANK = 0;

const QUEUED = {
  status: sql.lit('PENDING' as const),
  attempt: sql.lit(0),
  fence: sql.lit(0),
  fairness_rank: sql.lit(NO_RANK),
};

/** The row of a new job. `change_number`: null if a trigger assigns it. See `reserveChanges`. */
type NewRow = Pick<JobRow, (typeof USUAL_COLUMNS)[number] | keyof typeof RARE_VALUES | 'change_number'>;

const jsonOrNull = (texts: readonly string[]): string | null => (texts.length === 0 ? null : JSON.stringify(texts));

const toRow = (job: NewJob, changeNumber: number | null): NewRow => ({
  job_id: job.jobId,
  client_id: job.clientId,
  request: job.request,
  retry_of: job.retryOf ?? null,
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
  watch_id: job.watchId ?? null,
  submitted_by: job.submittedBy ?? null,
  change_number: changeNumber,
});

export function jobInserts({ preparesStatements, reserveChanges }: Database): Pick<JobStore, 'insert'> {
  const numbered = reserveChanges === undefined ? [] : (['change_number'] as const);
  const insertOf = (columns: readonly (keyof NewRow)[]) => {
    const valuesOf = (row: NewRow) => Object.fromEntries(columns.map((column) => [column, row[column]])) as NewRow;
    return compileInsert(
      (db, rows: readonly NewRow[]) =>
        db.insertInto('jobs').values(rows.map((row) => ({ ...valuesOf(row), ...QUEUED }))),
      preparesStatements,
    );
  };
  const insertUsual = insertOf([...USUAL_COLUMNS, ...numbered]);
  const insertRare = insertOf([...USUAL_COLUMNS, ...numbered, ...RARE_COLUMNS]);

  return {
    async insert(tx, jobs) {
      if (jobs.length === 0) return;
      const db = dbOf(tx);
      // Await only if numbers are reserved. On PostgreSQL, a trigger numbers the rows, and an await would send the
      // insert after later statements of the caller.
      const firstNumber = reserveChanges && (await reserveChanges(db, jobs.length));
      const rows = jobs.map((job, index) => toRow(job, firstNumber === undefined ? null : firstNumber + index));
      const isRare = (row: NewRow): boolean => RARE_COLUMNS.some((column) => row[column] !== RARE_VALUES[column]);
      const { usual = [], rare = [] } = Object.groupBy(rows, (row) => (isRare(row) ? 'rare' : 'usual'));
      const inserted = [insertUsual(db, usual), insertRare(db, rare)];
      if (jobs.some(({ metadata }) => metadata !== undefined)) inserted.push(insertMetadata(db, jobs));
      await Promise.all(inserted);
    },
  };
}
