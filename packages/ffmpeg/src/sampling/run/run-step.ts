import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import { ReadableLog } from '../../log/readable-log.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import { COMMAND_TOO_LONG, failureOfPass } from '../../run/pass-end.ts';
import { findPolicyViolation } from '../../run/policy-violations.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { endOf, reportStart, startPass } from '../../run/start-pass.ts';

/** The end of one run of ffmpeg for samples. Also has the pass of a run that started and then failed. */
type StepEnd = { readonly ok: true; readonly pass: Pass } | (Failed & { readonly pass?: Pass });

export const stopped = ({ stopper: { cause } }: RunState): Failed | undefined =>
  cause && { ok: false, failure: cause, raw: '' };

/**
 * Runs ffmpeg for a sample, or to compare a video with its source, under the limits of the conversion. Its log is not the job's: a search
 * runs ffmpeg many times.
 */
export async function runStep(
  c: PreparedRun,
  argv: readonly string[],
  state: RunState,
  onBlock?: (block: ProgressBlock) => void,
): Promise<StepEnd> {
  const before = stopped(state);
  if (before !== undefined) return before;
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
  if (pass === undefined) return { ok: false, failure: COMMAND_TOO_LONG, raw: '' };
  reportStart(c, pass, stall, true);
  const end = await endOf(pass, stopper);
  const failure = (await failureOfPass(step, pass, end, stopper)) ?? stopped(state);
  return failure === undefined ? { ok: true, pass } : { ...failure, ok: false, pass };
}
