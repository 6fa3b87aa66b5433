import { LADDER_AUDIO } from '@telecine/contract/domain/ladder.ts';
import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';
import type { Sample, SourcePart } from './samples.ts';
import type { TriedSample } from './search.ts';
import { LOSS_SCALES, usualEffect } from './search-scales.ts';

/** The size of a frame, in pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** A sample that was encoded in a size with a value. */
export interface LadderSample extends TriedSample {
  /** The length of what was encoded. Filters such as `setpts` and `select` change it. */
  readonly seconds: number;
}

/** The samples that were encoded in a size with a value. */
export interface LadderTry {
  readonly size: FrameSize;
  readonly value: number;
  readonly samples: readonly LadderSample[];
}

/** The quality and the bit rate that the full video is expected to have with a value at a size. */
export interface LadderPoint extends FrameSize {
  readonly value: number;
  /** Compared with the source, after scaling up to its size. */
  readonly score: number;
  readonly bitsPerSecond: number;
}

export interface LadderSearch {
  readonly encoder: string;
  readonly metric: QualityMetric;
  /** The quality of the best rung. */
  readonly target: number;
  readonly scale: QualityScale;
  readonly maxRungs: number;
  /** The highest bits per second of a rung. */
  readonly maxBitsPerSecond?: number;
}

/** The sizes that are tried, as shares of the sides of the source. Of 1080 lines: 1080, 720, 540, 360, 270 and 180. */
const SHARES = [1, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6];
/** The minimum of the shorter side, unless the source itself is hardly larger. */
const LEAST_SIDE = 144;
const MIN_SIZES = 2;

/** The sizes of possible rungs, the largest first. All sides are even, and none is larger than that of the source. */
export function ladderSizes(source: FrameSize): readonly FrameSize[] {
  const sizes = SHARES.map((share) => evenSize(source, share));
  const usable = sizes.filter((size) => Math.min(size.width, size.height) >= LEAST_SIDE);
  return usable.length < MIN_SIZES ? sizes.slice(0, MIN_SIZES) : usable;
}

/** A share of a size, with even sides. */
export function evenSize({ width, height }: FrameSize, share: number): FrameSize {
  const even = (side: number): number => Math.max(2, 2 * Math.floor((side * share) / 2 + 1e-9));
  return { width: even(width), height: even(height) };
}

/** How many tries one run of ffmpeg encodes of a sample: in one size or several, and with several values of the quality option. */
export const LADDER_VALUES = 4;

// Distances on the scale, in steps of x264's crf.
/** Steps from the value that usually has the target to the values that are tried at each size. */
const FIRST_STEPS = [-4, 2, 8, 15];
/** Steps from the best tried value to those that are tried next at the size of the source, if it misses the target. */
const BETTER_STEPS = [-15, -11, -7, -3];
/** The least and the greatest distance between the usual value and the first values that are tried. */
const FARTHEST = { better: -6, worse: 8 };

/** The values that are tried at each size. */
export function firstValues({ encoder, metric, target, scale }: LadderSearch): readonly number[] {
  const { value, pace } = usualEffect(encoder);
  const { lossOf, growth, usualScore } = LOSS_SCALES[metric];
  const steps = (lossOf(target) - lossOf(usualScore)) / growth;
  const start = Math.min(FARTHEST.worse, Math.max(FARTHEST.better, steps));
  return onScale(
    scale,
    FIRST_STEPS.map((step) => value + (start + step) / pace),
  );
}

/** Better values to try at the size of the source. undefined: its curve has the target, or the limit of bits per second. */
export function betterValues(
  { encoder, target, scale, maxBitsPerSecond = Number.POSITIVE_INFINITY }: LadderSearch,
  curve: readonly LadderPoint[],
): readonly number[] | undefined {
  const best = curve.toSorted((a, b) => a.value - b.value)[0];
  if (best === undefined || best.score >= target || best.bitsPerSecond >= maxBitsPerSecond) return undefined;
  if (best.value < scale.min + LADDER_VALUES * scale.step) return undefined;
  const { pace } = usualEffect(encoder);
  return onScale(
    { ...scale, max: best.value - scale.step },
    BETTER_STEPS.map((step) => best.value + step / pace),
  );
}

/** Rounds rising values to the scale, so that all differ. */
function onScale({ min, max, step }: QualityScale, values: readonly number[]): readonly number[] {
  const rounded: number[] = [];
  for (const [index, value] of values.entries()) {
    const least = index === 0 ? min : (rounded[index - 1] ?? min) + step;
    const most = max - (values.length - 1 - index) * step;
    rounded.push(Number(Math.max(least, Math.min(most, Math.round(value / step) * step)).toFixed(3)));
  }
  return rounded;
}

