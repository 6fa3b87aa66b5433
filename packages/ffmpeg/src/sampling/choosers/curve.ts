import type { SampleProgress } from '@telecine/contract/domain/job.ts';
import type { QualityScale } from '@telecine/contract/domain/quality.ts';
import { clamp, rounded } from '@telecine/contract/domain/quantity.ts';
import type { ChosenBySamples, FrameSize, PlannedSamples, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import { MOTION, type Sample, sumOf } from './samples.ts';
import { LOSS_SCALES, roundedScore } from './scales.ts';
import { sizeName } from './sizes.ts';

/** A value to encode samples with. `size`: absent if samples keep that of the source. */
export interface Candidate {
  readonly value: number;
  readonly size?: FrameSize;
}

/** A sample that was encoded with a value, and compared with its source. */
export interface Try extends Candidate {
  readonly sample: Sample;
  /** The mean score of its frames. */
  readonly score: number;
  /** The bytes of the encoded sample, and its length in the output, which filters such as `setpts` change. */
  readonly bytes: number;
  readonly seconds: number;
}

/** What to encode next: each of the samples with the candidates of each group. One run of ffmpeg encodes a group. */
export interface NextTries {
  readonly samples: readonly Sample[];
  readonly groups: readonly (readonly Candidate[])[];
}

/** How `quality`, `ladder` or `frameSize` chooses what to try, and what it makes of that. */
export interface Chooser {
  readonly member: SampleProgress['choose'];
  readonly samples: readonly Sample[];
  /** How many runs each sample usually needs. */
  readonly usualRuns: number;
  /** What to try next. undefined: enough is known. `samples`: those that have frames. `rounds`: how often something was tried. */
  readonly next: (samples: readonly Sample[], tries: readonly Try[], rounds: number) => NextTries | undefined;
  readonly choose: (tries: readonly Try[]) => ChosenBySamples;
  /** What the job has if its samples cannot be encoded or compared. Absent: the job fails. */
  readonly withoutTries?: ChosenBySamples;
}

/** What a search tries, and how it is measured. */
export type SearchScale = Pick<PlannedSamples, 'metric' | 'scale'>;

/** What the full video is expected to have with any value. The score falls and the bits shrink with the value. */
export interface Curve {
  /** The values that were tried, ascending. */
  readonly tried: readonly number[];
  readonly score: (value: number) => number;
  readonly bitsPerSecond: (value: number) => number;
}

/** The usual decrease of the logarithm of bytes for one step of x264's crf. */
const BYTES_GROWTH = 0.14;
/** How much a second's key frame adds to the bytes of a sample. */
const KEY_FRAME_BYTES = 0.2;
/** Two tries at this distance tell as much about the slope as the usual slope does, in steps of x264's crf. */
const USUAL_WEIGHT = 1;
/** Bounds of a slope, as a multiple of the usual slope. */
const SLOPES = { min: 0.2, max: 3 } as const;
/** The farthest that a value may be from the tried ones, in steps of x264's crf. Grain gets better up to three times as fast as usual. */
const REACH = { better: 7, worse: 12 } as const;

/**
 * The curve of a video by its samples. Each sample has a curve by its own tries, because samples differ in how fast they get worse: grain
 * vanishes at once, text does not. A sample with a tail is shorter than what stands between two key frames of the full video, so that it has
 * more bits and more loss than the same frames have there.
 *
 * @param tries Of one frame size.
 */
export function curveOf({ scale: { pace, excess }, metric }: SearchScale, tries: readonly Try[]): Curve {
  const { lossOf, scoreOf, growth } = LOSS_SCALES[metric];
  const lossIn = ({ score, sample: { motion = MOTION.max } }: Try): number =>
    lossOf(score) - (excess * Math.log(MOTION.max / motion) * growth) / LOSS_SCALES.ssim.growth;
  const savedIn = ({ bytes, seconds, sample: { tail } }: Try): number => {
    const keyFrame = tail === undefined ? 1 : 1 + KEY_FRAME_BYTES / seconds;
    return -Math.log(Math.max(1, (bytes * 8) / Math.max(1e-3, seconds) / keyFrame));
  };
  const bySample = Map.groupBy(
    tries.toSorted((a, b) => a.value - b.value),
    ({ sample }) => sample,
  );
  const losses = linesOf(bySample, lossIn, growth * pace, pace);
  const savings = linesOf(bySample, savedIn, BYTES_GROWTH * pace, pace);
  const mean = (read: (sample: Sample) => number, weightOf: (sample: Sample) => number): number => {
    const samples = [...bySample.keys()];
    return sumOf(samples.map((one) => weightOf(one) * read(one))) / (sumOf(samples.map(weightOf)) || 1);
  };
  // Filters may make parts of the source longer or shorter.
  const secondsOf = (sample: Sample): number => sample.weight * (bySample.get(sample)?.[0]?.seconds ?? 0);
  const weightOf = ({ weight }: Sample): number => weight;
  return {
    tried: [...new Set(tries.map(({ value }) => value))].toSorted((a, b) => a - b),
    score: (value) => mean((sample) => scoreOf(losses(sample, value)), weightOf),
    bitsPerSecond: (value) => Math.max(1, Math.round(mean((sample) => Math.exp(-savings(sample, value)), secondsOf))),
  };
}

/** What the full video is expected to have with each tried value, for reports. */
export const triedPoints = ({ tried, score, bitsPerSecond }: Curve) =>
  tried.map((value) => ({ value, score: roundedScore(score(value)), bitsPerSecond: bitsPerSecond(value) }));

/**
 * Lines through the tries of each sample, which never fall. Between two tries a line is straight. Beyond them, all lines have the mean slope of
 * all pairs of tries, or the usual slope.
 */
function linesOf(
  bySample: ReadonlyMap<Sample, readonly Try[]>,
  read: (one: Try) => number,
  usual: number,
  pace: number,
): (sample: Sample, value: number) => number {
  const prior = USUAL_WEIGHT / pace;
  const slopes = [...bySample.values()].flatMap((points) =>
    points.slice(1).map((b, at) => {
      const a = points[at] ?? b;
      const slope = (read(b) - read(a) + usual * prior) / (b.value - a.value + prior);
      return usual * clamp(slope / usual, SLOPES);
    }),
  );
  const common = slopes.length === 0 ? usual : sumOf(slopes) / slopes.length;
  return (sample, value) => {
    const points = bySample.get(sample) ?? [];
    const right = points.findIndex((point) => point.value >= value);
    const [a, b] = [points[right - 1], points[right]];
    if (a !== undefined && b !== undefined)
      return read(a) + ((value - a.value) / (b.value - a.value)) * Math.max(0, read(b) - read(a));
    const end = b ?? points.at(-1);
    return end === undefined ? 0 : read(end) + common * (value - end.value);
  };
}

/** The values of the scale near those that were tried, the best first. */
function valuesNear({ scale: { min, max, step, pace } }: SearchScale, { tried }: Curve): readonly number[] {
  const least = Math.max(min, Math.min(...tried) - REACH.better / pace);
  const most = Math.min(max, Math.max(...tried) + REACH.worse / pace);
  const [first, last] = [Math.ceil(least / step - 1e-6), Math.floor(most / step + 1e-6)];
  return Array.from({ length: last - first + 1 }, (_, at) => rounded((first + at) * step));
}

/** The worst value that reaches a score, or the best one. */
export function valueFor(search: SearchScale, curve: Curve, score: number): number {
  const values = valuesNear(search, curve);
  return values.findLast((value) => curve.score(value) >= score) ?? values[0] ?? search.scale.min;
}

/** The best value with at most some bits per second, or the worst one. */
export function valueAt(search: SearchScale, curve: Curve, bitsPerSecond: number): number {
  const values = valuesNear(search, curve);
  return values.find((value) => curve.bitsPerSecond(value) <= bitsPerSecond) ?? values.at(-1) ?? search.scale.max;
}

/** The tries of each frame size, in the order of the tries. */
export const bySize = (tries: readonly Try[]) =>
  [...Map.groupBy(tries, ({ size }) => size && sizeName(size)).values()].flatMap((ofSize) => {
    const size = ofSize[0]?.size;
    return size === undefined ? [] : [{ size, ofSize }];
  });

/** The quality and the bit rate of each tried size near a bit rate, the best first. */
export function sizesAt(search: SearchScale, tries: readonly Try[], bitsPerSecond: number): readonly SizedPoint[] {
  const points = bySize(tries).map(({ size, ofSize }) => {
    const curve = curveOf(search, ofSize);
    const value = valueAt(search, curve, bitsPerSecond);
    return { ...size, value, score: curve.score(value), bitsPerSecond: curve.bitsPerSecond(value) };
  });
  return points.toSorted((a, b) => b.score - a.score);
}

/** The nearest value of the scale. */
export const onScale = (scale: QualityScale, value: number): number =>
  rounded(clamp(Math.round(value / scale.step) * scale.step, scale));
