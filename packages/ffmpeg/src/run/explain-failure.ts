import type { Failure } from '@telecine/contract/domain/failure.ts';
import { outputOf } from '@telecine/contract/domain/plan.ts';
import {
  classifyFailure,
  emptyOutput,
  endedBySignal,
  type PassEnd,
  trustedLines,
  withoutFrames,
} from '../log/classify.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import { ReadableLog } from '../log/readable-log.ts';
import { unfitProfile } from '../rules/failures/encoders.ts';
import { explainStall } from '../rules/failures/joined-inputs.ts';
import { explainByMedia } from '../rules/failures/media-causes.ts';
import {
  cutOffInput,
  emptyInput,
  explainNothingWritten,
  inputToMeasure,
  readingArgv,
} from '../rules/failures/nothing-written.ts';
import { endlessSubtitles } from '../rules/failures/subtitles.ts';
import { undecodableStream } from '../rules/failures/undecodable.ts';
import type { PreparedRun } from './conversion-run.ts';
import { encryptedInput, explainInput, failedOutput, ofOutput, withSentNames } from './failed-output.ts';
import type { Pass } from './pass.ts';
import type { PassOutput } from './pass-output.ts';
import { exceedsDuration } from './policy-violations.ts';
import { endOf, startPass } from './start-pass.ts';
import type { Stopper } from './stop.ts';

/** Explains why a pass failed: by the facts about the inputs if they show the reason, or else by the log alone. */
export async function explainFailure(c: PreparedRun, end: PassEnd, pass: Pass, stopper: Stopper): Promise<Failure> {
  const failedOne = failedOutput(end.lines, pass.outputs);
  const candidates = failedOne === undefined ? pass.outputs : [failedOne];
  const byMedia = (output: PassOutput): Failure | undefined => {
    const { facts } = output;
    if (endedBySignal(end) || facts === undefined) return undefined;
    return c.guard(() => {
      const lines = trustedLines(end.lines);
      return undecodableStream(facts, end.code, lines) ?? explainByMedia(facts, lines) ?? unfitProfile(facts);
    }, undefined);
  };
  let found: { readonly output: PassOutput; readonly failure: Failure } | undefined;
  for (const output of candidates) {
    const failure = found === undefined ? byMedia(output) : undefined;
    if (failure !== undefined) found = { output, failure };
  }
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
  stopper: Stopper,
): Promise<Failure> {
  if (hasOnlySubtitles) return WITHOUT_CUES;
  if (facts === undefined) return withoutFrames(c.plan);
  const byHeader = c.guard(() => explainNothingWritten(facts), undefined);
  const input = inputToMeasure(facts);
  const reading = input === undefined ? undefined : readingArgv(argv, input);
  if (byHeader !== undefined || input === undefined || reading === undefined) return byHeader ?? withoutFrames(c.plan);
  const pass = await startPass(c, reading, new ReadableLog(), () => undefined);
  const { code } = await endOf(pass, stopper);
  const read: Partial<ProgressBlock> = pass.lastBlock ?? {};
  const byData = (): Failure | undefined =>
    emptyInput(facts, input, read) ?? cutOffInput(facts, input, read.outSeconds ?? 0);
  const cause = code === 0 ? c.guard(byData, undefined) : undefined;
  return stopper.cause ?? cause ?? withoutFrames(c.plan);
}

/**
 * Explains why the service stopped ffmpeg. If the inputs show the reason for a stall, adds it: a filter that joins different frame rates.
 */
export function explainStop(c: PreparedRun, cause: Failure | undefined, pass: Pass): Failure | undefined {
  const { facts } = pass.firstOutput;
  const stall = cause?.code === 'STALLED' && facts !== undefined ? explainStall(facts) : undefined;
  const violation = explainViolation(c, cause, pass);
  if (violation !== cause) return violation;
  return cause && stall ? { ...cause, ...stall, message: `${cause.message} ${stall.message}` } : cause;
}

/** Explains a limit that the output exceeds. If filters make the output too long, names them. */
export function explainViolation(
  { policy }: PreparedRun,
  violation: Failure | undefined,
  { firstOutput: { facts }, observed }: Pass,
): Failure | undefined {
  const isTooLong = violation?.code === 'LIMIT_EXCEEDED' && exceedsDuration(policy, observed);
  const reason = isTooLong && facts !== undefined ? endlessSubtitles(facts) : undefined;
  return violation && reason
    ? { ...violation, ...reason, message: `${violation.message} ${reason.message}` }
    : violation;
}
