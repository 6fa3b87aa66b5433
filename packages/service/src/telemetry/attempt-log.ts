import { isRetryable } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Logger } from 'pino';
import type { AttemptReport } from '../jobs/run/run-job.ts';

/** How much of ffmpeg's last output the log contains, in characters. It may contain text from the media. */
const MAX_FFMPEG_TEXT = 4000;

export const logAttemptStarts =
  (log: Pick<Logger, 'info'>) =>
  (job: Job): void =>
    log.info(idsOf(job), 'attempt started');

/** `traceId` is the second part of a `traceparent`. */
const idsOf = ({ jobId, clientId, attempt, traceParent }: Job) => ({
  jobId,
  clientId,
  attempt,
  ...(traceParent !== undefined && { traceId: traceParent.split('-')[1] }),
});

/** Logs each attempt that has ended. A failure is a warning if the service or its machine may have caused it. */
export const logAttempts =
  (log: Pick<Logger, 'info' | 'warn'>) =>
  ({ job, status, seconds, failure, cause }: AttemptReport): void => {
    const details = {
      ...idsOf(job),
      status,
      seconds: Math.round(seconds * 1000) / 1000,
      ...(failure && { code: failure.code, reason: failure.message }),
      ...(cause instanceof Error && { err: cause }),
      ...(typeof cause === 'string' && failure?.code === 'FFMPEG_FAILED' && { ffmpeg: cause.slice(-MAX_FFMPEG_TEXT) }),
    };
    if (failure !== undefined && isRetryable(failure.code)) log.warn(details, 'attempt ended');
    else log.info(details, 'attempt ended');
  };