/** The share of the segments that are encoded as samples, and how many there are at least and at most. */
const SAMPLES = { share: 0.15, min: 3, max: 8 } as const;
/** The seconds of a sample: several short segments, or the beginning of a long one. */
const SAMPLE_SECONDS = { min: 3, max: 6 } as const;

/**
 * Chooses segments of the output as samples, as different in complexity as possible. Each stands for the segments that are like it. In
 * the full encode, each segment begins with a key frame. So a sample is encoded exactly as in the full encode, and all of its frames count.
 *
 * @param parts At least one.
 */
export function ladderSamples(parts: readonly SourcePart[], segmentSeconds: number): readonly Sample[] {
  const step = segmentSeconds * Math.max(1, Math.ceil(SAMPLE_SECONDS.min / segmentSeconds));
  const count = Math.max(1, Math.floor(secondsOf(parts) / step + 1e-6));
  const wanted = Math.max(SAMPLES.min, Math.min(SAMPLES.max, Math.round(SAMPLES.share * count)));
  return segmentSamples(parts, { step, seconds: SAMPLE_SECONDS.max, wanted });
}

const secondsOf = (parts: readonly SourcePart[]): number => {
  const [first, last] = [parts[0], parts.at(-1)];
  return first === undefined || last === undefined ? 0 : last.start + last.seconds - first.start;
};

/**
 * Chooses samples among the windows of a video, as different in complexity as possible. Each stands for the windows that are like it.
 *
 * @param parts At least one.
 * @param of `step`: the length of a window, or a multiple of it if the parts are longer. `seconds`: the most seconds of a sample, from the start of its window. `wanted`: how many samples, if there
 *   are as many windows.
 */
export function segmentSamples(
  parts: readonly SourcePart[],
  of: { readonly step: number; readonly seconds: number; readonly wanted: number },
): readonly Sample[] {
  const [first] = parts;
  if (first === undefined) throw new RangeError('Samples need at least one part of the source.');
  // A window has whole parts, so there are at most as many windows as parts: a hostile file may claim any length.
  const step = of.step * Math.max(1, Math.ceil(first.seconds / of.step));
  const total = secondsOf(parts);
  const count = Math.max(1, Math.floor(total / step + 1e-6));
  const windows = Array.from({ length: count }, (_, index) => ({ start: first.start + index * step, bytes: 0 }));
  for (const { start, bytes } of parts) {
    const window = windows[Math.floor((start - first.start) / step + 1e-6)];
    if (window !== undefined) window.bytes += bytes;
  }
  const seconds = Math.min(step, total, of.seconds);
  const wanted = Math.min(count, of.wanted);
  const sorted = windows.toSorted((a, b) => a.bytes - b.bytes);
  const limitOf = (group: number): number => Math.round((group * count) / wanted);
  return Array.from({ length: wanted }, (_, group) => {
    const members = sorted.slice(limitOf(group), limitOf(group + 1));
    const { start } = members[members.length >> 1] ?? first;
    return { start, seconds, weight: members.length / count };
  }).toSorted((a, b) => a.start - b.start);
}

/** What the full video is expected to have with a value, by its samples. undefined: no sample was tried. */
export function expectedPoint(
  samples: readonly Sample[],
  { size: { width, height }, value, samples: tried }: LadderTry,
): LadderPoint | undefined {
  const sum = weightedSum(samples, tried);
  const seconds = sum((one) => one.seconds);
  if (seconds <= 0) return undefined;
  const score = sum((one) => one.score) / sum(() => 1);
  const bits = sum(({ bytes }) => bytes * 8) / seconds;
  return { width, height, value, score, bitsPerSecond: Math.max(1, Math.round(bits)) };
}

/** How many seconds of the output a second of the source becomes, by its samples: filters may change the times. */
export function outputShare(samples: readonly Sample[], { samples: tried }: Pick<LadderTry, 'samples'>): number {
  const sum = weightedSum(samples, tried);
  const seconds = sum(({ index }) => samples[index]?.seconds ?? 0);
  return seconds > 0 ? sum((one) => one.seconds) / seconds : 1;
}

const weightedSum =
  (samples: readonly Sample[], tried: readonly LadderSample[]) =>
  (read: (one: LadderSample) => number): number =>
    tried.reduce((sum, one) => sum + (samples[one.index]?.weight ?? 0) * read(one), 0);

/** The files of a rung, or of the audio, besides its segments: the playlist and the beginning of fragmented MP4. */
const FURTHER_FILES = 2;

/** The length of an output in segments. */
export interface OutputLength {
  readonly seconds: number;
  readonly segmentSeconds: number;
  readonly hasAudio: boolean;
}

/** How many rungs can be written with at most `maxFiles` files. */
export function rungsOfFiles(maxFiles: number, { seconds, segmentSeconds, hasAudio }: OutputLength): number {
  const ofOne = Math.ceil(seconds / segmentSeconds) + FURTHER_FILES;
  // One more file is the master playlist.
  return Math.floor((maxFiles - 1) / ofOne) - (hasAudio ? 1 : 0);
}

