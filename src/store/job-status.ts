import { type Expression, type SqlBool, sql } from 'kysely';
import { isFinished, JOB_STATUSES, type JobStatus } from '../domain/states.ts';

export const FINISHED_STATUSES = JOB_STATUSES.filter(isFinished);

/** The status is part of the SQL text, not a parameter: otherwise SQLite does not use a partial index. */
export const statusIs = (status: JobStatus): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('status')} = ${sql.lit(status)}`;

/** Returns a function that calls `create` once for each status, at its first use. Each status has its own statement. */
export function memoizeByStatus<T>(create: (status: JobStatus) => T): (status: JobStatus) => T {
  const values = new Map<JobStatus, T>();
  return (status) => {
    const cached = values.get(status);
    if (cached !== undefined) return cached;
    const value = create(status);
    values.set(status, value);
    return value;
  };
}
