import type { JobQueue, JobStore, ScratchSpace } from '../ports.ts';

/**
 * Runs at the start of the service, before the first claim. Ends the leases of the previous process, so that its jobs
 * can be claimed at once, and removes scratch folders and staged files that belong to no job.
 */
export async function recoverJobs(deps: {
  readonly jobs: Pick<JobStore, 'liveScratch'>;
  readonly queue: Pick<JobQueue, 'releaseAll'>;
  readonly media: Pick<ScratchSpace, 'sweep'>;
}): Promise<void> {
  const workersGone = deps.queue.releaseAll !== undefined;
  await deps.queue.releaseAll?.();
  await deps.media.sweep(new Set(await deps.jobs.liveScratch(workersGone)));
}
