import { clamp } from '@telecine/contract/domain/quantity.ts';
import type { ChosenBySamples, PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import {
  type Chooser,
  type Curve,
  curveOf,
  type NextTries,
  onScale,
  type SearchScale,
  type Try,
  triedPoints,
  valueAt,
  valueFor,
} from './curve.ts';
import { chooseSamples, type Sample, type SampledSource, type SourcePart, secondsOf } from './samples.ts';
import { usualValue } from './scales.ts';

interface QualitySearch extends SearchScale, Pick<SampledSource, 'bitsPerPixel'> {
  readonly target: number;
  /** The highest bits per second of the encoded video. */
  readonly maxBitsPerSecond: number;
}

/** How many times a sample is usually encoded, with those that were tried first. */
const USUAL_RUNS = 1.5;

/** Finds the worst value that reaches a target. */
export function qualityChooser(
  { samples: planned, target }: PlannedQuality,
  { parts, bitsPerPixel }: Pick<SampledSource, 'parts' | 'bitsPerPixel'>,
  maxBitsPerSecond = Number.POSITIVE_INFINITY,
): Chooser {
  const search = { ...planned, target, maxBitsPerSecond, bitsPerPixel };
  return {
    ...{ member: 'quality', samples: qualitySamples(parts), usualRuns: USUAL_RUNS },
    next: (...found) => nextQuality(search, ...found),
    choose: (tries) => chooseQuality(search, tries),
  };
}

/** The share of the source that samples cover. With the decoding before each sample, the tries then cost about a quarter of an encode. */
const SHARE = 0.13;
/** The most seconds of all samples together. More hardly add accuracy. */
const MAX_SECONDS = 120;
/** A source of at most these seconds is encoded completely instead of by samples. */
const SHORT_SECONDS = 8;
const MIN_SAMPLES = 3;
/** The samples of a long source are longer, because their first key frame then weighs less. `QualityScale.excess` holds for this length. */
const SAMPLE_SECONDS = { min: 1, max: 2 } as const;
/** See `Sample.tail`. */
const TAIL_SECONDS = 0.5;
/** From this number of samples on, samples get longer instead of more. */
const MANY_SAMPLES = 24;

/** The samples of a video whose value is searched. */
function qualitySamples(parts: readonly SourcePart[]): readonly Sample[] {
  const total = secondsOf(parts);
  const [{ start } = { start: 0 }] = parts;
  if (total <= SHORT_SECONDS) return [{ start, seconds: total, weight: 1 }];
  const sampled = Math.min(SHARE * total, MAX_SECONDS);
  const wanted = clamp(sampled / MANY_SAMPLES, SAMPLE_SECONDS);
  const count = Math.max(MIN_SAMPLES, Math.round(sampled / wanted));
  return chooseSamples(parts, { count, seconds: wanted, tail: TAIL_SECONDS });
}

/** The share of samples in a pilot, which tells where to look, and how fast the video gets worse. */
const PILOT = 0.25;
const MIN_PILOT = 2;
const MAX_ROUNDS = 4;

// Distances on the scale, in steps of x264's crf.
/** A sample that was tried this near to a value is not tried with it: the slope of the others tells the result. */
const NEAR = { pilot: 1, other: 4 } as const;

/** What to try next. undefined: each sample was tried near the value for the full video. `rounds`: how often something was tried. */
function nextQuality(
  search: QualitySearch,
  samples: readonly Sample[],
  tries: readonly Try[],
  rounds: number,
): NextTries | undefined {
  const pilot = pilotOf(samples);
  if (tries.length === 0) return { samples: pilot, groups: [[{ value: firstValue(search) }]] };
  const value = wantedValue(search, curveOf(search, tries));
  const far = samples.filter((sample) => {
    const near = (pilot.includes(sample) ? NEAR.pilot : NEAR.other) / search.scale.pace;
    return !tries.some((one) => one.sample === sample && Math.abs(one.value - value) <= near);
  });
  return far.length > 0 && rounds < MAX_ROUNDS ? { samples: far, groups: [[{ value }]] } : undefined;
}

/** The value for the full video, and what it is expected to have with each tried value. */
function chooseQuality(search: QualitySearch, tries: readonly Try[]): ChosenBySamples {
  const { metric, target, scale } = search;
  const curve = curveOf(search, tries);
  const value = wantedValue(search, curve);
  const isLimited = value > wantedValue({ ...search, maxBitsPerSecond: Number.POSITIVE_INFINITY }, curve);
  return {
    quality: { metric, target, option: scale.option, value, tried: triedPoints(curve) },
    ...(isLimited && { isLimited }),
  };
}

/**
 * How the value of x264 that has the usual quality follows from the bits per pixel of the source: grain has many, and text has few. Fitted to
 * the sources of `bench:quality` with SSIM, with a smaller slope, because other sources have more loss.
 */
const GUESS = { usualBits: 1.5, stepsPerOctave: 1.8, min: -6, max: 12 } as const;

/** The value that is expected to reach the target before anything was tried. */
function firstValue(search: QualitySearch): number {
  const { metric, scale, bitsPerPixel } = search;
  const bits = metric === 'ssim' && bitsPerPixel > 0 ? bitsPerPixel : GUESS.usualBits;
  const steps = clamp(GUESS.stepsPerOctave * Math.log2(GUESS.usualBits / bits), GUESS);
  return onScale(scale, usualValue(search) + steps / scale.pace);
}

/** The samples of the first tries: as different in complexity as possible. */
function pilotOf(samples: readonly Sample[]): readonly Sample[] {
  const count = Math.min(samples.length, Math.max(MIN_PILOT, Math.round(samples.length * PILOT)));
  const sorted = samples.toSorted((a, b) => (a.complexity ?? 0) - (b.complexity ?? 0));
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * sorted.length) / count)).flatMap(
    (at) => sorted[at] ?? [],
  );
}

/** The worst value that is expected to reach the target, or a worse one if the limit of bits per second needs it. */
const wantedValue = (search: QualitySearch, curve: Curve): number =>
  Math.max(valueFor(search, curve, search.target), valueAt(search, curve, search.maxBitsPerSecond));
