import { type Curve, curveOf, type NextTries, onScale, type SearchScale, type Try, valueWhere } from './curve.ts';
import { chooseSamples, type Sample, type SourcePart, secondsOf } from './samples.ts';
import { isReached, LOSS_SCALES, usualEffect, usualValue } from './scales.ts';

export interface QualitySearch extends SearchScale {
  readonly target: number;
  /** The highest bits per second of the encoded video. */
  readonly maxBitsPerSecond?: number | undefined;
  /** The bits that H.264 would need for each pixel of the source. The first guess follows from them. Absent: unknown. */
  readonly bitsPerPixel?: number | undefined;
}

/** The value for the full video, with its expected score and bit rate. */
export interface ChosenValue {
  readonly value: number;
  readonly score: number;
  readonly bitsPerSecond: number;
  /** Why the target is not expected to be reached: the best value of the encoder is not good enough, or the bits are limited. */
  readonly limit?: 'scale' | 'bitrate';
}

/** The share of the source that samples cover. With the decoding before each sample, the tries then cost about a quarter of an encode. */
const SHARE = 0.13;
/** The most seconds of all samples together. More hardly add accuracy. */
const MAX_SECONDS = 120;
/** A source of at most these seconds is encoded completely instead of by samples. */
const SHORT_SECONDS = 8;
const MIN_SAMPLES = 3;
/** The samples of a long source are longer, because their first key frame then weighs less. `UsualEffect.excess` holds for this length. */
const SAMPLE_SECONDS = { min: 1, max: 2 } as const;
/** The shortest samples, of short sources, in seconds: fewer frames say little about the full video. */
const SHORTEST_SAMPLE = 0.75;
/** The length of `Sample.tail`: half a second, but less for short samples. */
const TAIL = { seconds: 0.5, share: 0.5 } as const;
/** From this number of samples on, samples get longer instead of more. */
const MANY_SAMPLES = 24;

/** The samples of a video whose value is searched. */
export function qualitySamples(parts: readonly SourcePart[]): readonly Sample[] {
  const total = secondsOf(parts);
  const [{ start } = { start: 0 }] = parts;
  if (total <= SHORT_SECONDS) return [{ start, seconds: total, weight: 1 }];
  const sampled = Math.min(SHARE * total, MAX_SECONDS);
  const wanted = Math.min(SAMPLE_SECONDS.max, Math.max(SAMPLE_SECONDS.min, sampled / MANY_SAMPLES));
  const count = Math.max(MIN_SAMPLES, Math.round(sampled / wanted));
  const seconds = Math.max(SHORTEST_SAMPLE, sampled / count);
  return chooseSamples(parts, { count, seconds, tail: Math.min(TAIL.seconds, TAIL.share * seconds) });
}

/** The share of samples in a pilot, which only tells where to look. */
const PILOT = 0.25;
const MIN_PILOT = 2;
const MAX_ROUNDS = 3;

// Distances on the scale, in steps of x264's crf.
/** The farthest from the usual value that the first one is for another target. */
const FARTHEST = 12;
/** A sample that was tried this near to a value is not tried with it: its slope tells the result. */
const NEAR = 4;
/** The same if the limit of bits per second decides the value, because it should not be exceeded. */
const NEAR_LIMIT = 1;
/** If the video needs at least this share of the limit, the limit decides the value. */
const LIMITED = 0.9;

/** What to try next. undefined: each sample was tried near the value for the full video. `rounds`: how often something was tried. */
export function nextQuality(
  search: QualitySearch,
  samples: readonly Sample[],
  tries: readonly Try[],
  rounds: number,
): NextTries | undefined {
  if (tries.length === 0) return { samples: pilotOf(samples), candidates: [{ value: firstValue(search) }] };
  const curve = curveOf(search, tries);
  const value = wantedValue(search, curve);
  const isLimited = curve.bitsPerSecond(value) > LIMITED * (search.maxBitsPerSecond ?? Number.POSITIVE_INFINITY);
  const near = (isLimited ? NEAR_LIMIT : NEAR) / usualEffect(search.encoder).pace;
  const isNear = (sample: Sample): boolean =>
    tries.some((one) => one.sample === sample && Math.abs(one.value - value) <= near);
  const far = samples.filter((sample) => !isNear(sample));
  return far.length > 0 && rounds < MAX_ROUNDS ? { samples: far, candidates: [{ value }] } : undefined;
}

