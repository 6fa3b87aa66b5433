import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { type MeasuredTarget, type PlannedQuality, SCORES_FILE } from '@telecine/contract/domain/quality.ts';
import type { Sample } from '../../quality/samples.ts';
import type { TriedSample } from '../../quality/search.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { CONVERSION_CANCELLED } from '../stop.ts';
import { type EncodedTimes, type Pairing, withPairing, withSample, withValue } from './fill-placeholders.ts';
import { runStep } from './run-step.ts';
import { readMeanScore } from './scores.ts';

/** The score and size of a sample with a value. `encoded`: the run that encoded it, which wrote no frame if `found` is absent. */
type SampleEnd = { readonly ok: true; readonly encoded: Pass; readonly found?: Omit<TriedSample, 'index'> } | Failed;

/** Encodes a sample with a value, and compares it with its source. */
export async function trySample(
  c: PreparedRun,
  quality: PlannedQuality,
  { sample, value, isFirst }: { readonly sample: Sample; readonly value: number; readonly isFirst: boolean },
  state: RunState,
): Promise<SampleEnd> {
  const encoding = await runStep(c, withSample(withValue(quality.encode, value), sample), state, { isFirst });
  if (!encoding.ok) return encoding;
  const { pass: encoded } = encoding;
  if (encoded.firstOutput.streamCount('video') > 1)
    return { ok: false, failure: SEVERAL_VIDEOS, raw: encoded.lastLines };
  const frames = encoded.lastBlock?.frame ?? 0;
  if (frames === 0) return { ok: true, encoded };
  const scored = Math.max(1, Math.round(frames * (1 - (sample.tail ?? 0) / sample.seconds)));
  const comparison = await compare(c, quality, withSample(quality.compare, sample), encoded, state, scored);
  if (!comparison.ok) return comparison;
  const file = join(c.dir, quality.sampleFile);
  const { size: bytes } = await lstat(file);
  await rm(file, { force: true });
  return { ok: true, encoded, found: { score: comparison.score, bytes } };
}

type Comparison = { readonly ok: true; readonly score: number } | Failed;

/** Compares a video with its source. `times`: see `withPairing`. `encoded`: the run that made the video. `frames`: only this number of frames from the start is scored. */
export async function compare(
  c: PreparedRun,
  { metric, times }: Pick<MeasuredTarget, 'metric'> & { readonly times?: EncodedTimes },
  argv: readonly string[],
  encoded: Pass,
  state: RunState,
  frames: number,
  onFrame?: (frame: number) => void,
): Promise<Comparison> {
  const onBlock = ({ frame }: { readonly frame?: number }): void => onFrame?.(frame ?? 0);
  const step = await runStep(c, withPairing(argv, pairingOf(encoded), times), state, { onBlock });
  if (!step.ok) return step;
  const scores = join(c.dir, SCORES_FILE);
  try {
    const score = await readMeanScore(scores, metric, frames, c.signal);
    await rm(scores, { force: true });
    return score === undefined ? { ok: false, failure: NO_SCORE, raw: step.pass.lastLines } : { ok: true, score };
  } catch (error) {
    if (!c.signal.aborted) throw error;
    return { ok: false, failure: CONVERSION_CANCELLED, raw: '' };
  }
}

const DEFAULT_FPS = 25;

/** How the frames of an encoded video are paired with those of its source. */
export function pairingOf({ lastBlock, firstOutput }: Pass): Pairing {
  const { frame = 0, droppedFrames = 0, repeatedFrames = 0 } = lastBlock ?? {};
  const video = firstOutput.report.streams?.find(({ type }) => type === 'video');
  return {
    fps: video?.fps ?? DEFAULT_FPS,
    sourceFrames: frame + droppedFrames,
    hasAllFrames: droppedFrames + repeatedFrames === 0,
    hasRepeatedFrames: repeatedFrames > 0,
  };
}

const SEVERAL_VIDEOS: Failure = {
  code: 'UNSUPPORTED',
  message: '"quality" is about one video, but the output has several.',
  fix: 'Map one video, such as "map": ["0:v:0", "0:a"].',
};

const NO_SCORE: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'ffmpeg compared the encoded video with its source, but wrote no score.',
  fix: 'Send another "metric" in "quality", such as "ssim", or a fixed "crf" instead of "quality".',
};
