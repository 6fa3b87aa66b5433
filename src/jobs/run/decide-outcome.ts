import { isRetryable } from '../../domain/failure.ts';
import { MAX_ATTEMPTS } from '../../domain/max-attempts.ts';
import { CANCELLED_ON_REQUEST } from '../end-job.ts';
import type { Claim, JobOutcome } from '../ports.ts';
import type { AttemptResult } from './attempt.ts';

/** Back to the queue. */
export interface Requeue {
  /** False: the attempt does not count. */
  readonly keepAttempt: boolean;
  readonly delaySeconds: number;
}

/** Delay before the second and the third attempt: a full disk is seldom emptied at once. */
const RETRY_DELAYS_SECONDS = [5, 30] as const;

/**
 * Whether the result of an attempt ends the job or sends it back to the queue. Pure. `draining`: the worker is being
 * stopped.
 */
export function decideOutcome(
  claim: Pick<Claim, 'exhausted'> & { readonly job: Pick<Claim['job'], 'attempt'> },
  result: AttemptResult,
  draining: boolean,
): JobOutcome | Requeue {
  if (result.kind === 'completed') return { status: 'COMPLETED', outputs: result.outputs };
  if (result.kind === 'stopped')
    return result.cause === 'cancel'
      ? { status: 'CANCELLED', error: CANCELLED_ON_REQUEST }
      : { keepAttempt: false, delaySeconds: 0 };
  const { failure } = result;
  if (failure.code === 'CANCELLED') return { status: 'CANCELLED', error: failure };
  const { attempt } = claim.job;
  // A service manager may signal every process of the service, ffmpeg included. During a drain, that is the drain.
  if (draining && failure.code === 'WORKER_LOST' && !claim.exhausted) return { keepAttempt: false, delaySeconds: 0 };
  if (isRetryable(failure.code) && result.nonRetryable !== true && !claim.exhausted && attempt < MAX_ATTEMPTS)
    return { keepAttempt: true, delaySeconds: RETRY_DELAYS_SECONDS[attempt - 1] ?? RETRY_DELAYS_SECONDS[1] };
  return { status: 'FAILED', error: failure };
}
