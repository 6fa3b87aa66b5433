import type { Caller } from '../domain/client.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import type { JobStore, Transactions } from './ports.ts';
import { visibleJob } from './visible.ts';

export const CANCELLED: Failure = { code: 'CANCELLED', message: 'The job was cancelled on request.' };

/**
 * A waiting job ends at once; its ticket goes stale and is finished when it is taken. A running one is marked,
 * and its worker ends ffmpeg. Throws JOB_FINISHED.
 */
export async function cancel(
  deps: {
    readonly transactions: Transactions;
    readonly jobs: Pick<JobStore, 'get' | 'cancelPending' | 'requestCancel'>;
    readonly now: () => Date;
    /** Tells a worker of this process without waiting for its next look. */
    readonly onCancelRequested: (jobId: string) => void;
  },
  caller: Caller,
  jobId: string,
): Promise<Job> {
  await visibleJob(deps.jobs, caller, jobId);
  const at = deps.now().toISOString();
  const changed = await deps.transactions.run(
    async (tx) =>
      (await deps.jobs.cancelPending(tx, jobId, CANCELLED, at)) || (await deps.jobs.requestCancel(tx, jobId, at)),
  );
  const job = await visibleJob(deps.jobs, caller, jobId);
  if (!changed) throw new Problem('JOB_FINISHED', `Job ${jobId} is ${job.status} and can no longer be cancelled.`);
  if (job.status === 'PROCESSING') deps.onCancelRequested(jobId);
  return job;
}