/** The shortest segments, in whole seconds, with which the smallest ladder has at most `maxFiles` files. */
export function leastSegmentSeconds(
  maxFiles: number,
  { seconds, hasAudio }: Omit<OutputLength, 'segmentSeconds'>,
): number {
  const segments = Math.floor((maxFiles - 1) / (MIN_RUNGS + (hasAudio ? 1 : 0))) - FURTHER_FILES;
  return Math.ceil(seconds / segments);
}

/** The distance between two points of a curve, in steps of x264's crf. */
const DENSITY = 0.5;

/** The points between those that were tried at one size: loss and logarithm of the bits are straight lines in between. */
function densePoints({ encoder, metric, scale }: LadderSearch, curve: readonly LadderPoint[]): readonly LadderPoint[] {
  const { lossOf, scoreOf } = LOSS_SCALES[metric];
  const step = Math.max(scale.step, DENSITY / usualEffect(encoder).pace);
  const sorted = curve.toSorted((a, b) => a.value - b.value);
  const between = sorted.slice(1).flatMap((to, index) => {
    const from = sorted[index] ?? to;
    const count = Math.floor((to.value - from.value) / step);
    return Array.from({ length: Math.max(0, count) }, (_, at): LadderPoint => {
      const value = Number((Math.round((to.value - at * step) / scale.step) * scale.step).toFixed(3));
      const share = (value - from.value) / (to.value - from.value);
      const mix = (a: number, b: number): number => a + share * (b - a);
      return {
        ...{ width: to.width, height: to.height, value },
        score: scoreOf(mix(lossOf(from.score), lossOf(to.score))),
        bitsPerSecond: Math.round(Math.exp(mix(Math.log(from.bitsPerSecond), Math.log(to.bitsPerSecond)))),
      };
    });
  });
  return [...sorted.slice(0, 1), ...between];
}

/** A point of the plane of bits and quality. */
interface PlanePoint {
  readonly bitsPerSecond: number;
  readonly quality: number;
}

/** The points that no other point beats, with rising bits and rising quality. */
export function paretoFront<P extends PlanePoint>(points: readonly P[]): readonly P[] {
  const front: P[] = [];
  for (const point of points.toSorted((a, b) => a.bitsPerSecond - b.bitsPerSecond || b.quality - a.quality))
    if (point.quality > (front.at(-1)?.quality ?? Number.NEGATIVE_INFINITY)) front.push(point);
  return front;
}

