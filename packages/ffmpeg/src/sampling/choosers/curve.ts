import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import type { FrameSize } from '@telecine/contract/domain/sampling.ts';
import type { Sample } from './samples.ts';
import { excessOf, LOSS_SCALES, usualEffect } from './scales.ts';

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

/** What a search tries, and how it is measured. */
export interface SearchScale {
  readonly encoder: string;
  readonly metric: QualityMetric;
  readonly scale: QualityScale;
}

/** What the full video is expected to have with any value. The score falls and the bits shrink with the value. */
export interface Curve {
  /** The values that were tried, ascending. */
  readonly tried: readonly number[];
  readonly score: (value: number) => number;
  readonly bitsPerSecond: (value: number) => number;
  readonly lossOfSample: (sample: Sample, value: number) => number;
}

/** The usual decrease of the logarithm of bytes for one step of x264's crf. */
const BYTES_GROWTH = 0.14;
/** How much a second's key frame adds to the bytes of a sample. */
const KEY_FRAME_BYTES = 0.2;
/** Two tries at this distance tell as much about the slope as the usual slope does, in steps of x264's crf. */
const USUAL_WEIGHT = 1;
/** Bounds of a slope, as a multiple of the usual slope. */
const SLOPES = { min: 0.2, max: 3 } as const;
/** The farthest that a value may be from the tried ones, in steps of x264's crf. */
const REACH = 12;

/**
 * The curve of a video by its samples. Each sample has a curve by its own tries, because samples differ in how fast they get worse: grain
 * vanishes at once, text does not. A sample with a tail is shorter than what stands between two key frames of the full video, so that it has
 * more bits and more loss than the same frames have there.
 *
 * @param tries Of one frame size.
 */
export function curveOf({ encoder, metric }: Omit<SearchScale, 'scale'>, tries: readonly Try[]): Curve {
  const effect = usualEffect(encoder);
  const { pace } = effect;
  const { lossOf, scoreOf, growth } = LOSS_SCALES[metric];
  const bySample = [...Map.groupBy(tries, ({ sample }) => sample)];
  const losses = bySample.map(([{ tail, motion }, of]) => {
    const excess = tail === undefined ? 0 : (excessOf(effect, motion) * growth) / LOSS_SCALES.ssim.growth;
    return pointsOf(of, ({ score }) => lossOf(score) - excess);
  });
  const sizes = bySample.map(([{ tail }, of]) =>
    pointsOf(of, ({ bytes, seconds }) => {
      const keyFrame = tail === undefined ? 1 : 1 + KEY_FRAME_BYTES / seconds;
      return -Math.log(Math.max(1, (bytes * 8) / Math.max(1e-3, seconds) / keyFrame));
    }),
  );
  const lossLines = linesOf(losses, growth * pace, pace);
  const sizeLines = linesOf(sizes, BYTES_GROWTH * pace, pace);
  const weighted = (read: (index: number) => number, weightOf: (index: number) => number): number => {
    const weights = bySample.map((_, index) => weightOf(index));
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
    return weights.reduce((sum, weight, index) => sum + weight * read(index), 0) / total;
  };
  const weightOf = (index: number): number => bySample[index]?.[0].weight ?? 0;
  // Filters may make parts of the source longer or shorter.
  const secondsOf = (index: number): number => weightOf(index) * (bySample[index]?.[1][0]?.seconds ?? 0);
  return {
    tried: [...new Set(tries.map(({ value }) => value))].toSorted((a, b) => a - b),
    lossOfSample: (sample, value) => lossLines[bySample.findIndex(([one]) => one === sample)]?.(value) ?? 0,
    score: (value) => weighted((index) => scoreOf(lossLines[index]?.(value) ?? 0), weightOf),
    bitsPerSecond: (value) =>
      Math.max(1, Math.round(weighted((index) => Math.exp(-(sizeLines[index]?.(value) ?? 0)), secondsOf))),
  };
}

interface Point {
  readonly value: number;
  readonly y: number;
}

const pointsOf = (tries: readonly Try[], read: (one: Try) => number): readonly Point[] =>
  tries.map((one) => ({ value: one.value, y: read(one) })).toSorted((a, b) => a.value - b.value);

/**
 * A line through the points of each sample. It never falls. Between two points it is straight; beyond the first or the last point it has the
 * slope of the two nearest points.
 */
function linesOf(
  all: readonly (readonly Point[])[],
  usual: number,
  pace: number,
): readonly ((value: number) => number)[] {
  const slopeOf = (a: Point, b: Point): number => {
    const prior = USUAL_WEIGHT / pace;
    const slope = (b.y - a.y + usual * prior) / (b.value - a.value + prior);
    return Math.min(SLOPES.max * usual, Math.max(SLOPES.min * usual, slope));
  };
  const slopes = all.flatMap((points) => points.slice(1).map((point, index) => slopeOf(points[index] ?? point, point)));
  const common = slopes.length === 0 ? usual : slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length;
  return all.map((points) => (value) => {
    const [first, second] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) return 0;
    if (second === undefined) return first.y + common * (value - first.value);
    const right = points.findIndex((point) => point.value >= value);
    const [a, b] = [points[right - 1], points[right]];
    if (a !== undefined && b !== undefined)
      return a.y + ((value - a.value) / (b.value - a.value)) * Math.max(0, b.y - a.y);
    if (right === 0) return first.y + slopeOf(first, second) * (value - first.value);
    return last.y + slopeOf(points.at(-2) ?? last, last) * (value - last.value);
  });
}

/** The value at which a function that rises with the value is 0, near the tried values. If there is none, the bound at which it is nearer to 0. */
export function valueWhere({ encoder, scale }: SearchScale, { tried }: Curve, of: (value: number) => number): number {
  const reach = REACH / usualEffect(encoder).pace;
  let [from, to] = [Math.max(scale.min, Math.min(...tried) - reach), Math.min(scale.max, Math.max(...tried) + reach)];
  if (of(from) >= 0) return from;
  if (of(to) <= 0) return to;
  for (let round = 0; round < 40; round += 1) {
    const middle = (from + to) / 2;
    if (of(middle) < 0) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** Rounds rising values to the scale, so that all differ if it has as many. */
export function onScale({ min, max, step }: QualityScale, values: readonly number[]): readonly number[] {
  const rounded: number[] = [];
  for (const [index, value] of values.entries()) {
    const least = index === 0 ? min : (rounded[index - 1] ?? min) + step;
    const most = max - (values.length - 1 - index) * step;
    rounded.push(Number(Math.max(least, Math.min(most, Math.round(value / step) * step)).toFixed(3)));
  }
  return rounded;
}
