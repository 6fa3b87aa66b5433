import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import type { Sample } from './samples.ts';
import { excessOf, LOSS_SCALES, QUALITY_SCALES, TOLERANCES, usualEffect } from './search-scales.ts';

export interface QualitySearch {
  readonly encoder: string;
  readonly metric: QualityMetric;
  readonly target: number;
  /** Default: that of `QUALITY_SCALES`. */
  readonly scale?: QualityScale;
  /** The highest bits per second of the encoded video. */
  readonly maxBitsPerSecond?: number;
  /** The bits that H.264 would need for each pixel of the source. The first guess follows from them. Absent: unknown. */
  readonly bitsPerPixel?: number;
}

/** The scores and sizes of samples that were encoded with a value. */
export interface Try {
  readonly value: number;
  readonly samples: readonly TriedSample[];
}

export interface TriedSample {
  /** The index in the list of samples. */
  readonly index: number;
  /** The mean score of its frames. */
  readonly score: number;
  /** The bytes of the encoded sample. */
  readonly bytes: number;
}

export type NextTry =
  /** Encode these samples (indices) with this value. */
  | { readonly kind: 'try'; readonly value: number; readonly samples: readonly number[] }
  | {
      readonly kind: 'chosen';
      readonly value: number;
      /** The expected score and bits per second of the full video. */
      readonly score: number;
      readonly bitsPerSecond: number;
      /** Whether the full video is expected to reach the target, within the tolerance. */
      readonly reached: boolean;
      /** Why it is not: the encoder's best value is not good enough, or the limit of bits per second needs a worse value. */
      readonly limit?: 'scale' | 'bitrate';
    };

/** The value for the full video, with its expected score and bit rate. */
export type ChosenValue = Extract<NextTry, { kind: 'chosen' }>;

/** The share of samples in a pilot: a try that only tells where to look. */
const PILOT = 0.25;
const MIN_PILOT = 2;
const MAX_TRIES = 4;

// Distances on the scale, in steps of x264's crf.
/** A second pilot follows if the first was farther from the target than this. */
const FAR = 5;
/** If the tries of the samples are this near to the chosen value, on average, no other try follows. */
const NEAR = 2.5;
/** The same if the only sample is the full video: then only the slope is uncertain. */
const NEAR_WHOLE = 4;
/** The same if the limit of bits per second decides the value, because it must not be exceeded. */
const NEAR_LIMIT = 1;
/** If the video needs at least this share of the limit, the limit decides the value. */
const LIMITED = 0.9;
/** If a pilot tried a sample this near to a value, the sample is not tried with it: the usual slope tells the result. */
const SAME = 4;
/** The farthest that one try may move from the tried values. */
const REACH = 12;
/** Two tries at this distance tell as much about the slope as the usual slope does. */
const USUAL_WEIGHT = 1;
/** Bounds of a slope, as a multiple of the usual slope. */
const SLOPES = { min: 0.2, max: 3 } as const;

/** Samples that make up this share of the loss are tried again when the value moves. */
const MAIN_SHARE = 0.8;

/** The usual decrease of the logarithm of bytes for one step of x264's crf. */
const BYTES_GROWTH = 0.14;
/** How much a second's key frame adds to the bytes of a sample. */
const KEY_FRAME_BYTES = 0.2;

/** The next value to try, or the value for the full video. Ends after at most `MAX_TRIES` values. */
export function nextTry(search: QualitySearch, samples: readonly Sample[], tries: readonly Try[]): NextTry {
  const scale = scaleOf(search);
  const { pace } = usualEffect(search.encoder);
  const tried = byValue(tries);
  if (tried.length === 0) return { kind: 'try', value: firstValue(search, scale), samples: pilotOf(samples) };

  const forecast = forecastOf(search, samples, tried);
  const wanted = wantedValue(search, scale, forecast);
  const distances = samples.map((_, index) => distanceTo(wanted, index, tried) * pace);
  if (distances.includes(Number.POSITIVE_INFINITY)) {
    if (tried.length === 1 && Math.min(...distances) > FAR)
      return { kind: 'try', value: wanted, samples: pilotOf(samples) };
    const near = (index: number): boolean => (distances[index] ?? 0) <= SAME;
    return { kind: 'try', value: wanted, samples: samples.flatMap((_, index) => (near(index) ? [] : [index])) };
  }
  const distance = samples.reduce((sum, { weight }, index) => sum + weight * (distances[index] ?? 0), 0);
  const hasTried = tried.some(({ value }) => value === wanted);
  const isLimited = forecast.bitsPerSecond(wanted) > LIMITED * (search.maxBitsPerSecond ?? Number.POSITIVE_INFINITY);
  const near = isLimited ? NEAR_LIMIT : samples.length === 1 ? NEAR_WHOLE : NEAR;
  if (!hasTried && tried.length < MAX_TRIES && distance > near)
    return { kind: 'try', value: wanted, samples: mainSamples(search, samples, forecast, wanted) };
  return chosen(search, scale, forecast, wanted);
}

