import { type Failure, isRetryable, MAX_ATTEMPTS } from '@telecine/contract/domain/failure.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { CANCELLED_ON_REQUEST, CLIENT_REVOKED } from '../end-job.ts';
import type { Claim, JobOutcome, RequeueOptions } from '../ports/job-store.ts';
import type { AttemptResult } from './attempt-state.ts';

export interface Requeue extends RequeueOptions {
  readonly delaySeconds: number;
  /** The new needs of the job. Absent if the needs do not change. */
  readonly needs?: Requirements['needs'];
}

export interface OutcomeFacts {
  readonly draining: boolean;
  readonly now: Date;
  /** How long a job waits for a storage that is down, or a machine that is not ready, in seconds. */
  readonly storageWaitSeconds: number;
  /** The attempt has staged its inputs, so an outage that the job met long ago has ended. */
  readonly hasStaged?: boolean;
}

/** The delays before the second and the third attempt. A cause such as a full disk seldom disappears at once. */
const RETRY_DELAYS_SECONDS = [5, 30] as const;

/** The first and the longest delay between attempts during an outage, in seconds. */
const [FIRST_DOWN_SECONDS, LAST_DOWN_SECONDS] = [5, 300];

/** Decides after an attempt whether a job ends or goes back to the queue. Pure. */
export function decideOutcome(
  claim: Pick<Claim, 'exhausted' | 'storageDownSince'> & { readonly job: Pick<Claim['job'], 'attempt'> },
  result: AttemptResult,
  facts: OutcomeFacts,
): JobOutcome | Requeue {
  if (result.kind === 'completed') {
    const { outputs, measurements, warnings } = result;
    return { status: 'COMPLETED', outputs, ...(measurements && { measurements }), ...(warnings && { warnings }) };
  }
  if (result.kind === 'stopped') {
    switch (result.cause) {
      case 'cancel':
        return { status: 'CANCELLED', error: CANCELLED_ON_REQUEST };
      case 'revoked':
        return { status: 'CANCELLED', error: CLIENT_REVOKED };
      default:
        return { keepAttempt: false, delaySeconds: 0 };
    }
  }
  if (result.kind === 'unfit') return { keepAttempt: false, delaySeconds: 0, needs: result.needs };
  if (result.kind === 'outage' && !claim.exhausted) {
    const waiting = waitForEnd(claim.storageDownSince, result.failure, facts);
    if (waiting !== undefined && !result.counts) return waiting;
    if (waiting !== undefined && claim.job.attempt < MAX_ATTEMPTS) return { ...waiting, keepAttempt: true };
  }
  const { failure } = result;
  const { warnings = undefined, nonRetryable = false } = result.kind === 'failed' ? result : {};
  if (failure.code === 'CANCELLED') return { status: 'CANCELLED', error: failure };
  const { attempt } = claim.job;
  // If ffmpeg was killed during a drain, the attempt does not count: a service manager that stops the service may kill
  // its ffmpeg processes too.
  if (facts.draining && failure.code === 'WORKER_LOST' && !claim.exhausted)
    return { keepAttempt: false, delaySeconds: 0 };
  const mayRetry = result.kind === 'outage' || (isRetryable(failure.code) && !nonRetryable);
  if (mayRetry && !claim.exhausted && attempt < MAX_ATTEMPTS)
    return {
      keepAttempt: true,
      delaySeconds: RETRY_DELAYS_SECONDS[attempt - 1] ?? RETRY_DELAYS_SECONDS[1],
      reason: failure,
    };
  return { status: 'FAILED', error: failure, ...(warnings && { warnings }) };
}

/**
 * Returns when and how a job is tried again during an outage. undefined: the job has waited for long enough. The delay is
 * about half of the outage so far, with a random part, so that a storage that is down for long gets few requests.
 */
function waitForEnd(since: string | undefined, reason: Failure, facts: OutcomeFacts): Requeue | undefined {
  const { now, storageWaitSeconds, hasStaged = false } = facts;
  const downSeconds = since === undefined ? 0 : (now.getTime() - Date.parse(since)) / 1000;
  if (downSeconds >= storageWaitSeconds)
    return hasStaged && since !== undefined ? waitForEnd(undefined, reason, facts) : undefined;
  const delaySeconds = Math.min(LAST_DOWN_SECONDS, Math.max(FIRST_DOWN_SECONDS, downSeconds / 2));
  return {
    keepAttempt: false,
    delaySeconds: Math.round(delaySeconds * (0.75 + Math.random() / 2)),
    reason,
    storageDownSince: since ?? now.toISOString(),
  };
}
