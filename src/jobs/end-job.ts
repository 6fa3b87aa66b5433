import type { Failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import type { JobChangeSink } from './job-changes.ts';
import type { Delivery, JobQueue } from './ports/job-queue.ts';
import type { Claim, JobClaims, JobEndWrite, JobOutcome, JobStore } from './ports/job-store.ts';
import type { Transactions, Tx } from './ports/transactions.ts';

export const CANCELLED_ON_REQUEST: Failure = { code: 'CANCELLED', message: 'The job was cancelled on request.' };

export const CLIENT_REVOKED: Failure = {
  code: 'CANCELLED',
  message: 'The client of this job was revoked, so its jobs are cancelled.',
};

export interface EndJobDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'ticketOf' | 'endPending'> & Pick<JobClaims, 'end'>;
  readonly queue: Pick<JobQueue, 'remove' | 'withdraw'>;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  /** What other parts of the service store when a job ends. They run in this order, after the row of the job is written. */
  readonly endWrites?: readonly JobEndWrite[];
}

/** A job to end: either a running job with the worker's claim, or a queued job. */
export type JobToEnd =
  /** A worker runs the job. `log`: the lines of ffmpeg's log that clients may read. */
  | { readonly claim: Claim; readonly delivery: Delivery; readonly outcome: JobOutcome; readonly log: string }
  /** The job is queued. It is cancelled, or no worker can run it. */
  | { readonly queued: Pick<Job, 'jobId' | 'clientId'>; readonly error: Failure };

/**
 * Ends a job. Every job ends here, whatever its outcome. Its ticket and its row change in one transaction, and so must
 * anything else that changes when a job ends (`endWrites`). Resolves to false, and changes nothing, if another worker has claimed the
 * running job or if the queued job is no longer queued.
 */
export async function endJob(deps: EndJobDeps, end: JobToEnd): Promise<boolean> {
  const { jobId, clientId } = 'queued' in end ? end.queued : end.claim.job;
  const { status, error } = endOf(end);
  const write = 'queued' in end ? await queuedWrites(deps, end) : runningWrites(deps, end);
  const writeAll: Writes = async (tx, at) => {
    if (!(await write(tx, at))) return false;
    for (const endWrite of deps.endWrites ?? []) await endWrite(tx, { jobId, clientId, status, at });
    return true;
  };
  if (!(await commitIf(deps.transactions, (tx) => writeAll(tx, deps.now().toISOString())))) return false;
  deps.changes.publish({ kind: 'ended', jobId, clientId, status, ...(error && { code: error.code }) });
  return true;
}

/** How a job ends, and why it was not completed if it was not. */
const endOf = (end: JobToEnd): { readonly status: JobOutcome['status']; readonly error?: Failure } =>
  'queued' in end ? { status: statusOf(end.error), error: end.error } : end.outcome;

const statusOf = ({ code }: Failure) => (code === 'CANCELLED' ? 'CANCELLED' : 'FAILED');

/** The writes that end a job: first to its ticket, then to its row. */
type Writes = (tx: Tx, at: string) => Promise<boolean>;

const runningWrites =
  ({ jobs, queue }: EndJobDeps, { claim, delivery, outcome, log }: Exclude<JobToEnd, { queued: unknown }>): Writes =>
  async (tx, at) =>
    (await queue.remove(tx, delivery)) && (await jobs.end(tx, claim, outcome, at, log));

/**
 * Returns the writes that end a queued job. If the job is no longer queued, the withdrawal of its ticket is rolled
 * back: the job of a crashed worker needs its ticket to be claimed again.
 */
async function queuedWrites({ jobs, queue }: EndJobDeps, { queued, error }: Extract<JobToEnd, { queued: unknown }>) {
  const { jobId } = queued;
  const ticket = await jobs.ticketOf(jobId);
  const writes: Writes = async (tx, at) => {
    if (ticket !== undefined) await queue.withdraw?.(tx, ticket);
    return jobs.endPending(tx, jobId, statusOf(error), error, at);
  };
  return writes;
}

/** Thrown to roll a transaction back. It is not reported as an error. */
class RollBack extends Error {
  override readonly name = 'RollBack';
}

/**
 * Runs `unit` in a transaction. Commits if it resolves to true and rolls back otherwise. Returns what `unit` returned.
 */
export async function commitIf(transactions: Transactions, unit: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  try {
    await transactions.run(async (tx) => {
      if (!(await unit(tx))) throw new RollBack();
    });
    return true;
  } catch (error) {
    if (error instanceof RollBack) return false;
    throw error;
  }
}
