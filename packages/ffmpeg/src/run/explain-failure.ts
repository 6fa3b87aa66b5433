import type { Failure } from '@telecine/contract/domain/failure.ts';
import { classifyFailure, emptyOutput, endedBySignal, type PassEnd, withoutFrames } from '../log/classify.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import { ReadableLog } from '../log/readable-log.ts';
import type { PreparedRun } from './conversion-run.ts';
import { encryptedInput, explainInput, failedOutput, ofOutput, withSentNames } from './failed-output.ts';
import { readingArgv, shortData, streamsToRead } from './nothing-written.ts';
import type { Pass } from './pass.ts';
import type { PassOutput } from './pass-output.ts';
import { endOf, startPass } from './start-pass.ts';
import type { Stopper } from './stop.ts';

/** Failures for want of space, memory or a device, which no request explains. */
const OF_MACHINE: ReadonlySet<string> = new Set(['NO_SPACE', 'LIMIT_EXCEEDED', 'DEVICE_FAILED', 'WORKER_LOST']);

/** Explains why a pass failed: by comparing its request with its inputs, as a dry run does, and else by its log. */
export async function explainFailure(c: PreparedRun, end: PassEnd, pass: Pass, stopper: Stopper): Promise<Failure> {
  const isBySignal = endedBySignal(end);
  const empty = isBySignal ? undefined : emptyOutput(end.lines);
  const emptyOne = empty === undefined ? undefined : pass.outputs[empty];
  if (emptyOne !== undefined) return ofOutput(c.plan, emptyOne.index, await explainEmptyOutput(c, emptyOne, stopper));
  const failedOne = failedOutput(end.lines, pass.outputs);
  const output = failedOne ?? pass.firstOutput;
  const inputs = c.plan.inputs.map(({ logical }) => logical);
  // The decoded data of an encrypted file is random, so it can cause any failure.
  const encrypted = pass.readsMov && !isBySignal ? await encryptedInput(c) : undefined;
  const byLog = classifyFailure(end, c.policy, output.planned, inputs);
  const compared = isBySignal || OF_MACHINE.has(byLog.code) ? undefined : output.comparedFailure();
  const explained = encrypted ?? compared ?? (await explainInput(c, byLog));
  const named = c.guard(() => withSentNames(explained, output.sent), explained);
  return failedOne === undefined ? named : ofOutput(c.plan, failedOne.index, named);
}

const WITHOUT_CUES: Failure = {
  code: 'INPUT_INVALID',
  message: 'Nothing was written: the subtitles have no cue that ffmpeg can read.',
  fix: 'Check that the file has the form of its extension, such as the line "WEBVTT" and times with two colons at most, or send the file in another form.',
};

/** Explains why nothing was written. If neither the request nor the lengths of the inputs show the reason, reads its video and its audio to their ends. */
export async function explainEmptyOutput(c: PreparedRun, output: PassOutput, stopper: Stopper): Promise<Failure> {
  const { readInputs } = output;
  const compared = output.comparedFailure('late-start');
  if (compared !== undefined) return compared;
  if (output.hasOnlySubtitles) return WITHOUT_CUES;
  const streams = readInputs === undefined ? [] : c.guard(() => streamsToRead(readInputs), []);
  const last: (ProgressBlock | undefined)[] = [];
  for (const stream of streams) {
    const pass = await startPass(c, readingArgv(output.argv, stream), new ReadableLog(), () => undefined);
    const { code } = await endOf(pass, stopper);
    if (stopper.cause !== undefined) return stopper.cause;
    if (code !== 0) return withoutFrames(c.plan);
    last.push(pass.lastBlock);
  }
  const [first] = streams;
  const cause = readInputs && first && shortData(readInputs, first.input, last);
  return cause ?? withoutFrames(c.plan);
}
