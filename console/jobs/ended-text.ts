import type { Job } from '@telecine/client';
import { withoutCode } from '../ui/code-parts.ts';
import { outputText } from './job-names.ts';

/** What a notification says when the jobs that were started together have ended. */
export function endedText(jobs: readonly Job[]): { readonly title: string; readonly body: string } {
  const [only, ...others] = jobs;
  const failed = jobs.filter(({ status }) => status !== 'COMPLETED');
  if (only !== undefined && others.length === 0) {
    const { status, error, message } = only;
    return status === 'COMPLETED'
      ? { title: 'Conversion complete', body: outputText(only) }
      : {
          title: status === 'FAILED' ? 'Conversion failed' : 'Conversion cancelled',
          body: withoutCode(error?.message ?? message),
        };
  }
  const body =
    failed.length === 0 ? `All ${jobs.length} are complete.` : `${failed.length} of ${jobs.length} are not complete.`;
  return { title: `${jobs.length} conversions have ended`, body };
}

/**
 * The progress in percent of jobs that were started together, by their ids. A job that is not read yet counts as 0, and one that has ended
 * as 100. Empty: none runs. `jobs`: undefined for a job that is not read yet.
 */
export function runningPercents(
  jobIds: readonly string[],
  jobs: readonly (Job | undefined)[],
): ReadonlyMap<string, number> {
  if (!jobs.some((job) => job?.status === 'PROCESSING')) return new Map();
  return new Map(jobIds.map((jobId, i) => [jobId, percentOf(jobs[i])]));
}

const percentOf = (job: Job | undefined): number =>
  job === undefined ? 0 : job.completedAt === undefined ? (job.progress ?? 0) : 100;