/** The value for the full video, by all tries. */
export function chooseQuality(search: QualitySearch, tries: readonly Try[]): ChosenValue {
  const curve = curveOf(search, tries);
  const value = wantedValue(search, curve);
  const chosen = { value, score: curve.score(value), bitsPerSecond: curve.bitsPerSecond(value) };
  if (isReached(search, chosen.score)) return chosen;
  return { ...chosen, limit: value <= search.scale.min || search.maxBitsPerSecond === undefined ? 'scale' : 'bitrate' };
}

/**
 * How the value of x264 that has the usual quality follows from the bits per pixel of the source: grain has many, and text has few. Fitted to
 * the sources of `bench:quality` with SSIM, with a smaller slope, because other sources have more loss.
 */
const GUESS = { usualBits: 1.5, stepsPerOctave: 1.8, min: -6, max: 12 } as const;

/** The value that is expected to reach the target before anything was tried. */
function firstValue(search: QualitySearch): number {
  const { encoder, metric, scale, bitsPerPixel = 0 } = search;
  const bits = metric === 'ssim' && bitsPerPixel > 0 ? bitsPerPixel : GUESS.usualBits;
  const bySource = GUESS.stepsPerOctave * Math.log2(GUESS.usualBits / bits);
  const steps = Math.min(GUESS.max, Math.max(GUESS.min, bySource));
  const value = usualValue(search, FARTHEST) + steps / usualEffect(encoder).pace;
  return onScale(scale, [value])[0] ?? value;
}

/** The samples of the first tries: as different in complexity as possible. */
function pilotOf(samples: readonly Sample[]): readonly Sample[] {
  const count = Math.min(samples.length, Math.max(MIN_PILOT, Math.round(samples.length * PILOT)));
  const sorted = samples.toSorted((a, b) => (a.complexity ?? 0) - (b.complexity ?? 0));
  return Array.from({ length: count }, (_, index) =>
    sorted.slice(Math.floor(((index + 0.5) * sorted.length) / count)).slice(0, 1),
  ).flat();
}

/** The worst value that is expected to reach the target, or a worse one if the limit of bits per second needs it. */
function wantedValue(search: QualitySearch, curve: Curve): number {
  const { metric, target, scale, maxBitsPerSecond = Number.POSITIVE_INFINITY } = search;
  const { lossOf } = LOSS_SCALES[metric];
  const on = (value: number): number => onScale(scale, [value])[0] ?? value;
  const byScore = valueWhere(search, curve, (value) => lossOf(curve.score(value)) - lossOf(target));
  // A whole step of some encoders changes the score by more than the tolerance, so take the value that reaches the target.
  const reaching = on(scale.step === 1 ? Math.floor(byScore + 1e-6) : byScore);
  if (curve.bitsPerSecond(reaching) <= maxBitsPerSecond) return reaching;
  const byBits = valueWhere(search, curve, (value) => maxBitsPerSecond - curve.bitsPerSecond(value));
  return Math.max(reaching, on(Math.ceil(byBits / scale.step - 1e-6) * scale.step));
}

/** The tries summed up for a report: what the full video is expected to have with each value. */
export function triedPoints(search: SearchScale, tries: readonly Try[]) {
  if (tries.length === 0) return [];
  const curve = curveOf(search, tries);
  return curve.tried.map((value) => ({ value, score: curve.score(value), bitsPerSecond: curve.bitsPerSecond(value) }));
}
