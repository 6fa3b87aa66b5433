import type { Job } from '@telecine/client';
import { countText } from '../ui/format.ts';

/** The largest number that is shown beside a status. */
const MOST = 99;

export interface StatusCount {
  /** `3`, `3+` if older jobs were not read, or `99+`. */
  readonly text: string;
  readonly title: string;
}

/**
 * The number of jobs with this status in a list. The page counts the jobs that it has read, so a number costs the service nothing however many
 * jobs there are, and it leaves out the same jobs as the list. undefined: there are none, or none was read so far.
 */
export function statusCount(
  jobs: readonly Job[],
  status: Job['status'],
  { isComplete }: { readonly isComplete: boolean },
): StatusCount | undefined {
  const count = jobs.filter((job) => job.status === status).length;
  if (count === 0) return undefined;
  return {
    text: count > MOST ? `${MOST}+` : `${count}${isComplete ? '' : '+'}`,
    title: isComplete ? countText(count, 'job') : `At least ${countText(count, 'job')}: older ones are not read yet`,
  };
}
