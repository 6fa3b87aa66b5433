import type { Failure } from '@telecine/contract/domain/failure.ts';
import { classifyFailure, emptyOutput, endedBySignal, type PassEnd, withoutFrames } from '../log/classify.ts';
import { ReadableLog } from '../log/readable-log.ts';
import type { PreparedRun } from './conversion-run.ts';
import { encryptedInput, explainInput, failedOutput, ofOutput, withSentNames } from './failed-output.ts';
import { inputToRead, lateStart, readingArgv, shortData } from './nothing-written.ts';
import type { Pass } from './pass.ts';
import type { PassOutput } from './pass-output.ts';
import { endOf, startPass } from './start-pass.ts';
import type { Stopper } from './stop.ts';

/** Explains why a pass failed, by its log. */
export async function explainFailure(c: PreparedRun, end: PassEnd, pass: Pass, stopper: Stopper): Promise<Failure> {
  const empty = endedBySignal(end) ? undefined : emptyOutput(end.lines);
  const emptyOne = empty === undefined ? undefined : pass.outputs[empty];
  if (emptyOne !== undefined) return ofOutput(c.plan, emptyOne.index, await explainEmptyOutput(c, emptyOne, stopper));
  const failedOne = failedOutput(end.lines, pass.outputs);
  const output = failedOne ?? pass.firstOutput;
  const inputs = c.plan.inputs.map(({ logical }) => logical);
  // The decoded data of an encrypted file is random, so it can cause any failure.
  const encrypted = pass.readsMov && !endedBySignal(end) ? await encryptedInput(c) : undefined;
  const explained = encrypted ?? (await explainInput(c, classifyFailure(end, c.policy, output.planned, inputs)));
  const named = c.guard(() => withSentNames(explained, output.sent), explained);
  return failedOne === undefined ? named : ofOutput(c.plan, failedOne.index, named);
}

const WITHOUT_CUES: Failure = {
  code: 'INPUT_INVALID',
  message: 'Nothing was written: the subtitles have no cue that ffmpeg can read.',
  fix: 'Check that the file has the form of its extension, such as the line "WEBVTT" and times with two colons at most, or send the file in another form.',
};

/** Explains why nothing was written. If the lengths of the inputs do not show the reason, reads one input to its end. */
export async function explainEmptyOutput(c: PreparedRun, output: PassOutput, stopper: Stopper): Promise<Failure> {
  if (output.hasOnlySubtitles) return WITHOUT_CUES;
  const read = output.readInputs;
  const late = read && lateStart(read);
  const input = read && inputToRead(read);
  const reading = input === undefined ? undefined : readingArgv(output.argv, input);
  if (late !== undefined || read === undefined || input === undefined || reading === undefined)
    return late ?? withoutFrames(c.plan);
  const pass = await startPass(c, reading, new ReadableLog(), () => undefined);
  const { code } = await endOf(pass, stopper);
  const cause = code === 0 ? shortData(read, input, pass.lastBlock) : undefined;
  return stopper.cause ?? cause ?? withoutFrames(c.plan);
}
