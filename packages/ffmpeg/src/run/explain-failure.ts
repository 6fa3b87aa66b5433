import type { Failure } from '@telecine/contract/domain/failure.ts';
import { outputOf } from '@telecine/contract/domain/plan.ts';
import {
  classifyFailure,
  emptyOutput,
  endedBySignal,
  nothingDone,
  type PassEnd,
  withoutFrames,
} from '../log/classify.ts';
import { startAfterEnd } from '../rules/result/outside-input.ts';
import type { PreparedRun } from './conversion-run.ts';
import { encryptedInput, explainInput, failedOutput, ofOutput, withSentNames } from './failed-output.ts';
import type { Pass } from './pass.ts';
import type { PassOutput } from './pass-output.ts';
import type { Stopper } from './stop.ts';

/** Explains why a pass failed: by the facts about the inputs if they show the reason, or else by the log alone. */
export async function explainFailure(c: PreparedRun, end: PassEnd, pass: Pass, stopper: Stopper): Promise<Failure> {
  const failedOne = failedOutput(end.lines, pass.outputs);
  const found = undefined as { readonly output: PassOutput; readonly failure: Failure } | undefined;
  const empty = found === undefined && !endedBySignal(end) ? emptyOutput(end.lines) : undefined;
  const emptyOne = empty === undefined ? undefined : pass.outputs[empty];
  if (emptyOne !== undefined) return ofOutput(c.plan, emptyOne.index, await explainEmptyOutput(c, emptyOne, stopper));
  const { output, failure } = found ?? byLog(c, end, failedOne ?? pass.firstOutput);
  // The decoded data of an encrypted file is random, so it can cause any failure.
  const encrypted = pass.readsMov && !endedBySignal(end) ? await encryptedInput(c) : undefined;
  const explained = encrypted ?? (await explainInput(c, failure));
  const named = c.guard(() => withSentNames(explained, outputOf(c.plan, output.index)), explained);
  return failedOne === undefined ? named : ofOutput(c.plan, failedOne.index, named);
}

const byLog = (c: PreparedRun, end: PassEnd, output: PassOutput) => ({
  output,
  failure: classifyFailure(
    end,
    c.policy,
    output.planned,
    c.plan.inputs.map(({ logical }) => logical),
  ),
});

const WITHOUT_CUES: Failure = {
  code: 'INPUT_INVALID',
  message: 'Nothing was written: the subtitles have no cue that ffmpeg can read.',
  fix: 'Check that the file has the form of its extension, such as the line "WEBVTT" and times with two colons at most, or send the file in another form.',
};

/** Explains why nothing was written. If the headers of the inputs do not show the reason, reads one input to its end. */
export async function explainEmptyOutput(
  c: PreparedRun,
  { facts, argv, hasOnlySubtitles }: PassOutput,
  _stopper: Stopper,
): Promise<Failure> {
  if (hasOnlySubtitles) return WITHOUT_CUES;
  if (facts === undefined) return withoutFrames(c.plan);
  const late = c.guard(() => startAfterEnd(facts), undefined);
  if (late === undefined) return withoutFrames(c.plan);
  return { code: 'FFMPEG_FAILED', message: `${nothingDone(c.plan)}: ${late.message}`, fix: late.fix };
}

/**
 * Explains why the service stopped ffmpeg. If the inputs show the reason for a stall, adds it: a filter that joins different frame rates.
 */
export function explainStop(c: PreparedRun, cause: Failure | undefined, pass: Pass): Failure | undefined {
  return explainViolation(c, cause, pass);
}

/** Explains a limit that the output exceeds. If filters make the output too long, names them. */
export function explainViolation(
  { policy }: PreparedRun,
  violation: Failure | undefined,
  { firstOutput: { facts }, observed }: Pass,
): Failure | undefined {
  return violation;
}
