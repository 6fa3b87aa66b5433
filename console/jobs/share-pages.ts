import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';
import type { Job, JobList } from '@telecine/client';

/** A list of jobs, as far as it was read. */
export type Pages = InfiniteData<JobList, string>;

/**
 * The pages that were read now, with the objects of the jobs that were read before and have not changed: so a list of thousands is
 * not held twice, and their rows are not drawn again. Jobs are found by their ids, because new ones have moved the others to other
 * pages.
 */
export function sharePages(before: Pages | undefined, now: Pages): Pages {
  // One more page was read, and the others are those of before.
  if (before === undefined || before.pages[0] === now.pages[0]) return now;
  const known = new Map<string, Job>(before.pages.flatMap(({ jobs }) => jobs.map((job) => [job.jobId, job])));
  const pages = now.pages.map((page) => ({
    ...page,
    jobs: page.jobs.map((job) => replaceEqualDeep(known.get(job.jobId), job)),
  }));
  return { ...now, pages };
}
