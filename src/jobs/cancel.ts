import type { Caller } from '../domain/client.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { authorizeJob } from './authorize-job.ts';
import type { JobQueue, JobStore, Transactions } from './ports.ts';

export const CANCELLED_ON_REQUEST: Failure = { code: 'CANCELLED', message: 'The job was cancelled on request.' };

interface Deps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'get' | 'fairnessRank' | 'cancelPending' | 'requestCancel'>;
  readonly queue: Pick<JobQueue, 'withdraw'>;
  readonly now: () => Date;
  /** Tells a worker of this process without waiting for its next look. */
  readonly onCancelRequested: (jobId: string) => void;
}

/**
 * A waiting job ends at once and leaves the line. A running one is marked, and its worker ends ffmpeg. Throws
 * JOB_FINISHED.
 */
export async function cancelJob(deps: Deps, caller: Caller, jobId: string): Promise<Job> {
  const seen = await authorizeJob(deps.jobs, caller, jobId);
  const at = deps.now().toISOString();
  const changed =
    (seen.status === 'PENDING' && (await leaveLine(deps, seen, at))) ||
    (await deps.transactions.run(
      async (tx) =>
        (await deps.jobs.cancelPending(tx, jobId, CANCELLED_ON_REQUEST, at)) ||
        (await deps.jobs.requestCancel(tx, jobId, at)),
    ));
  const job = await authorizeJob(deps.jobs, caller, jobId);
  if (!changed) throw new Problem('JOB_FINISHED', `Job ${jobId} is ${job.status} and can no longer be cancelled.`);
  if (job.status === 'PROCESSING') deps.onCancelRequested(jobId);
  return job;
}

/** Undoes the transaction: a lost worker's ticket is in the line too, and must stay there. */
class NotWaiting extends Error {
  override readonly name = 'NotWaiting';
}

/** Ends a job that is PENDING, and its ticket with it; false where it is no longer, and nothing was changed. */
async function leaveLine({ transactions, jobs, queue }: Deps, { jobId, clientId }: Job, at: string): Promise<boolean> {
  const fairnessRank = await jobs.fairnessRank(jobId);
  try {
    await transactions.run(async (tx) => {
      if (fairnessRank !== undefined) await queue.withdraw?.(tx, { jobId, clientId, fairnessRank });
      if (!(await jobs.cancelPending(tx, jobId, CANCELLED_ON_REQUEST, at))) throw new NotWaiting();
    });
    return true;
  } catch (error) {
    if (error instanceof NotWaiting) return false;
    throw error;
  }
}
