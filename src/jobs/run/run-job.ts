import type { Failure } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { JobStatus } from '../../domain/states.ts';
import { endJob } from '../end-job.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { JobQueue, JobStore, Transactions } from '../ports.ts';
import { type AttemptDeps, type AttemptResult, runAttempt } from './attempt.ts';
import type { ClaimedJob } from './claim-jobs.ts';
import { decideOutcome } from './decide-outcome.ts';
import { discardAttemptFiles } from './discard-attempt-files.ts';
import { type HeartbeatDeps, startHeartbeat } from './heartbeat.ts';
import { requeueJob } from './requeue-job.ts';

export interface RunJobDeps extends AttemptDeps, Omit<HeartbeatDeps, 'isRevoked'> {
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly changes: JobChangeSink;
  readonly now: () => Date;
  /** Whether the worker is draining. */
  readonly draining: () => boolean;
  /** Reports the start of an attempt to the operator's log. */
  readonly onAttemptStarted: (job: Job) => void;
  /** Reports the outcome of an attempt to the operator's log, once it is stored. */
  readonly onAttemptEnded: (report: AttemptReport) => void;
  /** Reports an error of the service, rather than of the job, to the operator's log. */
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/** One finished attempt, for the operator's log. */
export interface AttemptReport {
  readonly job: Job;
  /** The new status of the job. PENDING if it is back in the queue. */
  readonly status: JobStatus;
  /** How long the attempt took, from the claim to the stored outcome. */
  readonly seconds: number;
  readonly failure?: Failure;
  /** The error behind the failure. No caller may see it. */
  readonly cause?: unknown;
}

/**
 * Runs one attempt of a claimed job and stores its outcome. Never rejects. Calls `releaseSlot` when the next conversion
 * may start, which is when this one starts publishing or has its outcome stored.
 */
export async function runJob(
  deps: RunJobDeps,
  claimedJob: ClaimedJob,
  stop: AbortController,
  releaseSlot: () => void,
): Promise<void> {
  const { claim, delivery } = claimedJob;
  const startMs = performance.now();
  const isRevoked = async (clientId: string) => (await deps.clientContextOf(clientId)).isRevoked === true;
  const heartbeat = startHeartbeat({ ...deps, isRevoked }, claim, delivery, stop);
  try {
    deps.onAttemptStarted(claim.job);
    deps.failpoint('after-claim');
    const result = await runAttempt(deps, claim, stop.signal, heartbeat, releaseSlot);
    await heartbeat.stop();
    // Discard the files before storing a failure: a client that reads the failure finds no files of the job, and a full
    // disk has room for the write. After a success, keep the scratch folder until the outcome is stored, because crash
    // recovery needs it.
    if (result.kind !== 'completed') await discardAttemptFiles(deps, claim.job.jobId, result.scratch);
    if (result.kind === 'stopped' && result.cause === 'lost') return;
    const status = await storeOutcome(deps, claimedJob, result);
    // Another worker has the job.
    if (status === undefined) return;
    deps.failpoint('after-commit');
    const failure = result.kind === 'failed' ? { failure: result.failure, cause: result.cause } : {};
    releaseSlot();
    deps.onAttemptEnded({ job: claim.job, status, seconds: (performance.now() - startMs) / 1000, ...failure });
    if (result.kind === 'completed') await discardAttemptFiles(deps, claim.job.jobId, result.scratch);
  } catch (error) {
    // The row stays PROCESSING. Once the lease has expired, a worker claims the job again.
    deps.onInternalError(claim.job.jobId, error);
  } finally {
    await heartbeat.stop();
    releaseSlot();
  }
}

/** Stores the outcome. Resolves to the job's new status, or to undefined if the claim is lost. */
async function storeOutcome(
  deps: RunJobDeps,
  claimedJob: ClaimedJob,
  result: AttemptResult,
): Promise<JobStatus | undefined> {
  const decision = decideOutcome(claimedJob.claim, result, deps.draining());
  if ('status' in decision)
    return (await endJob(deps, { ...claimedJob, outcome: decision, log: result.log })) ? decision.status : undefined;
  const failure = result.kind === 'failed' ? result.failure : undefined;
  return (await requeueJob(deps, claimedJob, decision, failure)) ? 'PENDING' : undefined;
}
