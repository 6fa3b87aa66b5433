import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { JobChangeSink } from './job-changes.ts';
import type { Delivery, JobQueue } from './ports/job-queue.ts';
import type { Claim, JobClaims, JobEnd, JobEndWrite, JobOutcome, JobStore } from './ports/job-store.ts';
import type { Transactions, Tx } from './ports/transactions.ts';

export const CANCELLED_ON_REQUEST: Failure = { code: 'CANCELLED', message: 'The job was cancelled on request.' };

export const CLIENT_REVOKED: Failure = {
  code: 'CANCELLED',
  message: 'The client of this job was revoked, so its jobs are cancelled.',
};

/**
 * Writes of other modules in the transaction that ends jobs. They run after the writes to the tickets and to the rows of
 * the jobs, in the order of `END_ORDER`.
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
 * that submits files writes their rows before the usage of the client.
 */
const END_ORDER = ['watches', 'dependents', 'usage', 'events'] as const satisfies readonly (keyof EndWrites)[];

export interface EndJobDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'endPending'> & Pick<JobClaims, 'end'>;
  readonly queue: Pick<JobQueue, 'remove' | 'withdraw'>;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  readonly endWrites?: EndWrites;
}

/** A job that a worker runs, to be ended with any outcome. `log`: the lines of the ffmpeg log that clients may read. */
export interface JobToEnd {
  readonly claim: Claim;
  readonly delivery: Delivery;
  readonly outcome: JobOutcome;
  readonly log: string;
}

/**
 * Ends a running job. One transaction changes the ticket, then the row of the job, then runs `endWrites`. Changes
 * nothing and resolves to false if another worker has claimed the job.
 */
export async function endJob(deps: EndJobDeps, { claim, delivery, outcome, log }: JobToEnd): Promise<boolean> {
  const { jobs, queue } = deps;
  const { jobId, clientId } = claim.job;
  const { status } = outcome;
  const facts = outcome.status === 'COMPLETED' ? { outputs: outcome.outputs } : { error: outcome.error };
  const isEnded = await commitIf(deps.transactions, async (tx) => {
    const at = deps.now().toISOString();
    if (!(await queue.remove(tx, delivery)) || !(await jobs.end(tx, claim, outcome, at, log))) return false;
    await writeEnds(deps, tx, [{ jobId, clientId, status, at, ...facts }]);
    return true;
  });
  const code = 'error' in outcome ? { code: outcome.error.code } : {};
  if (isEnded) deps.changes.publish({ kind: 'ended', jobId, clientId, status, ...code });
  return isEnded;
}

/**
 * Ends queued jobs, which were cancelled or which no worker can run, in one transaction: it changes their rows, then
 * their tickets, then runs `endWrites`. Changes nothing of jobs that are no longer queued. Returns those that it ended.
 */
export async function endQueued(
  deps: EndJobDeps,
  queued: readonly Pick<Job, 'jobId'>[],
  error: Failure,
): Promise<readonly Pick<Job, 'jobId' | 'clientId'>[]> {
  if (queued.length === 0) return [];
  const status = error.code === 'CANCELLED' ? 'CANCELLED' : 'FAILED';
  const ids = queued.map(({ jobId }) => jobId);
  const ended = await deps.transactions.run(async (tx) => {
    const at = deps.now().toISOString();
    const tickets = await deps.jobs.endPending(tx, ids, status, error, at);
    if (tickets.length === 0) return [];
    await deps.queue.withdraw(tx, tickets);
    const ends = tickets.map(({ jobId, clientId }) => ({ jobId, clientId, status, at, error }) as const);
    await writeEnds(deps, tx, ends);
    return ends;
  });
  for (const { jobId, clientId } of ended)
    deps.changes.publish({ kind: 'ended', jobId, clientId, status, code: error.code });
  return ended;
}

async function writeEnds({ endWrites = {} }: EndJobDeps, tx: Tx, ends: readonly JobEnd[]): Promise<void> {
  for (const part of END_ORDER) await endWrites[part]?.(tx, ends);
}

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
