import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { canSeeAllJobs } from './authorize-job.ts';
import type { JobListQuery } from './operations.ts';
import type { JobStore } from './ports/job-store.ts';

/**
 * Lists one page of the caller's jobs, or for an admin of those of one client or of all, newest first. The cursor is the id of a job.
 * Throws INSUFFICIENT_SCOPE.
 */
export async function listJobPage(
  jobs: Pick<JobStore, 'list' | 'search'>,
  caller: Caller,
  { status, clientId, metadata, limit, cursor }: JobListQuery,
): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }> {
  const seesAll = canSeeAllJobs(caller);
  if (clientId !== undefined && clientId !== caller.clientId && !seesAll)
    throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the jobs of other clients.', {
      scopes: ['admin'],
    });
  const owner = seesAll ? clientId : caller.clientId;
  // Request one job more than the page holds, to learn whether there is a next page.
  const query = {
    limit: limit + 1,
    ...(owner !== undefined && { clientId: owner }),
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