/** The upper convex hull of a front: the points that no mixture of two others beats. */
export function convexHull<P extends PlanePoint>(front: readonly P[]): readonly P[] {
  const hull: P[] = [];
  for (const point of front) {
    for (;;) {
      const [left, middle] = hull.slice(-2);
      if (left === undefined || middle === undefined || !isBelow(middle, left, point)) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}

/** True if a point is not above the line between its neighbours. */
const isBelow = (point: PlanePoint, left: PlanePoint, right: PlanePoint): boolean =>
  (point.quality - left.quality) * (right.bitsPerSecond - left.bitsPerSecond) <=
  (right.quality - left.quality) * (point.bitsPerSecond - left.bitsPerSecond);

/** How many times as many bits a rung has as the next worse one, on average. */
const BITS_STEP = 1.7;
/** How far a point of the hull may be from the wanted quality, as a share of a step. If none is so near, a point of the front is used. */
const NEAR = 0.1;
/** The most that the worst rung has: these bits per second, which a slow connection can play, and this share of the best rung. */
const SLOWEST = { bitsPerSecond: 150_000, share: 0.5 };
const MIN_RUNGS = 2;
/** How many times as many bits as the next worse rung has a rung may have, at least and at most, if the number of rungs allows it. */
const NEIGHBOURS = { least: 1.2, most: 2.5 };
/** How much even steps of the logarithm of the bits count for the places of the rungs, besides even steps of quality: as little as suffices. */
const SHARES_OF_BITS = [0, 0.25, 0.5, 0.75, 1];

/**
 * Chooses the rungs of a ladder, the best first: points of the convex hull at even steps of quality, from the target, or what
 * `maxBitsPerSecond` allows, to what a slow connection can play. Where these would be very uneven steps of bits, as with grain, the steps are
 * between both. If no point has so few bits, the rung with the fewest is the only one.
 *
 * @param points All tried values of all sizes.
 */
export function chooseRungs(search: LadderSearch, points: readonly LadderPoint[]): readonly LadderPoint[] {
  const { metric, target, maxRungs, maxBitsPerSecond = Number.POSITIVE_INFINITY } = search;
  const { lossOf } = LOSS_SCALES[metric];
  const curves = Map.groupBy(points, ({ width, height }) => `${width}x${height}`);
  const dense = [...curves.values()].flatMap((curve) => densePoints(search, curve));
  const all = paretoFront(dense.map((point) => ({ ...point, quality: -lossOf(point.score) })));
  const front = all.filter(({ bitsPerSecond }, index) => index === 0 || bitsPerSecond <= maxBitsPerSecond);
  const [least] = front;
  const last = front.at(-1);
  if (least === undefined || last === undefined) throw new RangeError('A ladder needs at least one tried value.');
  const fewest = least.bitsPerSecond / SLOWEST.share;
  const top = front.find(({ score, bitsPerSecond }) => score >= target && bitsPerSecond >= fewest) ?? last;
  const slow = Math.min(SLOWEST.bitsPerSecond, SLOWEST.share * top.bitsPerSecond);
  const bottom = front.findLast(({ bitsPerSecond }) => bitsPerSecond <= slow) ?? least;
  const hull = convexHull(front);
  const steps = Math.log(top.bitsPerSecond / bottom.bitsPerSecond) / Math.log(BITS_STEP);
  const count = Math.min(maxRungs, Math.max(MIN_RUNGS, 1 + Math.round(steps)));
  const candidates = SHARES_OF_BITS.map((share) => {
    const placeOf = placesBetween(top, bottom, share);
    return [...new Set(Array.from({ length: count }, (_, index) => rungAt(index / (count - 1), placeOf)))];
  });
  function rungAt(wanted: number, placeOf: (point: PlanePoint) => number) {
    if (wanted === 0) return top;
    const onHull = nearest(hull, wanted, placeOf);
    return Math.abs(placeOf(onHull) - wanted) <= NEAR / (count - 1) ? onHull : nearest(front, wanted, placeOf);
  }
  const [first = [], ...others] = candidates;
  const rungs = others.reduce((best, one) => (unevenness(one) < unevenness(best) ? one : best), first);
  return rungs.map(({ quality: _, ...point }) => point);
}

/** The place of a point between the best rung (0) and the worst (1). `share`: how much its bits count, besides its quality. */
function placesBetween(top: PlanePoint, bottom: PlanePoint, share: number): (point: PlanePoint) => number {
  const qualities = top.quality - bottom.quality || 1;
  const logBits = Math.log(top.bitsPerSecond / bottom.bitsPerSecond) || 1;
  return ({ quality, bitsPerSecond }) =>
    ((1 - share) * (top.quality - quality)) / qualities +
    (share * Math.log(top.bitsPerSecond / bitsPerSecond)) / logBits;
}

/** How far the steps of bits are beyond the bounds, as a factor of the worst step. 1: they are within. */
const unevenness = (rungs: readonly PlanePoint[]): number =>
  rungs.slice(1).reduce((worst, { bitsPerSecond }, index) => {
    const ratio = (rungs[index]?.bitsPerSecond ?? bitsPerSecond) / bitsPerSecond;
    return Math.max(worst, ratio / NEIGHBOURS.most, NEIGHBOURS.least / ratio);
  }, 1);

const nearest = <P extends PlanePoint>(
  points: readonly P[],
  wanted: number,
  placeOf: (point: PlanePoint) => number,
): P => points.reduce((a, b) => (Math.abs(placeOf(b) - wanted) < Math.abs(placeOf(a) - wanted) ? b : a));

/**
 * The limit of a rung's bit rate, as a share of its average. The buffer has the average bits of a segment, since a still image has almost
 * all bits of its segment in the key frame. A segment then has at most two and a half times the average. The buffer of long segments is
 * bounded, because the level of H.264 rises with it.
 */
const PEAK_SHARE = 1.5;
const BUFFER_SECONDS = { min: 1, max: 4 };

/** The values of `maxrate` and `bufsize` of a rung. */
export const peakOf = (
  { bitsPerSecond }: LadderPoint,
  segmentSeconds: number,
): { readonly maxrate: number; readonly bufsize: number } => ({
  maxrate: Math.max(1000, Math.round(bitsPerSecond * PEAK_SHARE)),
  bufsize: Math.max(1000, Math.round(bitsPerSecond * bufferSeconds(segmentSeconds))),
});

const bufferSeconds = (segmentSeconds: number): number =>
  Math.min(BUFFER_SECONDS.max, Math.max(BUFFER_SECONDS.min, segmentSeconds));

/** The value of `var_stream_map` for some rungs, the best first, which share the audio. */
export const variantsOfRungs = (count: number, hasAudio: boolean): string =>
  [
    ...Array.from({ length: count }, (_, rung) => `v:${rung}${hasAudio ? `,agroup:${LADDER_AUDIO}` : ''}`),
    ...(hasAudio ? [`a:0,agroup:${LADDER_AUDIO},name:${LADDER_AUDIO}`] : []),
  ].join(' ');
