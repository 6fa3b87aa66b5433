import type { Job } from '@telecine/client';
import { REPLACING_STATUSES } from '../../packages/contract/src/domain/retries.ts';

type Known = Pick<Job, 'jobId' | 'status' | 'retryOf'>;

/** Returns the id of the job that has taken the place of another one, which runs it again. undefined: there is none. */
export type ReplacementOf = (job: Pick<Job, 'jobId' | 'retriedAs'>) => string | undefined;

/** Whether a retry takes the place of no job any more. */
export function takesNoPlace(
  live: { readonly get: (jobId: string) => Known | undefined; readonly isDeleted: (jobId: string) => boolean },
  retryId: string,
): boolean {
  const status = live.get(retryId)?.status;
  return live.isDeleted(retryId) || (status !== undefined && !REPLACING_STATUSES.includes(status));
}

/**
 * Finds the jobs that have taken the place of others, as `retriedAs` says, but up to date: the event of a new job does not change the job that it
 * runs again.
 *
 * @param known Jobs, of which the last one with the same id is the newest.
 */
export function replacementsAmong(
  known: readonly Known[],
  isDeleted: (jobId: string) => boolean = () => false,
): ReplacementOf {
  const newest = new Map<string, string>();
  const others = new Set<string>();
  for (const { jobId, status, retryOf } of new Map(known.map((job) => [job.jobId, job])).values())
    if (!REPLACING_STATUSES.includes(status)) others.add(jobId);
    // The ids of jobs are ordered by their creation.
    else if (retryOf !== undefined && jobId > (newest.get(retryOf) ?? '')) newest.set(retryOf, jobId);
  return ({ jobId, retriedAs }) => {
    const read = retriedAs === undefined || isDeleted(retriedAs) || others.has(retriedAs) ? undefined : retriedAs;
    const found = newest.get(jobId);
    return found !== undefined && found > (read ?? '') ? found : read;
  };
}
