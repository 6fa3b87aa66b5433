import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';
import type { Job, JobList } from '@telecine/client';

/** The pages of a list of jobs that were read so far. */
export type Pages = InfiniteData<JobList, string>;

/**
 * Replaces jobs in `now` by the equal objects of `before`. So React does not render their rows again, and a long list is not in memory
 * twice. Jobs are matched by id, because new jobs move the others to later pages.
 */
export function sharePages(before: Pages | undefined, now: Pages): Pages {
  // Only one more page was read. The earlier pages are already the same objects.
  if (before === undefined || before.pages[0] === now.pages[0]) return now;
  const known = new Map<string, Job>(before.pages.flatMap(({ jobs }) => jobs.map((job) => [job.jobId, job])));
  const pages = now.pages.map((page) => ({
    ...page,
    jobs: page.jobs.map((job) => replaceEqualDeep(known.get(job.jobId), job)),
  }));
  return { ...now, pages };
}
