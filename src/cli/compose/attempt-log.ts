import type { Logger } from 'pino';
import { isRetryable } from '../../domain/failure.ts';
import type { AttemptReport } from '../../jobs/run/run-job.ts';

/** Of what ffmpeg said last; its lines may hold text of the media. */
const MOST_CHARACTERS = 4000;

/** One line for each try that is over. What the service or its machine had a part in is a warning. */
export const logAttempts =
  (log: Pick<Logger, 'info' | 'warn'>) =>
  ({ job, status, failure, cause }: AttemptReport): void => {
    const details = {
      jobId: job.jobId,
      clientId: job.clientId,
      attempt: job.attempt,
      status,
      ...(failure && { code: failure.code, reason: failure.message }),
      ...(cause instanceof Error && { err: cause }),
      ...(typeof cause === 'string' && failure?.code === 'FFMPEG_FAILED' && { ffmpeg: cause.slice(-MOST_CHARACTERS) }),
    };
    if (failure !== undefined && isRetryable(failure.code)) log.warn(details, 'job');
    else log.info(details, 'job');
  };
