import { type Failure, isRetryable } from '../../domain/failure.ts';
import type { Requirements } from '../../domain/lane.ts';
import { MAX_ATTEMPTS } from '../../domain/max-attempts.ts';
import { CANCELLED_ON_REQUEST, CLIENT_REVOKED } from '../end-job.ts';
import type { Claim, JobOutcome } from '../ports/job-claims.ts';
import type { AttemptResult } from './attempt.ts';

/** The decision to send the job back to the queue. */
export interface Requeue {
  /** Whether the attempt counts. */
  readonly keepAttempt: boolean;
  readonly delaySeconds: number;
  /** Why the job runs again, which it shows until its next attempt starts. */
  readonly reason?: Failure;
  /** The new needs of the job. Absent if they stay. */
  readonly needs?: Requirements['needs'];
}

/** The delays before the second and the third attempt. A full disk, for example, is seldom emptied at once. */
const RETRY_DELAYS_SECONDS = [5, 30] as const;

/** The delay before the next attempt of one that did not count. The work for which it made room takes longer. */
const DEFERRED_SECONDS = 10;

/**
 * Decides whether the result of an attempt ends the job or sends it back to the queue. Pure. `draining`: whether the
 * worker is draining.
 */
export function decideOutcome(
  claim: Pick<Claim, 'exhausted'> & { readonly job: Pick<Claim['job'], 'attempt'> },
  result: AttemptResult,
  draining: boolean,
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
  if (result.kind === 'deferred') return { keepAttempt: false, delaySeconds: DEFERRED_SECONDS, reason: result.failure };
  const { failure, warnings } = result;
  if (failure.code === 'CANCELLED') return { status: 'CANCELLED', error: failure };
  const { attempt } = claim.job;
  // A service manager may also signal ffmpeg when it stops the service, so during a drain such a kill does not count.
  if (draining && failure.code === 'WORKER_LOST' && !claim.exhausted) return { keepAttempt: false, delaySeconds: 0 };
  if (isRetryable(failure.code) && result.nonRetryable !== true && !claim.exhausted && attempt < MAX_ATTEMPTS)
    return {
      keepAttempt: true,
      delaySeconds: RETRY_DELAYS_SECONDS[attempt - 1] ?? RETRY_DELAYS_SECONDS[1],
      reason: failure,
    };
  return { status: 'FAILED', error: failure, ...(warnings && { warnings }) };
}
