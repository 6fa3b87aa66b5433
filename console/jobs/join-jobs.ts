import type { Job } from '@telecine/client';
import { filterMatcher, type JobFilter } from './job-filter.ts';

/**
 * The jobs that the stream has named and those that were read, each once in its newest state, newest first (ids sort by time). Jobs
 * that are older than what was read are left out while there is more to read: the jobs between are not known yet.
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
    // What was read may have got another status since.
    if (!matches(job)) byId.delete(job.jobId);
    else if (job.jobId > oldest || byId.has(job.jobId)) byId.set(job.jobId, job);
  }
  return [...byId.values()].sort((a, b) => (a.jobId < b.jobId ? 1 : -1));
}
