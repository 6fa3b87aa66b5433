import { type Expression, type SqlBool, sql } from 'kysely';
import { isFinished, type JobStatus } from '../domain/states.ts';

export const JOB_STATUSES = Object.keys({
  PENDING: true,
  PROCESSING: true,
  COMPLETED: true,
  FAILED: true,
  CANCELLED: true,
} satisfies Record<JobStatus, true>) as JobStatus[];

export const FINISHED_STATUSES = JOB_STATUSES.filter(isFinished);

/** The status stands in the text of the query, not as a parameter: a partial index is used only where it does. */
export const statusIs = (status: JobStatus): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('status')} = ${sql.lit(status)}`;

/** What is made for each status, when it is first asked for: a statement has its status in its text. */
export function memoizeByStatus<T>(make: (status: JobStatus) => T): (status: JobStatus) => T {
  const made = new Map<JobStatus, T>();
  return (status) => {
    const known = made.get(status);
    if (known !== undefined) return known;
    const fresh = make(status);
    made.set(status, fresh);
    return fresh;
  };
}
