import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import type { JobStatus } from '../domain/states.ts';
import { canSeeAllJobs } from './authorize-job.ts';
import type { JobStore } from './ports/job-store.ts';

/** Lists one page of the caller's jobs, or of all jobs for an admin, newest first. The cursor is the last job's id. */
export async function listJobPage(
  jobs: Pick<JobStore, 'list'>,
  caller: Caller,
  query: { readonly status?: JobStatus; readonly limit: number; readonly cursor?: string },
): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }> {
  const { status, limit, cursor } = query;
  // Request one job more than the page holds, to learn whether there is a next page.
  const found = await jobs.list({
    limit: limit + 1,
    ...(canSeeAllJobs(caller) ? {} : { clientId: caller.clientId }),
    ...(status && { status }),
    ...(cursor && { before: cursor }),
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return found.length > limit && last !== undefined ? { jobs: page, nextCursor: last.jobId } : { jobs: page };
}