/** How far the nearest try of a sample is from a value. */
const distanceTo = (wanted: number, index: number, tried: readonly Try[]): number =>
  Math.min(
    ...tried.flatMap(({ value, samples }) =>
      samples.some((one) => one.index === index) ? [Math.abs(value - wanted)] : [],
    ),
  );

/** The tries summed up for a report: what the full video is expected to have with each value. */
export function summaryOf(
  search: QualitySearch,
  samples: readonly Sample[],
  tries: readonly Try[],
): readonly { readonly value: number; readonly score: number; readonly bitsPerSecond: number }[] {
  const tried = byValue(tries);
  if (tried.length === 0) return [];
  const forecast = forecastOf(search, samples, tried);
  return tried.map(({ value }) => ({
    value,
    score: forecast.score(value),
    bitsPerSecond: forecast.bitsPerSecond(value),
  }));
}

/** What the full video had with a value. */
export interface EncodedQuality {
  readonly value: number;
  readonly score: number;
  /** undefined: unknown. */
  readonly bitsPerSecond: number | undefined;
}

export interface CorrectedValue extends ChosenValue {
  /** How many times as large as the first encode the video is expected to be. */
  readonly growth: number;
}

/**
 * If the full video is better than the target, a correction goes this share of the way to the target. Near the value that grain needs, one step
 * of crf may change the loss by half, and an encode that misses the target would be in vain.
 */
const CAUTION = 0.8;

/** Corrects the value by how much the full video differs from its samples, so that it reaches the target or keeps to the limit. */
export function correctedValue(
  search: QualitySearch,
  samples: readonly Sample[],
  tries: readonly Try[],
  whole: EncodedQuality,
): CorrectedValue {
  const scale = scaleOf(search);
  const { lossOf, scoreOf } = LOSS_SCALES[search.metric];
  const forecast = forecastOf(search, samples, byValue(tries));
  const more = lossOf(whole.score) - lossOf(forecast.score(whole.value));
  const expected = Math.max(1, forecast.bitsPerSecond(whole.value));
  const factor = (whole.bitsPerSecond ?? expected) / expected;
  const corrected: Forecast = {
    ...forecast,
    score: (value) => scoreOf(lossOf(forecast.score(value)) + more),
    bitsPerSecond: (value) => forecast.bitsPerSecond(value) * factor,
  };
  const surplus = Math.max(0, lossOf(search.target) - lossOf(whole.score));
  const target = scoreOf(lossOf(search.target) - (1 - CAUTION) * surplus);
  const value = wantedValue({ ...search, target }, scale, corrected);
  return { ...chosen(search, scale, corrected, value), growth: forecast.bitsPerSecond(value) / expected };
}

/** How much the loss of the full video is expected to grow from one value to others. */
export function lossGrowth(
  search: QualitySearch,
  samples: readonly Sample[],
  tries: readonly Try[],
  from: number,
): (to: number) => number {
  const { lossOf } = LOSS_SCALES[search.metric];
  const forecast = forecastOf(search, samples, byValue(tries));
  const before = lossOf(forecast.score(from));
  return (to) => lossOf(forecast.score(to)) - before;
}

const scaleOf = ({ scale, encoder }: QualitySearch): QualityScale => {
  const known = scale ?? QUALITY_SCALES[encoder];
  if (known === undefined) throw new RangeError(`The encoder "${encoder}" has no quality scale.`);
  return known;
};

/** One try for each value, sorted. */
function byValue(tries: readonly Try[]): readonly Try[] {
  const merged = new Map<number, readonly TriedSample[]>();
  for (const { value, samples } of tries) merged.set(value, [...(merged.get(value) ?? []), ...samples]);
  return [...merged].map(([value, samples]) => ({ value, samples })).toSorted((a, b) => a.value - b.value);
}

