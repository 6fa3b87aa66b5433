import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import { clamp } from '@telecine/contract/domain/quantity.ts';
import type { FrameSize, PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import { type Candidate, type Chooser, onScale, type SearchScale, sizesAt, type Try } from './curve.ts';
import { chooseSamples, type SampledSource } from './samples.ts';
import { roundedScore } from './scales.ts';
import { evenSize, kilobits, sizeName, sizesOf } from './sizes.ts';

interface SizeSearch extends SearchScale {
  readonly bitsPerSecond: number;
}

/** How often samples are usually tried, and at most. */
const ROUNDS = { usual: 3, most: 5 } as const;

/** Finds the size that looks best at a bit rate. Without samples, it is the usual size. */
export function frameSizeChooser(
  { samples: planned, none, bitsPerSecond }: PlannedFrameSize,
  { size: source, parts, seconds, isKnown }: Pick<SampledSource, 'size' | 'parts' | 'seconds' | 'isKnown'>,
): Chooser {
  const search = { ...planned, bitsPerSecond };
  const short = seconds < SHORT_SECONDS ? `The video is shorter than ${SHORT_SECONDS} s` : undefined;
  const why = none ?? (isKnown ? short : 'The length of the video is not known');
  const usual = (reason: string) => ({
    frameSize: {
      ...{ ...usualSize(source, bitsPerSecond), bitsPerSecond },
      reason: `${reason}. So it has the usual size for ${kilobits(bitsPerSecond)} kb/s.`,
    },
  });
  const count = clamp(Math.floor((seconds * SAMPLES.share) / SAMPLES.seconds + 1e-6), SAMPLES);
  return {
    ...{ member: 'frameSize', usualRuns: ROUNDS.usual },
    samples: chooseSamples(parts, { count, seconds: SAMPLES.seconds }),
    next: (samples, tries, round) => {
      const candidates = why === undefined && round < ROUNDS.most ? nextSizes(source, search, tries) : [];
      return candidates.length === 0 ? undefined : { samples, groups: [candidates] };
    },
    choose: (tries) => (why === undefined ? { frameSize: bestSize(search, tries) } : usual(why)),
    // A search must not fail a job that can do without it.
    withoutTries: usual('Samples of the video cannot be encoded or compared'),
  };
}

/** The sizes that are compared, as shares of the sides of the source. Of 1080 lines: 1080, 810, 720, 540, 360, 270, 180 and 134. */
const SHARES = [1, 3 / 4, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 8];

/** The least length of the shorter side, unless that of the source itself is shorter. The recipe `target-size` had it before there were samples. */
const LEAST_SIDE = 90;

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

/**
 * The seconds of a sample, the share of the video that samples cover, and how many there are. With a thirtieth of a film of three minutes and more tries, the
 * search took 34 % of the processor time of the encode; with this share, 17 %. `max` bounds it for long videos.
 */
const SAMPLES = { seconds: 2, share: 1 / 45, min: 2, max: 8 } as const;

/** Videos that are shorter get the usual size: their samples would be too few, or take too much of the time of the encode. */
const SHORT_SECONDS = (SAMPLES.min * SAMPLES.seconds) / SAMPLES.share;

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

/** What to try next: first the size that is next to the usual one, and then the neighbours of the best size so far. Empty: both were tried. */
function nextSizes(source: FrameSize, search: SizeSearch, tries: readonly Try[]): readonly Candidate[] {
  const { scale, bitsPerSecond } = search;
  const sizes = sizesOf(source, SHARES, LEAST_SIDE);
  const tried = sizesAt(search, tries, bitsPerSecond);
  const [best] = tried;
  if (best === undefined) {
    const distanceOf = (size: FrameSize): number => Math.abs(Math.log(pixelsOf(size) / usualPixels(bitsPerSecond)));
    const size = sizes.reduce((nearest, one) => (distanceOf(one) < distanceOf(nearest) ? one : nearest));
    return FIRST_VALUES.map((value) => ({ size, value }));
  }
  const names = tried.map(sizeName);
  const at = sizes.findIndex((size) => sizeName(size) === names[0]);
  const next = sizes.filter((size, index) => Math.abs(index - at) === 1 && !names.includes(sizeName(size)));
  return next.flatMap((size) => {
    const value = best.value + STEPS_OF_DOUBLE_SIZE * Math.log2(pixelsOf(size) / pixelsOf(best));
    return STEPS.map((step) => ({ size, value: onScale(scale, value + step) }));
  });
}

/** The size whose samples look best, and why. */
function bestSize(search: SizeSearch, tries: readonly Try[]): OutputFrameSize {
  const { bitsPerSecond, metric } = search;
  const [best, ...others] = sizesAt(search, tries, bitsPerSecond).map(({ width, height, score }) => ({
    ...{ width, height, score: roundedScore(score) },
  }));
  if (best === undefined) throw new RangeError('There is no size.');
  const { width, height, score } = best;
  const rest = others.map((one) => ` ${sizeName(one)} has ${one.score.toFixed(4)}.`).join('');
  const reason = `At ${kilobits(bitsPerSecond)} kb/s, samples in ${sizeName(best)} are most like the source: ${METRIC_NAMES[metric]} ${score.toFixed(4)}.${rest}`;
  const compared = [best, ...others].toSorted((a, b) => pixelsOf(b) - pixelsOf(a));
  return { width, height, compared, bitsPerSecond, reason };
}
