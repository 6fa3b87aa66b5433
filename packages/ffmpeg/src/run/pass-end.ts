import type { Failure } from '@telecine/contract/domain/failure.ts';
import { filteringFailed, writingFailed } from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import type { ProcessEnd } from '../process/launch.ts';
import type { PreparedRun } from './conversion-run.ts';
import { explainFailure } from './explain-failure.ts';
import type { Pass } from './pass.ts';
import { findPolicyViolation } from './policy-violations.ts';
import type { Stopper } from './stop.ts';

/** Why a pass failed. `raw`: the last lines of its log, for the operator. */
export interface PassFailure {
  readonly failure: Failure;
  readonly raw: string;
}

/** Explains why a pass that has ended failed. undefined: it succeeded. */
export async function failureOfPass(
  c: PreparedRun,
  pass: Pass,
  end: ProcessEnd,
  stopper: Stopper,
  isAfterEmptyPass = false,
): Promise<PassFailure | undefined> {
  const violation = findPolicyViolation(c.policy, pass.observed);
  if (end.code === 0 && !filteringFailed(pass.complaints) && !writingFailed(pass.complaints))
    return violation && { failure: violation, raw: pass.lastLines };
  const passEnd = { ...end, lines: pass.complaints, isAfterEmptyPass };
  const failure = stopper.cause ?? violation ?? (await explainFailure(c, passEnd, pass, stopper));
  const raw = stopper.cause === undefined ? pass.lastLines : '';
  return { failure: replaceLogicalNames(failure, c.plan.inputs), raw };
}

/** The failure for E2BIG: the system's limit for the argv is lower than the planner's, so a retry would fail too. */
export const COMMAND_TOO_LONG: Failure = {
  code: 'UNSUPPORTED',
  message: 'The ffmpeg command of this job is longer than the system allows.',
  fix: 'Send fewer inputs, or shorter option values and paths.',
};
