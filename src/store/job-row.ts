import type { Selectable } from 'kysely';
import { FIRST_OUTPUTS, type Job, type JobOutput } from '../domain/job.ts';
import { ONE_SLOT } from '../domain/lane.ts';
import { omitNullish } from './omit-nullish.ts';
import type { JobsTable } from './schema.ts';

export type JobRow = Selectable<JobsTable>;

/** Reads a JSON column. This service wrote it, so its shape is not checked. */
export const parseJsonColumn = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);

/** Writes a JSON column. */
export const toJsonColumn = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** The first outputs of a job, and the number of all. Earlier versions stored all of them here. */
function outputsOf(row: Pick<JobRow, 'outputs' | 'output_count'>): Pick<Job, 'outputs' | 'outputCount'> {
  const stored = parseJsonColumn<readonly JobOutput[]>(row.outputs);
  if (stored === undefined) return {};
  const count = row.output_count ?? stored.length;
  return { outputs: stored.slice(0, FIRST_OUTPUTS), ...(count > FIRST_OUTPUTS && { outputCount: count }) };
}

/** The columns that `toJob` reads. The intent of a job that publishes thousands of files has megabytes. */
export const JOB_COLUMNS = [
  'job_id',
  'client_id',
  'status',
  'phase',
  'phases',
  'request',
  'progress',
  'retry_of',
  'attempt',
  'created_at',
  'started_at',
  'completed_at',
  'cancel_requested_at',
  'error',
  'outputs',
  'output_count',
  'warnings',
  'needs',
  'weight',
  'batch_id',
  'name',
  'waiting_for',
  'released_at',
  'worker_id',
  'trace_parent',
  'outputs_expire_at',
  'outputs_expired',
  'measurements',
] as const satisfies readonly (keyof JobsTable)[];

/** Converts a row to a job. */
export function toJob(row: Pick<JobRow, (typeof JOB_COLUMNS)[number]>): Job {
  return {
    jobId: row.job_id,
    clientId: row.client_id,
    status: row.status,
    request: JSON.parse(row.request) as Job['request'],
    attempt: row.attempt,
    createdAt: row.created_at,
    ...outputsOf(row),
    ...omitNullish({
      phase: row.phase,
      phases: parseJsonColumn<Job['phases']>(row.phases),
      workerId: row.worker_id,
      needs: parseJsonColumn<Job['needs']>(row.needs),
      slots: row.weight > ONE_SLOT ? row.weight / ONE_SLOT : null,
      waitingFor: parseJsonColumn<Job['waitingFor']>(row.waiting_for),
      releasedAt: row.released_at,
      batchId: row.batch_id,
      name: row.name,
      progress: parseJsonColumn<Job['progress']>(row.progress),
      retryOf: row.retry_of,
      traceParent: row.trace_parent,
      startedAt: row.started_at,
      completedAt: row.completed_at,
      cancelRequestedAt: row.cancel_requested_at,
      error: parseJsonColumn<Job['error']>(row.error),
      warnings: parseJsonColumn<Job['warnings']>(row.warnings),
      measurements: parseJsonColumn<Job['measurements']>(row.measurements),
      outputsExpireAt: row.outputs_expire_at,
      outputsExpired: row.outputs_expired === null ? null : (true as const),
    }),
  };
}
