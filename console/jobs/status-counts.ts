import type { Job } from '@telecine/client';
import { countText } from '../ui/format.ts';

/** The largest number that is shown beside a status. */
const MAX_COUNT = 99;

export interface StatusCount {
  /** `3`, `3+` if older jobs were not read, or `99+`. */
  readonly text: string;
  readonly title: string;
}

/** The numbers of jobs by their statuses. */
export function tallyOf(jobs: readonly Pick<Job, 'status'>[]): ReadonlyMap<Job['status'], number> {
  const tally = new Map<Job['status'], number>();
  for (const { status } of jobs) tally.set(status, (tally.get(status) ?? 0) + 1);
  return tally;
}

/**
 * The number of jobs with a status in a list. The page counts the jobs that it has read, so a number costs the service nothing however many
 * jobs there are, and it leaves out the same jobs as the list. undefined: there are none, or none was read so far.
 */
export function statusCount(count = 0, { isComplete }: { readonly isComplete: boolean }): StatusCount | undefined {
  if (count === 0) return undefined;
  return {
    text: count > MAX_COUNT ? `${MAX_COUNT}+` : `${count}${isComplete ? '' : '+'}`,
    title: isComplete ? countText(count, 'job') : `At least ${countText(count, 'job')}: older ones are not read yet`,
  };
}
