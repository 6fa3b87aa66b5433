import type { Job } from '@telecine/client';
import { isUnretriedFailure } from '../../packages/contract/src/domain/retries.ts';
import { countText } from '../ui/format.ts';
import { type ReplacementOf, replacementsAmong } from './replacements.ts';

/** The largest number that is shown beside a status. */
const MAX_COUNT = 99;

export interface StatusCount {
  /** `3`, `3+` if older jobs were not read, or `99+`. */
  readonly text: string;
  readonly title: string;
}

/** The number of jobs with a status. */
export interface StatusTally {
  /** Those that are what the status says: queued, complete, failed and left so. */
  readonly jobs: number;
  /** Failed jobs that were run again. Nobody has to look at them: if the retry failed too, the retry counts. */
  readonly runAgain: number;
}

type Counted = Pick<Job, 'jobId' | 'status' | 'retryOf' | 'retriedAs'>;

const NONE: StatusTally = { jobs: 0, runAgain: 0 };

/** The numbers of jobs by their statuses. `replacementOf`: which jobs have taken the place of others. Default: those among `jobs`. */
export function tallyOf(
  jobs: readonly Counted[],
  replacementOf: ReplacementOf = replacementsAmong(jobs),
): ReadonlyMap<Job['status'], StatusTally> {
  const tally = new Map<Job['status'], StatusTally>();
  for (const job of jobs) {
    const { status } = job;
    const found = tally.get(status) ?? NONE;
    const isLeft = status !== 'FAILED' || isUnretriedFailure({ status, retriedAs: replacementOf(job) });
    tally.set(status, isLeft ? { ...found, jobs: found.jobs + 1 } : { ...found, runAgain: found.runAgain + 1 });
  }
  return tally;
}

/**
 * The number of jobs with a status in a list. The page counts the jobs that it has read, so a number costs the service nothing however many
 * jobs there are, and it leaves out the same jobs as the list. undefined: none was read so far, but older jobs are not read yet.
 */
export function statusCount(
  { jobs, runAgain }: StatusTally = NONE,
  { isComplete }: { readonly isComplete: boolean },
): StatusCount | undefined {
  if (jobs === 0 && runAgain === 0 && !isComplete) return undefined;
  const again = runAgain === 0 ? '' : `, and ${runAgain} that ${runAgain === 1 ? 'was' : 'were'} run again`;
  const words = `${countText(jobs, 'job')}${again}`;
  return {
    text: jobs > MAX_COUNT ? `${MAX_COUNT}+` : `${jobs}${isComplete ? '' : '+'}`,
    title: isComplete ? words : `At least ${words}: older ones are not read yet`,
  };
}
