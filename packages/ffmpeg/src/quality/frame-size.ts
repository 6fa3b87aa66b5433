import type { OutputFrameSize, PlannedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import { evenSize, type FrameSize, type LadderPoint, segmentSamples } from './ladder.ts';
import type { Sample, SourcePart } from './samples.ts';
import { LOSS_SCALES } from './search-scales.ts';

/** A size and a value to encode the samples with. */
export interface SizeValue {
  readonly size: FrameSize;
  readonly value: number;
}

/** The sizes that are compared, as shares of the sides of the source. Of 1080 lines: 1080, 810, 720, 540, 360, 270, 180 and 134. */
const SHARES = [1, 3 / 4, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 8];

/** The least length of the shorter side, unless that of the source itself is shorter. The recipe `target-size` had it before there were samples. */
const LEAST_SIDE = 90;

/** The sizes among which the job chooses, the largest first: that of the source, and smaller ones of the same shape. */
export function sizesFor(source: FrameSize): readonly FrameSize[] {
  const sizes = SHARES.map((share) => evenSize(source, share));
  return sizes.filter(({ width, height }, index) => index === 0 || Math.min(width, height) >= LEAST_SIDE);
}

/**
 * How many pixels a frame usually has for each kbit/s. Tests with two videos at 60 to 300 kbit/s had the best SSIM at 1200 to 2800. SSIM fell slowly
 * above this range and quickly below it.
 */
const PIXELS = 1200;

const pixelsOf = ({ width, height }: FrameSize): number => width * height;

const usualPixels = (bitsPerSecond: number): number => (PIXELS * bitsPerSecond) / 1000;

/** The usual size for a bit rate. It is not larger than the source. */
export function usualSize(source: FrameSize, bitsPerSecond: number): FrameSize {
  const share = Math.sqrt(usualPixels(bitsPerSecond) / pixelsOf(source));
  return evenSize(source, Math.min(1, Math.max(share, LEAST_SIDE / Math.min(source.width, source.height))));
}

/** The same as an expression of the filter `scale` for one side, for estimates. */
export const usualSide = (side: 'iw' | 'ih', bitsPerSecond: number): string =>
  `2*trunc(${side}*min(1,max(sqrt(${Math.round(usualPixels(bitsPerSecond))}/iw/ih),${LEAST_SIDE}/min(iw,ih)))/2)`;

/**
 * From how many times the usual pixels on a source keeps its size without samples. It then has fewer than 600 pixels for each kbit/s, half of the least that had
 * the best SSIM in the tests of `PIXELS`, so that its own size is usually the best.
 */
const PLENTY = 2;

/**
 * The seconds of a sample, the share of the video that samples cover, and how many there are. With a thirtieth of a film of three minutes and more tries, the
 * search took 34 % of the processor time of the encode; with this share, 17 %. `max` bounds it for long videos.
 */
const SAMPLES = { seconds: 2, share: 1 / 45, min: 2, max: 8 } as const;

/** Videos that are shorter get the usual size: their samples would be too few, or take too much of the time of the encode. */
export const SHORT_SECONDS = (SAMPLES.min * SAMPLES.seconds) / SAMPLES.share;

const sampleCount = (seconds: number): number =>
  Math.max(SAMPLES.min, Math.min(SAMPLES.max, Math.floor((seconds * SAMPLES.share) / SAMPLES.seconds + 1e-6)));

/** How often all samples are usually encoded and compared. */
export const USUAL_ROUNDS = 3;

/** Chooses samples of a video. Each stands for the parts that are like it. */
export const sizeSamples = (parts: readonly SourcePart[], seconds: number): readonly Sample[] =>
  segmentSamples(parts, {
    step: SAMPLES.seconds,
    seconds: SAMPLES.seconds,
    wanted: sampleCount(seconds),
  });

/** Why no samples of a video are needed: the start of a sentence. undefined: they are. */
export function withoutSamples(source: FrameSize, bitsPerSecond: number, seconds: number): string | undefined {
  if (sizesFor(source).length < 2) return 'The video is small';
  if (usualPixels(bitsPerSecond) >= PLENTY * pixelsOf(source))
    return `${kilobits(bitsPerSecond)} kb/s are plenty for the size of the source`;
  if (seconds < SHORT_SECONDS)
    return `The video is shorter than ${SHORT_SECONDS} s, so that encoding samples would take too long`;
  return undefined;
}

/** How a plan chooses the size, as sentences. */
export const plannedSizeText = ({ samples, bitsPerSecond }: PlannedFrameSize): string =>
  'none' in samples
    ? `${samples.none}. So the job takes the usual size for ${kilobits(bitsPerSecond)} kb/s.`
    : `The job encodes samples in several sizes, from that of the source down, and takes the one that is most like the source at ${kilobits(bitsPerSecond)} kb/s. ` +
      `A video shorter than ${SHORT_SECONDS} s gets the usual size for this bit rate, and one with plenty of bits keeps its size.`;

export const kilobits = (bitsPerSecond: number): number => Math.round(bitsPerSecond / 1000);

/** What a search for the best size depends on. */
export interface SizeSearch {
  readonly metric: QualityMetric;
  readonly scale: QualityScale;
  readonly bitsPerSecond: number;
}

// Distances are in steps of x264's crf: six more halve the bits, by its documentation. None of these values is the best of a measurement: the tests of the
// search bound its loss and its tries with videos from an eighth to five times the usual bits.
/** The values of the first tries: they span a factor of nine of the bits. A size with the usual pixels has the bit rate at about 28. */
const FIRST_VALUES = [21, 27, 33, 40];
/** Distances from the expected value of another size: with two tries, and with four. */
const TWO_STEPS = [-2.5, 2.5];
const FOUR_STEPS = [-5, -2, 2, 5];
/** By how much the value grows if a size has twice the pixels and the same bit rate: they need about 1.7 times the bits. */
const STEPS_OF_DOUBLE_SIZE = 4.5;

/** Neighbours whose scores differ by less are equally good: the samples are not exact to this (`docs/decisions/0111-frame-sizes-for-a-bit-rate.md`: 0.004). */
const FLAT = 0.001;

/** The first tries: in the size that is next to the usual one. */
export function firstSizeTries(source: FrameSize, { scale, bitsPerSecond }: SizeSearch): readonly SizeValue[] {
  const distanceOf = (size: FrameSize): number => Math.abs(Math.log(pixelsOf(size) / usualPixels(bitsPerSecond)));
  const size = sizesFor(source).reduce((best, one) => (distanceOf(one) < distanceOf(best) ? one : best));
  return FIRST_VALUES.map((value) => ({ size, value: Math.min(scale.max, Math.max(scale.min, value)) }));
}

/**
 * The next tries: the neighbours of the best size so far, or the two next sizes in the direction in which it becomes better. undefined: both
 * neighbours of the best size are worse, or one is as good.
 *
 * @param points All tries before.
 */
export function nextSizeTries(
  source: FrameSize,
  search: SizeSearch,
  points: readonly LadderPoint[],
): readonly SizeValue[] | undefined {
  const sizes = sizesFor(source);
  const scores = sizeScores(search, points);
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  const isNeighbour = (one: FrameSize, of: number): boolean =>
    [sizes[of - 1], sizes[of + 1]].some((size) => size !== undefined && isSame(size, one));
  const at = sizes.findIndex((size) => best !== undefined && isSame(size, best));
  if (best === undefined || at === -1) return undefined;
  // The peak is between two sizes that are equally good.
  if (scores.some((one) => one !== best && isNeighbour(one, at) && best.score - one.score < FLAT)) return undefined;
  const isNew = (size: FrameSize | undefined): size is FrameSize =>
    size !== undefined && !points.some((point) => isSame(point, size));
  const beside = [sizes[at - 1], sizes[at + 1]].filter(isNew);
  const [only, other] = beside;
  if (only === undefined) return undefined;
  const direction = sizes.indexOf(only) - at;
  const second = other ?? [sizes[at + 2 * direction]].find(isNew);
  const value = valueAt(
    points.filter((point) => isSame(point, best)),
    search.bitsPerSecond,
  );
  const triesOf = (size: FrameSize, steps: readonly number[]): readonly SizeValue[] =>
    onScale(
      search.scale,
      steps.map((step) => value + STEPS_OF_DOUBLE_SIZE * Math.log2(pixelsOf(size) / pixelsOf(best)) + step),
    ).map((one) => ({ size, value: one }));
  return second === undefined
    ? triesOf(only, FOUR_STEPS)
    : [...triesOf(only, TWO_STEPS), ...triesOf(second, TWO_STEPS)];
}

const isSame = (a: FrameSize, b: FrameSize): boolean => a.width === b.width && a.height === b.height;

/** Moves rising values into a scale, with their distances, and rounds them. */
function onScale({ min, max, step }: QualityScale, values: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const shift = Math.max(0, min - least) + Math.min(0, max - most);
  return values.map((value) => Number((Math.round((value + shift) / step) * step).toFixed(3)));
}

/** The quality that each tried size is expected to have at the bit rate, the largest size first. */
export function sizeScores(
  { metric, bitsPerSecond }: SizeSearch,
  points: readonly LadderPoint[],
): NonNullable<OutputFrameSize['compared']> {
  const { lossOf, scoreOf } = LOSS_SCALES[metric];
  const curves = Map.groupBy(points, ({ width, height }) => `${width}x${height}`);
  return [...curves.values()]
    .flatMap((curve) => {
      const [one] = curve;
      if (one === undefined) return [];
      const loss = atRate(curve, bitsPerSecond, ({ score }) => lossOf(score));
      return { width: one.width, height: one.height, score: scoreOf(loss) };
    })
    .toSorted((a, b) => pixelsOf(b) - pixelsOf(a));
}

/** The value with which a size has a bit rate. */
const valueAt = (curve: readonly LadderPoint[], bitsPerSecond: number): number =>
  atRate(curve, bitsPerSecond, ({ value }) => value);

/** Reads a curve at a bit rate: what is read and the logarithm of the bits are a straight line between two tries, and beyond the outer ones. */
function atRate(curve: readonly LadderPoint[], bitsPerSecond: number, read: (point: LadderPoint) => number): number {
  const sorted = curve.toSorted((a, b) => a.bitsPerSecond - b.bitsPerSecond);
  const next = sorted.findIndex((point) => point.bitsPerSecond >= bitsPerSecond);
  const right = Math.min(sorted.length - 1, Math.max(1, next === -1 ? sorted.length - 1 : next));
  const [a, b] = [sorted[right - 1], sorted[right]];
  if (b === undefined) return Number.NaN;
  if (a === undefined || a.bitsPerSecond === b.bitsPerSecond) return read(b);
  const share = Math.log(bitsPerSecond / a.bitsPerSecond) / Math.log(b.bitsPerSecond / a.bitsPerSecond);
  return read(a) + share * (read(b) - read(a));
}
