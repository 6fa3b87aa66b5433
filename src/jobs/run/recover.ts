import type { JobQueue, JobStore, ScratchSpace } from '../ports.ts';

/**
 * After a start and before the first job is taken: what the last process left is handed out again at once,
 * and what belongs to no job is removed.
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
