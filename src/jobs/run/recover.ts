import type { JobQueue } from '../ports/job-queue.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { ScratchSpace } from '../ports/media-store.ts';

/**
 * Runs at the start of the service, before the first claim. Ends the leases of the previous process, so that its jobs
 * can be claimed at once, and removes scratch folders and staged files that belong to no job. Resolves to the
 * number of these jobs, which is 0 after a regular stop.
 */
export async function recoverJobs(deps: {
  readonly jobs: Pick<JobStore, 'liveScratch'>;
  readonly queue: Pick<JobQueue, 'releaseAll'>;
  readonly media: Pick<ScratchSpace, 'sweep'>;
}): Promise<number> {
  const workersGone = deps.queue.releaseAll !== undefined;
  const released = (await deps.queue.releaseAll?.()) ?? 0;
  await deps.media.sweep(() => deps.jobs.liveScratch(workersGone));
  return released;
}
