import { type Failure, JobFailed, MAX_ATTEMPTS } from '../../domain/failure.ts';
import { hint, RETRY_JOB, withAdvice } from '../../domain/hint.ts';
import type { Warning } from '../../domain/plan.ts';
import { Problem } from '../../domain/problem.ts';

export const WORKER_LOST: Failure = {
  code: 'WORKER_LOST',
  message: `The worker of this job was lost ${MAX_ATTEMPTS} times (it crashed, was killed, or could not reach the database); the job is not attempted again.`,
  fix: hint`Check the service and its machine (memory, restarts, network), then ${RETRY_JOB}.`,
};

export const OUTPUT_TOO_LARGE: Failure = {
  code: 'NO_SPACE',
  message: 'The conversion used all free disk space except the reserve.',
  fix: 'Lower the bit rate or the length of the output (a looped input needs "t"), or ask the operator for a larger disk.',
};

/** The failure of a strict job whose run has warnings. */
export function strictFailure([first, ...others]: readonly Warning[]): Failure {
  const more = others.length === 0 ? '' : ` And ${others.length} more: see "warnings".`;
  return {
    code: 'STRICT_WARNING',
    message: `The job is strict, and its run has a warning, ${first?.code}: ${first?.message}${more}`,
    fix: withAdvice(first?.fix, 'To get the output in spite of warnings, leave "strict" out.'),
  };
}

/** The warning of a job whose fallback ran. `reason`: what was wrong with the device, as a sentence. */
export const fallbackWarning = (reason: string): Warning => ({
  field: '/fallback',
  code: 'DEVICE_FALLBACK',
  message: `${reason} So "fallback" replaced "parameters".`,
});

export const STAGED_FILE_VANISHED: Failure = {
  code: 'STORAGE_FAULT',
  message: 'The finished file vanished before it was published.',
  fix: hint`${RETRY_JOB}.`,
};

/** What ends a job whose outputs do not fit into a quota. undefined for other errors. */
export function quotaFailureOf(error: unknown): JobFailed | undefined {
  if (!(error instanceof Problem) || error.code !== 'QUOTA_EXCEEDED') return undefined;
  return new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `The outputs do not fit. ${error.message}`,
    fix:
      error.quota?.name === 'media'
        ? 'Send "t", or leave out what makes the output longer; or ask the operator for more.'
        : hint`Delete files, then ${RETRY_JOB}; or ask the operator for more storage.`,
  });
}

/** ffprobe did not say how large the picture is, so its parts cannot be named. */
export const UNMEASURED_SHEET: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'The size of the sheet of pictures could not be read, so there is no track of it.',
  fix: 'Send another "format", such as "jpg".',
};
