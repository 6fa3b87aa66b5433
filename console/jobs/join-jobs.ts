import type { Job } from '@telecine/client';
import { filterMatcher, type JobFilter } from './job-filter.ts';

/**
 * Merges the jobs from the event stream with the jobs that were read. Each job appears once in its newest state, newest first (ids sort by
 * time). While there are more jobs to read, jobs of the stream that are older than all read jobs are omitted: otherwise the list would have
 * a gap.
 */
export function joinJobs(
  live: readonly Job[],
  read: readonly Job[],
  { filter, hasMore }: { readonly filter: JobFilter; readonly hasMore: boolean },
): readonly Job[] {
  const oldest = hasMore ? (read.at(-1)?.jobId ?? '') : '';
  const matches = filterMatcher(filter);
  const byId = new Map(read.filter(matches).map((job) => [job.jobId, job]));
  for (const job of live) {
    // The job matched the filter when it was read, but does not match it any more.
    if (!matches(job)) byId.delete(job.jobId);
    else if (job.jobId > oldest || byId.has(job.jobId)) byId.set(job.jobId, job);
  }
  return [...byId.values()].sort((a, b) => (a.jobId < b.jobId ? 1 : -1));
}
