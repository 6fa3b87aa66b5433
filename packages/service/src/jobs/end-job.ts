import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { JobChangeSink } from './job-changes.ts';
import type { Delivery, JobQueue } from './ports/job-queue.ts';
import type { Claim, JobClaims, JobEndWrite, JobOutcome, JobStore } from './ports/job-store.ts';
import type { Transactions, Tx } from './ports/transactions.ts';

export const CANCELLED_ON_REQUEST: Failure = { code: 'CANCELLED', message: 'The job was cancelled on request.' };

export const CLIENT_REVOKED: Failure = {
  code: 'CANCELLED',
  message: 'The client of this job was revoked, so its jobs are cancelled.',
};

/**
 * Writes of other modules in the transaction that ends a job. They run after the writes to the ticket and to the row of
 * the job, in the order of `END_ORDER`.
 */
export interface EndWrites {
  /** Releases the jobs that wait for the ended job. See `dependencyEndWrite`. */
  readonly dependents?: JobEndWrite;
  /** Replaces the quota that the job reserved by its real usage. See `UsageStore.settle`. */
  readonly usage?: JobEndWrite;
  /** Writes how the job of a watched file has ended. See `watchEndWrite`. */
  readonly watches?: JobEndWrite;
  /** Stores the events of the ended job. See `recordJobEnd`. */
  readonly events?: JobEndWrite;
}

/**
 * The order in which `EndWrites` run; a fixed order prevents deadlocks. Events are last because they lock the batch of
 * the job. After that lock, the transaction must not wait for another lock. Watches are first, because the transaction
 * that submits files writes their rows before it locks the client and its usage.
 */
const END_ORDER = ['watches', 'dependents', 'usage', 'events'] as const satisfies readonly (keyof EndWrites)[];

export interface EndJobDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'ticketOf' | 'endPending'> & Pick<JobClaims, 'end'>;
  readonly queue: Pick<JobQueue, 'remove' | 'withdraw'>;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  readonly endWrites?: EndWrites;
}

/** A job to end: either a running job with the worker's claim, or a queued job. */
export type JobToEnd =
  /** A job that a worker runs. `log`: the lines of the ffmpeg log that clients may read. */
  | { readonly claim: Claim; readonly delivery: Delivery; readonly outcome: JobOutcome; readonly log: string }
  /** A queued job, which was cancelled or which no worker can run. */
  | { readonly queued: Pick<Job, 'jobId' | 'clientId'>; readonly error: Failure };

/**
 * Ends a job with any outcome. One transaction changes the ticket, then the row of the job, then runs `endWrites`.
 * Changes nothing and resolves to false if another worker has claimed the job, or if a job to end as queued is no
 * longer queued.
 */
export async function endJob(deps: EndJobDeps, end: JobToEnd): Promise<boolean> {
  const { jobs, queue, endWrites = {} } = deps;
  const { jobId, clientId } = 'queued' in end ? end.queued : end.claim.job;
  const outcome: JobOutcome = 'queued' in end ? { status: statusOf(end.error), error: end.error } : end.outcome;
  const { status } = outcome;
  const facts = outcome.status === 'COMPLETED' ? { outputs: outcome.outputs } : { error: outcome.error };
  const ticket = 'queued' in end ? await jobs.ticketOf(jobId) : undefined;
  const isEnded = await commitIf(deps.transactions, async (tx) => {
    const at = deps.now().toISOString();
    if ('queued' in end) {
      // If `endPending` then finds that the job is running, roll the transaction back, so that the ticket stays: if the
      // worker of the job has crashed, the next claim needs the ticket.
      if (ticket !== undefined) await queue.withdraw?.(tx, ticket);
      if (!(await jobs.endPending(tx, jobId, statusOf(end.error), end.error, at))) return false;
    } else {
      const { claim, delivery, log } = end;
      if (!(await queue.remove(tx, delivery)) || !(await jobs.end(tx, claim, outcome, at, log))) return false;
    }
    for (const part of END_ORDER) await endWrites[part]?.(tx, { jobId, clientId, status, at, ...facts });
    return true;
  });
  const code = 'error' in outcome ? { code: outcome.error.code } : {};
  if (isEnded) deps.changes.publish({ kind: 'ended', jobId, clientId, status, ...code });
  return isEnded;
}

const statusOf = ({ code }: Failure): 'CANCELLED' | 'FAILED' => (code === 'CANCELLED' ? 'CANCELLED' : 'FAILED');

/** `commitIf` throws this error to roll its transaction back, and catches it. */
class RollBack extends Error {
  override readonly name = 'RollBack';
}

/**
 * Runs `unit` in a transaction. Commits if `unit` resolves to true, and rolls back if it resolves to false. Returns the
 * result of `unit`.
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
