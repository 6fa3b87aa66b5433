import type { Failure } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { JobStatus } from '../../domain/states.ts';
import type { Claim, Delivery, JobOutcome, JobQueue, JobStore, Scratch, Transactions } from '../ports.ts';
import { type AttemptDeps, type AttemptResult, runAttempt } from './attempt.ts';
import { decideOutcome } from './decide-outcome.ts';
import { type HeartbeatDeps, startHeartbeat } from './heartbeat.ts';

export interface RunJobDeps extends AttemptDeps, HeartbeatDeps {
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly now: () => Date;
  /** The worker is being ended. */
  readonly draining: () => boolean;
  /** For the operator: how a try ended, once that is on disk. */
  readonly onAttemptEnded: (settled: AttemptReport) => void;
  /** For the operator: what went wrong with the service rather than with the job. */
  readonly onFault: (jobId: string, error: unknown) => void;
}

/** One try that is over, for the operator's log. */
export interface AttemptReport {
  readonly job: Job;
  /** PENDING: it is back in the line. */
  readonly status: JobStatus;
  readonly failure?: Failure;
  /** What lies behind the failure and no caller may see. */
  readonly cause?: unknown;
}

/** Undoes the transaction of a worker that has lost its job; another has it. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** Carries one claimed job to its end, or back into the line. Never rejects. */
export async function runJob(deps: RunJobDeps, claim: Claim, delivery: Delivery, stop: AbortController): Promise<void> {
  const pulse = startHeartbeat(deps, claim, delivery, stop);
  try {
    deps.at('after-claim');
    const result = await runAttempt(deps, claim, stop.signal, pulse);
    await pulse.stop();
    // Before a failure is written down, so that who reads of it finds nothing left, and a full disk has room to
    // write. Of what is published the files are kept until the end is on disk: recovering from a crash needs them.
    if (result.kind !== 'completed') await discard(deps, claim, result.scratch);
    if (result.kind === 'stopped' && result.cause === 'lost') return;
    const status = await settle(deps, claim, delivery, result);
    deps.at('after-commit');
    const why = result.kind === 'failed' ? { failure: result.failure, cause: result.cause } : {};
    deps.onAttemptEnded({ job: claim.job, status, ...why });
    if (result.kind === 'completed') await discard(deps, claim, result.scratch);
  } catch (error) {
    // The row stays PROCESSING; when the lease has ended, the job is taken up again.
    if (!(error instanceof ClaimLost)) deps.onFault(claim.job.jobId, error);
  } finally {
    await pulse.stop();
  }
}

/** What cannot be removed now is at the next start; it must not keep the job from its end. */
async function discard(deps: RunJobDeps, claim: Claim, scratch: Scratch | undefined): Promise<void> {
  if (scratch === undefined) return;
  await deps.media.discard(scratch).catch((error) => deps.onFault(claim.job.jobId, error));
}

async function settle(
  deps: RunJobDeps,
  claim: Claim,
  delivery: Delivery,
  result: AttemptResult,
): Promise<JobOutcome['status'] | 'PENDING'> {
  const next = decideOutcome(claim, result, deps.draining());
  await deps.transactions.run(async (tx) => {
    if ('status' in next) {
      const finished = await deps.queue.remove(tx, delivery);
      if (!finished || !(await deps.jobs.end(tx, claim, next, deps.now().toISOString(), result.log)))
        throw new ClaimLost();
    } else {
      const notBefore = new Date(deps.now().getTime() + next.afterSeconds * 1000);
      const back = await deps.queue.requeue(tx, delivery, notBefore);
      const why = result.kind === 'failed' && next.keepAttempt ? result.failure : undefined;
      if (!back || !(await deps.jobs.requeue(tx, claim, next.keepAttempt, why))) throw new ClaimLost();
    }
  });
  return 'status' in next ? next.status : 'PENDING';
}