/** The samples of the first tries: as different in complexity as possible. */
function pilotOf(samples: readonly Sample[]): readonly number[] {
  const count = Math.min(samples.length, Math.max(MIN_PILOT, Math.round(samples.length * PILOT)));
  const sorted = samples
    .map((_, index) => index)
    .toSorted((a, b) => (samples[a]?.complexity ?? 0) - (samples[b]?.complexity ?? 0));
  const picked = Array.from(
    { length: count },
    (_, index) => sorted[Math.floor(((index + 0.5) * sorted.length) / count)] ?? 0,
  );
  return picked.toSorted((a, b) => a - b);
}

const onScale = ({ min, max, step }: QualityScale, value: number, round = Math.round): number =>
  Number(Math.min(max, Math.max(min, round(value / step) * step)).toFixed(3));

/** A whole step of these encoders changes the score by more than the tolerance, so take the value that reaches the target. */
const reaching = (scale: QualityScale, value: number): number =>
  onScale(scale, value, scale.step === 1 ? (steps) => Math.floor(steps + 1e-6) : Math.round);

/**
 * How the value of x264 that has the usual quality follows from the bits per pixel of the source: grain has many, and text has few. Fitted to
 * the sources of `bench:quality` with SSIM, with a smaller slope, because other sources have more loss.
 */
const GUESS = { usualBits: 1.5, stepsPerOctave: 1.8, min: -6, max: 12 } as const;

/** The value that is expected to reach the target before anything was tried. */
function firstValue({ encoder, metric, target, bitsPerPixel }: QualitySearch, scale: QualityScale): number {
  const { value, pace } = usualEffect(encoder);
  const { lossOf, growth, usualScore } = LOSS_SCALES[metric];
  const byTarget = Math.min(REACH, Math.max(-REACH, (lossOf(target) - lossOf(usualScore)) / growth));
  const bits = metric === 'ssim' && bitsPerPixel !== undefined && bitsPerPixel > 0 ? bitsPerPixel : GUESS.usualBits;
  const bySource = GUESS.stepsPerOctave * Math.log2(GUESS.usualBits / bits);
  return onScale(scale, value + (byTarget + Math.min(GUESS.max, Math.max(GUESS.min, bySource))) / pace);
}

/** What the full video is expected to have with any value. The score falls and the bits shrink with the value. */
interface Forecast {
  readonly tried: readonly Try[];
  readonly score: (value: number) => number;
  readonly bitsPerSecond: (value: number) => number;
  readonly lossOfSample: (index: number, value: number) => number;
}

/** Forecasts each sample by its own tries, because samples differ in how fast they get worse: grain vanishes at once, text does not. */
function forecastOf({ encoder, metric }: QualitySearch, samples: readonly Sample[], tried: readonly Try[]): Forecast {
  const effect = usualEffect(encoder);
  const { pace } = effect;
  const { lossOf, scoreOf, growth } = LOSS_SCALES[metric];
  const pointsOf = (index: number, read: (one: TriedSample) => number): readonly Point[] =>
    tried.flatMap(({ value, samples: measured }) => {
      const one = measured.find((sample) => sample.index === index);
      return one === undefined ? [] : [{ value, y: read(one) }];
    });
  const isWhole = samples.length === 1;
  const losses = samples.map(({ motion }, index) => {
    const surplus = isWhole ? 0 : (excessOf(effect, motion) * growth) / LOSS_SCALES.ssim.growth;
    return pointsOf(index, ({ score }) => lossOf(score) - surplus);
  });
  const sizes = samples.map(({ seconds }, index) =>
    pointsOf(
      index,
      ({ bytes }) => -Math.log(Math.max(1, (bytes * 8) / seconds / (isWhole ? 1 : 1 + KEY_FRAME_BYTES / seconds))),
    ),
  );
  const lossLines = linesOf(losses, growth * pace, pace);
  const sizeLines = linesOf(sizes, BYTES_GROWTH * pace, pace);
  const known = samples.map((_, index) => index).filter((index) => (losses[index]?.length ?? 0) > 0);
  const weightOf = (index: number): number => samples[index]?.weight ?? 0;
  const total = known.reduce((sum, index) => sum + weightOf(index), 0) || 1;
  const weighted = (read: (index: number) => number): number =>
    known.reduce((sum, index) => sum + weightOf(index) * read(index), 0) / total;
  const lossOfSample = (index: number, value: number): number => lossLines[index]?.(value) ?? 0;
  return {
    tried,
    lossOfSample,
    score: (value) => weighted((index) => scoreOf(lossOfSample(index, value))),
    bitsPerSecond: (value) => Math.round(weighted((index) => Math.exp(-(sizeLines[index]?.(value) ?? 0)))),
  };
}

