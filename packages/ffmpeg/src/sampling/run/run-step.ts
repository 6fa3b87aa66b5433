import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import { ReadableLog } from '../../log/readable-log.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import { COMMAND_TOO_LONG, failureOfPass } from '../../run/pass-end.ts';
import { findPolicyViolation } from '../../run/policy-violations.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { endOf, reportStart, startPass } from '../../run/start-pass.ts';

/** Throws `JobFailed` if the run was stopped. */
export function throwIfStopped({ stopper: { cause } }: RunState): void {
  if (cause !== undefined) throw new JobFailed(cause);
}

/** The result of a part of a search, or why it failed. */
export type Ended<T> = { readonly ok: true; readonly value: T } | Failed;

/** Resolves to a `JobFailed` instead of throwing it. */
export const orFailed = <T>(work: Promise<T>): Promise<Ended<T>> =>
  work.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => {
      if (!(error instanceof JobFailed)) throw error;
      return { ok: false, failure: error.failure, raw: String(error.cause ?? '') };
    },
  );

/**
 * Runs ffmpeg for a sample, or to compare a video with its source, under the limits of the conversion. Its log is not the job's: a search
 * runs ffmpeg many times. Throws `JobFailed`.
 */
export async function runStep(
  c: PreparedRun,
  argv: readonly string[],
  state: RunState,
  onBlock?: (block: ProgressBlock) => void,
): Promise<Pass> {
  throwIfStopped(state);
  const { stopper, stall } = state;
  // The limits of the output's length do not apply: the list of packets is of the whole input, and comparisons count frames.
  const { duration: _, media: __, ...policy } = c.policy;
  const step = { ...c, policy };
  const pass = await startPass(step, argv, new ReadableLog(), (block, running) => {
    stall.update(block);
    const violation = findPolicyViolation(policy, running.observed);
    if (violation !== undefined) stopper.stop(violation);
    if (!block.ended) onBlock?.(block);
  }).catch(ignoreErrno('E2BIG'));
  if (pass === undefined) throw new JobFailed(COMMAND_TOO_LONG);
  reportStart(c, pass, stall, true);
  const end = await endOf(pass, stopper);
  const failed = await failureOfPass(step, pass, end, stopper);
  if (failed !== undefined) throw new JobFailed(failed.failure, failed.raw);
  throwIfStopped(state);
  return pass;
}
