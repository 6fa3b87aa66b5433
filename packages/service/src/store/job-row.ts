import type { Job } from '@telecine/contract/domain/job.ts';
import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { REPLACING_STATUSES } from '@telecine/contract/domain/retries.ts';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../jobs/ports/transactions.ts';
import { recordsOf } from './columns.ts';
import type { Schema } from './schema.ts';

export type JobRow = Selectable<Schema['jobs']>;

const JOBS = recordsOf<Omit<Job, 'slots' | 'queuePaused' | 'retriedAs'>, Schema['jobs']>()({
  jobId: 'job_id',
  clientId: 'client_id',
  status: 'status',
  phase: 'phase',
  phases: { json: 'phases' },
  request: { json: 'request' },
  progress: { json: 'progress' },
  retryOf: 'retry_of',
  attempt: 'attempt',
  workerId: 'worker_id',
  needs: { json: 'needs' },
  batchId: 'batch_id',
  name: 'name',
  watchId: 'watch_id',
  waitingFor: { json: 'waiting_for' },
  releasedAt: 'released_at',
  createdAt: 'created_at',
  startedAt: 'started_at',
  completedAt: 'completed_at',
  cancelRequestedAt: 'cancel_requested_at',
  error: { json: 'error' },
  warnings: { json: 'warnings' },
  outputs: { json: 'outputs' },
  outputCount: 'output_count',
  measurements: { json: 'measurements' },
  outputsExpireAt: 'outputs_expire_at',
  outputsExpired: { flag: 'outputs_expired' },
  traceParent: 'trace_parent',
});

/**
 * The columns that `toJob` reads. The intent is not among them: it takes megabytes if a job publishes thousands of
 * files.
 */
export const JOB_COLUMNS = [...JOBS.columns, 'weight'] as const;

const replacing = sql.join(REPLACING_STATUSES.map((status) => sql.lit(status)));

/** Selects the newest retry of a job. */
export const newestRetry = sql`select max(retry.job_id) from jobs as retry
  where retry.retry_of is not null and retry.retry_of = jobs.job_id`;

/** Selects the newest retry that has taken the place of a job. */
export const replacingRetry = sql`${newestRetry} and retry.status in (${replacing})`;

/** The columns of `JOB_COLUMNS`, and the newest retry that has taken the place of this job. Only a finished job is run again. */
export const SHOWN_COLUMNS = [
  ...JOB_COLUMNS,
  sql<string | null>`case when completed_at is not null then (${replacingRetry}) end`.as('retried_as'),
] as const;

type RowOfJob = Pick<JobRow, (typeof JOB_COLUMNS)[number]> & { readonly retried_as?: string | null };

export const toJob = (row: RowOfJob): Job => ({
  ...JOBS.read(row),
  ...(row.weight > ONE_SLOT && { slots: row.weight / ONE_SLOT }),
  ...(typeof row.retried_as === 'string' && { retriedAs: row.retried_as }),
});

type EndedRow = Omit<JobRow, 'intent'>;

/**
 * The rows of jobs that end, by the transaction that ends them. Later writes of the same transaction then do not have
 * to read the row.
 */
const endedRows = new WeakMap<Tx, EndedRow>();

export const setEndedRow = (tx: Tx, row: EndedRow): void => void endedRows.set(tx, row);

/**
 * Returns the row of a job that this transaction has ended. undefined: the transaction has not ended this job, or no
 * worker had claimed it.
 */
export function endedRow(tx: Tx, jobId: string): EndedRow | undefined {
  const row = endedRows.get(tx);
  return row?.job_id === jobId ? row : undefined;
}

/** What later writes need of a queued job that ends. It has no outputs. */
export type EndedQueued = Pick<
  JobRow,
  'job_id' | 'watch_id' | 'batch_id' | 'created_at' | 'started_at' | 'reserved_media_ms'
> & { readonly has_callback: boolean | 0 | 1 };

/** The queued jobs that end, by their ids, by the transaction that ends them. */
const endedQueued = new WeakMap<Tx, ReadonlyMap<string, EndedQueued>>();

export const setEndedQueued = (tx: Tx, rows: readonly EndedQueued[]): void =>
  void endedQueued.set(tx, new Map(rows.map((row) => [row.job_id, row])));

/** Returns a queued job that this transaction has ended. */
export const endedQueuedRow = (tx: Tx, jobId: string): EndedQueued | undefined => endedQueued.get(tx)?.get(jobId);

/**
 * Returns the watch of a job that this transaction has ended. null: the job has none. undefined: the transaction has not ended this job.
 */
export function watchOfEnded(tx: Tx, jobId: string): string | null | undefined {
  return (endedRow(tx, jobId) ?? endedQueuedRow(tx, jobId))?.watch_id;
}