interface Point {
  readonly value: number;
  readonly y: number;
}

/**
 * A line through the points of each sample. It never falls. Between two points it is straight; beyond the first or the last point it has the
 * slope of the two nearest points.
 */
function linesOf(
  all: readonly (readonly Point[])[],
  usual: number,
  pace: number,
): readonly ((value: number) => number)[] {
  const bounded = (slope: number): number => Math.min(SLOPES.max * usual, Math.max(SLOPES.min * usual, slope));
  const slopeOf = (a: Point, b: Point): number => {
    const distance = b.value - a.value;
    const prior = USUAL_WEIGHT / pace;
    return bounded((b.y - a.y + usual * prior) / (distance + prior));
  };
  const slopes = all.flatMap((points) => points.slice(1).map((point, index) => slopeOf(points[index] ?? point, point)));
  const common = slopes.length === 0 ? usual : slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length;
  return all.map((points) => (value) => {
    const [first] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) return 0;
    if (points.length === 1) return first.y + common * (value - first.value);
    const right = points.findIndex((point) => point.value >= value);
    const [a, b] = [points[right - 1], points[right]];
    if (a !== undefined && b !== undefined)
      return a.y + ((value - a.value) / (b.value - a.value)) * Math.max(0, b.y - a.y);
    if (right === 0) return first.y + slopeOf(first, points[1] ?? first) * (value - first.value);
    return last.y + slopeOf(points.at(-2) ?? last, last) * (value - last.value);
  });
}

/** The worst value that is expected to reach the target, or a worse one if the limit of bits per second needs it. */
function wantedValue(
  { encoder, metric, target, maxBitsPerSecond }: QualitySearch,
  scale: QualityScale,
  forecast: Forecast,
): number {
  const { lossOf } = LOSS_SCALES[metric];
  const reach = REACH / usualEffect(encoder).pace;
  const values = forecast.tried.map(({ value }) => value);
  const [low, high] = [
    Math.max(scale.min, Math.min(...values) - reach),
    Math.min(scale.max, Math.max(...values) + reach),
  ];
  const byScore = crossing((value) => lossOf(forecast.score(value)) - lossOf(target), low, high);
  if (maxBitsPerSecond === undefined) return reaching(scale, byScore);
  const byBits = crossing((value) => maxBitsPerSecond - forecast.bitsPerSecond(value), low, high);
  // Rounded up, since the next smaller value is over the limit.
  const allowed = onScale(scale, Math.ceil(byBits / scale.step - 1e-6) * scale.step);
  return Math.max(
    reaching(scale, byScore),
    forecast.bitsPerSecond(reaching(scale, byScore)) > maxBitsPerSecond ? allowed : scale.min,
  );
}

/** The point between `low` and `high` at which a rising function is 0. If there is none, the bound at which the function is nearer to 0. */
function crossing(of: (value: number) => number, low: number, high: number): number {
  let [from, to] = [low, high];
  if (of(from) >= 0) return from;
  if (of(to) <= 0) return to;
  for (let round = 0; round < 40; round += 1) {
    const middle = (from + to) / 2;
    if (of(middle) < 0) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** The samples that make up most of the loss, and so decide the score: at most a third of them. */
function mainSamples(
  search: QualitySearch,
  samples: readonly Sample[],
  forecast: Forecast,
  value: number,
): readonly number[] {
  const { scoreOf, bestScore } = LOSS_SCALES[search.metric];
  const shares = samples.map(
    ({ weight }, index) => weight * (bestScore - scoreOf(forecast.lossOfSample(index, value))),
  );
  const total = shares.reduce((sum, share) => sum + share, 0);
  const picked: number[] = [];
  let covered = 0;
  for (const index of samples.map((_, i) => i).toSorted((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))) {
    if (covered >= MAIN_SHARE * total || picked.length >= Math.max(MIN_PILOT, Math.ceil(samples.length / 3))) break;
    picked.push(index);
    covered += shares[index] ?? 0;
  }
  return picked.toSorted((a, b) => a - b);
}

function chosen(search: QualitySearch, scale: QualityScale, forecast: Forecast, value: number): ChosenValue {
  const score = forecast.score(value);
  const bitsPerSecond = forecast.bitsPerSecond(value);
  const reached = score >= search.target - TOLERANCES[search.metric];
  const result = { kind: 'chosen', value, score, bitsPerSecond, reached } as const;
  return reached
    ? result
    : { ...result, limit: search.maxBitsPerSecond === undefined || value <= scale.min ? 'scale' : 'bitrate' };
}
