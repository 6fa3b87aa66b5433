import type { Selectable } from 'kysely';
import type { Job } from '../domain/job.ts';
import { omitNullish } from './omit-nullish.ts';
import type { JobsTable } from './schema.ts';

export type JobRow = Selectable<JobsTable>;

/** Reads a JSON column. This service wrote it, so its shape is not checked. */
export const parseJsonColumn = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);

/** Writes a JSON column. */
export const toJsonColumn = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Converts a row to a job. */
export function toJob(row: JobRow): Job {
  return {
    jobId: row.job_id,
    clientId: row.client_id,
    status: row.status,
    request: JSON.parse(row.request) as Job['request'],
    attempt: row.attempt,
    createdAt: row.created_at,
    ...omitNullish({
      phase: row.phase,
      phases: parseJsonColumn<Job['phases']>(row.phases),
      workerId: row.worker_id,
      needs: parseJsonColumn<Job['needs']>(row.needs),
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
      outputs: parseJsonColumn<Job['outputs']>(row.outputs),
      measurements: parseJsonColumn<Job['measurements']>(row.measurements),
      outputsExpireAt: row.outputs_expire_at,
      outputsExpired: row.outputs_expired === null ? null : (true as const),
    }),
  };
}
