import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { ladderSampleFile, ladderScoresFile, type SizedSamples } from '@telecine/contract/domain/ladder.ts';
import type { SizeValue } from '../../quality/frame-size.ts';
import type { FrameSize, LadderSample } from '../../quality/ladder.ts';
import type { Sample } from '../../quality/samples.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { runStep } from '../quality/run-step.ts';
import { readMeanScore } from '../quality/scores.ts';
import { pairingOf } from '../quality/try-sample.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { CONVERSION_CANCELLED } from '../stop.ts';
import { compareArgv, encodeArgv } from './fill-argv.ts';

/** A sample to encode in several sizes or with several values. */
export interface SampleTry {
  readonly sample: Sample;
  readonly tries: readonly SizeValue[];
  /** The size of what the encoder gets. */
  readonly source: FrameSize;
}

type Found = readonly Omit<LadderSample, 'index'>[];

/** The score and the bytes of a sample in each try. Empty: the filters drop this part of the video. */
type TriedValues = { readonly ok: true; readonly found: Found } | Failed;

/** Encodes a sample in several sizes or with several values at once, and compares all with their source. */
export async function tryValues(
  prepared: PreparedRun,
  planned: SizedSamples,
  { sample, tries, source }: SampleTry,
  state: RunState,
): Promise<TriedValues> {
  const [output] = prepared.plan.outputs;
  if (output === undefined) throw new RangeError('The plan has no output.');
  // ffmpeg reports each encoded sample as an output.
  const several = { ...prepared, plan: { ...prepared.plan, outputs: tries.map(() => output) } };
  const encoding = await runStep(several, encodeArgv(planned, sample, tries), state);
  if (!encoding.ok) return encoding;
  const { pass: encoded } = encoding;
  const frames = encoded.lastBlock?.frame ?? 0;
  if (frames === 0) return { ok: true, found: [] };
  const pairing = pairingOf(encoded);
  // ffmpeg counts the dropped frames of all its outputs together.
  const sourceFrames = frames + Math.ceil((pairing.sourceFrames - frames) / tries.length);
  const argv = compareArgv(planned, sample, source, { ...pairing, sourceFrames });
  const comparison = await runStep(prepared, argv, state);
  if (!comparison.ok) return comparison;
  const scored = Math.max(1, Math.round(frames * (1 - (sample.tail ?? 0) / sample.seconds)));
  const seconds = frames / pairing.fps;
  const found: Omit<LadderSample, 'index'>[] = [];
  for (const number of tries.keys()) {
    const read = await readTry(prepared, planned, number, scored);
    if ('ok' in read) return { ...read, raw: comparison.pass.lastLines };
    found.push({ ...read, seconds });
  }
  return { ok: true, found };
}

/** Reads the score and the size of an encoded sample, and removes its files. */
async function readTry(
  { dir, signal }: PreparedRun,
  { metric }: Pick<SizedSamples, 'metric'>,
  number: number,
  frames: number,
): Promise<Omit<LadderSample, 'index' | 'seconds'> | Failed> {
  const [file, scores] = [join(dir, ladderSampleFile(number)), join(dir, ladderScoresFile(number))];
  try {
    const score = await readMeanScore(scores, metric, frames, signal);
    const { size: bytes } = await lstat(file);
    await Promise.all([file, scores].map((path) => rm(path, { force: true })));
    return score === undefined ? { ok: false, failure: NO_SCORE, raw: '' } : { score, bytes };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ok: false, failure: CONVERSION_CANCELLED, raw: '' };
  }
}

const NO_SCORE: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'ffmpeg compared encoded samples with their source, but wrote no score.',
  fix: 'Send another "metric" in "ladder", such as "ssim", or the recipe "hls", whose rungs are fixed.',
};
