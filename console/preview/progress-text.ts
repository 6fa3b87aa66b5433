import type { Job } from '@telecine/client';
import { queuedText } from './queued-text.ts';

/**
 * What happens before a preview is there, in words.
 *
 * @param what What is converted now. undefined: nothing yet, because the user is still typing.
 */
export function progressText(
  what: 'still' | 'sample' | undefined,
  job: Pick<Job, 'status' | 'message' | 'phase' | 'progress'> | undefined,
  hasStill: boolean,
): string {
  if (job?.status === 'PENDING') return queuedText(job);
  if (what === undefined) return 'Starting…';
  if (job?.phase === 'STAGING') return 'Reading the source…';
  if (what === 'still') return 'Converting the first frame…';
  const shown = hasStill ? 'This is the first frame. ' : '';
  const percent = job?.progress !== undefined && job.progress > 0 ? ` ${Math.floor(job.progress)} %` : '';
  return `${shown}Converting the rest…${percent}`;
}
