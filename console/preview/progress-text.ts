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
  const percent = job?.progress !== undefined && job.progress > 0 ? ` ${Math.floor(job.progress)} %` : '';
  // From a bucket, the source is copied first, which takes long for a large one.
  if (job?.phase === 'STAGING') return `Reading the source…${percent}`;
  if (what === 'still') return hasStill ? 'Loading the first frame…' : 'Converting the first frame…';
  const shown = hasStill ? 'This is the first frame. ' : '';
  return `${shown}Converting the rest…${percent}`;
}
