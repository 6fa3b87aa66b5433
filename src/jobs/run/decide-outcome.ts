import { isRetryable } from '../../domain/failure.ts';
import { MAX_ATTEMPTS } from '../../domain/states.ts';
import { CANCELLED_ON_REQUEST } from '../cancel.ts';
import type { Claim, JobOutcome } from '../ports.ts';
import type { AttemptResult } from './attempt.ts';

/** Back into the line. `keepAttempt` false: the try does not count. */
export interface Requeue {
  readonly keepAttempt: boolean;
  readonly afterSeconds: number;
}

/** Before an automatic try, by tries so far: a full disk is seldom emptied at once. */
const AGAIN_AFTER_SECONDS = [5, 30] as const;

/** How a try's result ends the job, or sends it back. Pure. `draining`: the worker is being ended. */
export function decideOutcome(
  claim: Pick<Claim, 'exhausted'> & { readonly job: Pick<Claim['job'], 'attempt'> },
  result: AttemptResult,
  draining: boolean,
): JobOutcome | Requeue {
  if (result.kind === 'completed') return { status: 'COMPLETED', outputs: result.outputs };
  if (result.kind === 'stopped')
    return result.cause === 'cancel'
      ? { status: 'CANCELLED', error: CANCELLED_ON_REQUEST }
      : { keepAttempt: false, afterSeconds: 0 };
  const { failure } = result;
  if (failure.code === 'CANCELLED') return { status: 'CANCELLED', error: failure };
  const { attempt: tries } = claim.job;
  // A service manager's stop may signal every process of the service, ffmpeg too: that is the drain.
  if (draining && failure.code === 'WORKER_LOST' && !claim.exhausted) return { keepAttempt: false, afterSeconds: 0 };
  if (isRetryable(failure.code) && result.nonRetryable !== true && !claim.exhausted && tries < MAX_ATTEMPTS)
    return { keepAttempt: true, afterSeconds: AGAIN_AFTER_SECONDS[tries - 1] ?? AGAIN_AFTER_SECONDS[1] };
  return { status: 'FAILED', error: failure };
}
