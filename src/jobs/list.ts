import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { canSeeAllJobs } from './authorize-job.ts';
import type { JobListQuery } from './operations.ts';
import type { JobStore } from './ports/job-store.ts';

/** Lists one page of the caller's jobs, or of all jobs for an admin, newest first. The cursor is the id of a job. */
export async function listJobPage(
  jobs: Pick<JobStore, 'list' | 'search'>,
  caller: Caller,
  { status, metadata, limit, cursor }: JobListQuery,
): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }> {
  // Request one job more than the page holds, to learn whether there is a next page.
  const query = {
    limit: limit + 1,
    ...(canSeeAllJobs(caller) ? {} : { clientId: caller.clientId }),
    ...(status && { status }),
    ...(cursor && { before: cursor }),
  };
  const { jobs: found, searchedTo } =
    metadata === undefined
      ? { jobs: await jobs.list(query), searchedTo: undefined }
      : await jobs.search({ ...query, metadata });
  const page = found.slice(0, limit);
  const nextCursor = found.length > limit ? page.at(-1)?.jobId : searchedTo;
  return nextCursor === undefined ? { jobs: page } : { jobs: page, nextCursor };
}
