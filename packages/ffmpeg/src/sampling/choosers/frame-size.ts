import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { FrameSize, PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import { type Candidate, curveOf, onScale, type SearchScale, type Try, valueWhere } from './curve.ts';
import { chooseSamples, type Sample, type SourcePart } from './samples.ts';
import { roundedScore } from './scales.ts';
import { evenSize, kilobits, sizeName, sizesOf } from './sizes.ts';

export interface SizeSearch extends SearchScale {
  readonly bitsPerSecond: number;
}

/** The sizes that are compared, as shares of the sides of the source. Of 1080 lines: 1080, 810, 720, 540, 360, 270, 180 and 134. */
const SHARES = [1, 3 / 4, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 8];

/** The least length of the shorter side, unless that of the source itself is shorter. The recipe `target-size` had it before there were samples. */
const LEAST_SIDE = 90;

/** The sizes among which the job chooses, the largest first: that of the source, and smaller ones of the same shape. */
export const sizesFor = (source: FrameSize): readonly FrameSize[] => sizesOf(source, SHARES, LEAST_SIDE);

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

/** Chooses samples of a video. */
export const sizeSamples = (parts: readonly SourcePart[], seconds: number): readonly Sample[] =>
  chooseSamples(parts, { count: sampleCount(seconds), seconds: SAMPLES.seconds });

/** Why no samples of a video are needed: the start of a sentence. undefined: they are. */
export function withoutSamples(source: FrameSize, bitsPerSecond: number, seconds: number): string | undefined {
  if (sizesFor(source).length < 2 || usualPixels(bitsPerSecond) >= PLENTY * pixelsOf(source))
    return `${kilobits(bitsPerSecond)} kb/s are plenty for the size of the source`;
  return seconds < SHORT_SECONDS ? `The video is shorter than ${SHORT_SECONDS} s` : undefined;
}

/** How a plan chooses the size, as sentences. */
export const plannedSizeText = ({ none, bitsPerSecond }: PlannedFrameSize): string =>
  none === undefined
    ? `The job compares samples in several sizes at ${kilobits(bitsPerSecond)} kb/s, if the video lasts ${SHORT_SECONDS} s or more.`
    : `${none}. So the job takes the usual size for ${kilobits(bitsPerSecond)} kb/s.`;

// Distances are in steps of x264's crf: six more halve the bits, by its documentation. None of these values is the best of a measurement: the tests of the
// search bound its loss and its tries with videos from an eighth to five times the usual bits.
/** The values of the first tries: they span a factor of nine of the bits. A size with the usual pixels has the bit rate at about 28. */
const FIRST_VALUES = [21, 27, 33, 40];
/** Distances from the value that another size is expected to need. */
const STEPS = [-2.5, 2.5];
/** By how much the value grows if a size has twice the pixels and the same bit rate: they need about 1.7 times the bits. */
const STEPS_OF_DOUBLE_SIZE = 4.5;
/** A size that was tried: the quality that it is expected to have at the bit rate, and the value with which it has the bit rate. */
interface TriedSize {
  readonly size: FrameSize;
  readonly score: number;
  readonly value: number;
}

/** The tried sizes, the largest first. */
export const sizeScores = (search: SizeSearch, tries: readonly Try[]): readonly TriedSize[] =>
  [...Map.groupBy(tries, ({ size }) => sizeName(size)).values()]
    .flatMap((ofSize) => {
      const size = ofSize[0]?.size;
      const curve = curveOf(search, ofSize);
      const value = valueWhere(search, curve, (one) => search.bitsPerSecond - curve.bitsPerSecond(one));
      return size === undefined ? [] : [{ size, score: curve.score(value), value }];
    })
    .toSorted((a, b) => pixelsOf(b.size) - pixelsOf(a.size));

/**
 * What to try next: first the size that is next to the usual one, and then the neighbours of the best size so far. undefined: both neighbours of the
 * best size were tried.
 */
export function nextSizes(
  source: FrameSize,
  search: SizeSearch,
  tries: readonly Try[],
): readonly Candidate[] | undefined {
  const sizes = sizesFor(source);
  const tried = sizeScores(search, tries);
  const [best] = tried.toSorted((a, b) => b.score - a.score);
  if (best === undefined) {
    const distanceOf = (size: FrameSize): number =>
      Math.abs(Math.log(pixelsOf(size) / usualPixels(search.bitsPerSecond)));
    const size = sizes.reduce((nearest, one) => (distanceOf(one) < distanceOf(nearest) ? one : nearest));
    return onScale(search.scale, FIRST_VALUES).map((value) => ({ size, value }));
  }
  const at = sizes.findIndex((size) => sizeName(size) === sizeName(best.size));
  const next = [at - 1, at + 1]
    .flatMap((one) => sizes[one] ?? [])
    .filter((size) => !tried.some((one) => sizeName(one.size) === sizeName(size)));
  if (next.length === 0) return undefined;
  return next.flatMap((size) => {
    const value = best.value + STEPS_OF_DOUBLE_SIZE * Math.log2(pixelsOf(size) / pixelsOf(best.size));
    return onScale(
      search.scale,
      STEPS.map((step) => value + step),
    ).map((one) => ({ size, value: one }));
  });
}

/** The size whose samples look best, and why. */
export function bestSize(search: SizeSearch, tries: readonly Try[]): Omit<OutputFrameSize, 'bitsPerSecond'> {
  const compared = sizeScores(search, tries).map(({ size, score }) => ({ ...size, score: roundedScore(score) }));
  const [first, ...others] = compared.toSorted((a, b) => b.score - a.score);
  if (first === undefined) throw new RangeError('There is no size.');
  const shown = (score: number): string => score.toFixed(4);
  const rest = others.map((one, index) => `${sizeName(one)}${index === 0 ? ' has' : ''} ${shown(one.score)}`);
  const { width, height, score } = first;
  return {
    ...{ width, height, compared },
    reason: `At ${kilobits(search.bitsPerSecond)} kb/s, samples in ${sizeName(first)} are most like the source: ${METRIC_NAMES[search.metric]} ${shown(score)}.${rest.length === 0 ? '' : ` ${rest.join(', ')}.`}`,
  };
}
