import { ClientError, type FieldError } from '@telecine/client';

/** Statuses of replies that may be others later. */
const OF_THE_MOMENT: ReadonlySet<number | undefined> = new Set([429, 500, 502, 503, 504]);

/** Whether a check failed because the service took too long to read a source. The file may be as right as the request. */
export const tookTooLong = (error: Error): boolean => error instanceof ClientError && error.code === 'TIMEOUT';

/** Whether a check failed for a reason that may be gone later: the service did not reply, is busy or faulty, or read too long. */
export const isOfMoment = (error: Error): boolean =>
  error instanceof ClientError &&
  (error.kind === 'unreachable' || OF_THE_MOMENT.has(error.status) || tookTooLong(error));

/** Whether the job that a request runs again is deleted. */
export const isJobGone = (error: Error | null): boolean =>
  error instanceof ClientError && error.code === 'JOB_NOT_FOUND';

/** The errors that a check found at fields of the request. */
export const errorsOf = (error: Error | null): readonly FieldError[] =>
  error instanceof ClientError && !isOfMoment(error) ? error.errors : [];
