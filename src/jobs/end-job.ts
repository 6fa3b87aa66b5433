import type { Failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import { commitIf } from './commit-if.ts';
import type { JobChangeSink } from './job-changes.ts';
import type { Claim, Delivery, JobOutcome, JobQueue, JobStore, Transactions, Tx } from './ports.ts';

export const CANCELLED_ON_REQUEST: Failure = { code: 'CANCELLED', message: 'The job was cancelled on request.' };

export interface EndJobDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'fairnessRank' | 'cancelPending' | 'end'>;
  readonly queue: Pick<JobQueue, 'remove' | 'withdraw'>;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
}

/** A job that is to end, with what gives the right to end it. */
export type JobToEnd =
  /** A worker runs it. `log`: ffmpeg's log, as far as it may be shown. */
  | { readonly claim: Claim; readonly delivery: Delivery; readonly outcome: JobOutcome; readonly log: string }
  /** It is queued. Only a cancellation ends such a job. */
  | { readonly queued: Pick<Job, 'jobId' | 'clientId'> };

/**
 * Ends a job: its ticket, its row and whatever else belongs to the end of a job change in this one transaction. Every
 * job ends here, whatever its outcome. False where another worker has the job or it is no longer queued; then nothing
 * has changed.
 */
export async function endJob(deps: EndJobDeps, end: JobToEnd): Promise<boolean> {
  const { jobId, clientId } = 'queued' in end ? end.queued : end.claim.job;
  const status = 'queued' in end ? 'CANCELLED' : end.outcome.status;
  const write = 'queued' in end ? await queuedWrites(deps, end.queued) : runningWrites(deps, end);
  if (!(await commitIf(deps.transactions, (tx) => write(tx, deps.now().toISOString())))) return false;
  deps.changes.publish({ kind: 'ended', jobId, clientId, status });
  return true;
}

/** Writes the ticket first, then the job's row. */
type Writes = (tx: Tx, at: string) => Promise<boolean>;

const runningWrites =
  ({ jobs, queue }: EndJobDeps, { claim, delivery, outcome, log }: Exclude<JobToEnd, { queued: unknown }>): Writes =>
  async (tx, at) =>
    (await queue.remove(tx, delivery)) && (await jobs.end(tx, claim, outcome, at, log));

/** The ticket of a lost worker's job is in the queue as well. It has to stay there, so both writes succeed or none. */
async function queuedWrites({ jobs, queue }: EndJobDeps, { jobId, clientId }: Pick<Job, 'jobId' | 'clientId'>) {
  const fairnessRank = await jobs.fairnessRank(jobId);
  const writes: Writes = async (tx, at) => {
    if (fairnessRank !== undefined) await queue.withdraw?.(tx, { jobId, clientId, fairnessRank });
    return jobs.cancelPending(tx, jobId, CANCELLED_ON_REQUEST, at);
  };
  return writes;
}
