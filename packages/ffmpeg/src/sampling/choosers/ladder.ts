import { LADDER_RUNGS } from '@telecine/contract/domain/ladder.ts';
import { MAX_OUTPUT_FILES } from '@telecine/contract/domain/planned-files.ts';
import type { FrameSize, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import { curveOf, onScale, type SearchScale, type Try } from './curve.ts';
import { chooseSamples, type Sample, type SourcePart, secondsOf } from './samples.ts';
import { usualEffect, usualValue } from './scales.ts';
import { sizeName, sizesOf } from './sizes.ts';

export interface LadderSearch extends SearchScale {
  /** The quality of the best rung. */
  readonly target: number;
  readonly maxRungs: number;
  /** The highest bits per second of a rung. */
  readonly maxBitrate?: number;
}

/** The sizes that are tried, as shares of the sides of the source. Of 1080 lines: 1080, 720, 540, 360, 270 and 180. */
const SHARES = [1, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6];
/** The minimum of the shorter side, unless the source itself is hardly larger. */
const LEAST_SIDE = 144;
const MIN_SIZES = 2;

/** The sizes of possible rungs, the largest first. */
export const ladderSizes = (source: FrameSize): readonly FrameSize[] => sizesOf(source, SHARES, LEAST_SIDE, MIN_SIZES);

/** Steps of x264's crf from the value that usually has the target to the values that are tried at each size. */
const STEPS = [-4, 2, 8, 15];
/** The same at the size of the source, which alone has to come as near to it as the target wants: grain needs far better values. */
const STEPS_OF_SOURCE = [-18, -11, ...STEPS];
/** The greatest distance between the usual value and that of the target, where tries begin. */
const FARTHEST = 8;

/** The values that are tried at a size. */
export function triedValues(search: LadderSearch, isOfSource: boolean): readonly number[] {
  const value = usualValue(search, FARTHEST);
  const steps = isOfSource ? STEPS_OF_SOURCE : STEPS;
  return onScale(
    search.scale,
    steps.map((step) => value + step / usualEffect(search.encoder).pace),
  );
}

/** The share of the segments that are encoded as samples, and how many there are at least and at most. */
const SAMPLES = { share: 0.15, min: 3, max: 8 } as const;
/** The seconds of a sample: several short segments, or the beginning of a long one. */
const SAMPLE_SECONDS = { min: 3, max: 6 } as const;

/**
 * Chooses samples of the length of some segments. In the full encode, each segment begins with a key frame. So a sample is encoded as in the full
 * encode, and all of its frames count.
 *
 * @param parts At least one.
 */
export function ladderSamples(parts: readonly SourcePart[], segmentSeconds: number): readonly Sample[] {
  const segments = segmentSeconds * Math.max(1, Math.ceil(SAMPLE_SECONDS.min / segmentSeconds));
  const wanted = Math.round((SAMPLES.share * secondsOf(parts)) / segments);
  const count = Math.max(SAMPLES.min, Math.min(SAMPLES.max, wanted));
  return chooseSamples(parts, { count, seconds: Math.min(segments, SAMPLE_SECONDS.max) });
}

/** The files of a rung, or of the audio, besides its segments: the playlist and the beginning of fragmented MP4. */
const FURTHER_FILES = 2;

/** How many rungs can be published beside their audio. */
export const rungsOfFiles = (seconds: number, segmentSeconds: number): number =>
  Math.floor((MAX_OUTPUT_FILES - 1) / (Math.ceil(seconds / segmentSeconds) + FURTHER_FILES)) - 1;

/** The distance between two points of a curve, in steps of x264's crf. */
const DENSITY = 0.5;

/** The points of the curves of all sizes. */
function densePoints(search: LadderSearch, tries: readonly Try[]): readonly SizedPoint[] {
  const { encoder, scale } = search;
  const step = Math.max(scale.step, DENSITY / usualEffect(encoder).pace);
  return [...Map.groupBy(tries, ({ size }) => sizeName(size)).values()].flatMap((ofSize) => {
    const [{ size } = { size: undefined }] = ofSize;
    const curve = curveOf(search, ofSize);
    const [least = 0, most = least] = [curve.tried[0], curve.tried.at(-1)];
    return Array.from({ length: Math.floor((most - least) / step + 1e-6) + 1 }, (_, at): SizedPoint => {
      const value = Number((Math.round((most - at * step) / scale.step) * scale.step).toFixed(3));
      return {
        ...{ width: 0, height: 0, ...size, value },
        ...{ score: curve.score(value), bitsPerSecond: curve.bitsPerSecond(value) },
      };
    });
  });
}

/** The points that no other point beats, with rising bits and rising quality. */
export function paretoFront(points: readonly SizedPoint[]): readonly SizedPoint[] {
  const front: SizedPoint[] = [];
  for (const point of points.toSorted((a, b) => a.bitsPerSecond - b.bitsPerSecond || b.score - a.score))
    if (point.score > (front.at(-1)?.score ?? Number.NEGATIVE_INFINITY)) front.push(point);
  return front;
}

/** How many times as many bits a rung has as the next worse one, about. */
const BITS_STEP = 1.7;
/** The most that the worst rung has: these bits per second, which a slow connection can play, and this share of the best rung. */
const SLOWEST = { bitsPerSecond: 150_000, share: 0.5 };

/**
 * Chooses the rungs of a ladder, the best first, of the points that no other point beats: from the target, or what `maxBitrate` allows, to
 * what a slow connection can play, at even steps of the logarithm of the bits. If no point has at most `maxBitrate`, the rung with the fewest bits
 * is the only one.
 *
 * @param tries At least one.
 */
export function chooseRungs(search: LadderSearch, tries: readonly Try[]): readonly SizedPoint[] {
  const { target, maxRungs, maxBitrate = Number.POSITIVE_INFINITY } = search;
  const front = paretoFront(densePoints(search, tries));
  const [least, ...more] = front;
  if (least === undefined) throw new RangeError('A ladder needs at least one tried value.');
  const allowed = [least, ...more.filter(({ bitsPerSecond }) => bitsPerSecond <= maxBitrate)];
  const fewest = least.bitsPerSecond / SLOWEST.share;
  const isTop = ({ score, bitsPerSecond }: SizedPoint) => score >= target && bitsPerSecond >= fewest;
  const top = allowed.find(isTop) ?? allowed.at(-1) ?? least;
  const slow = Math.min(SLOWEST.bitsPerSecond, SLOWEST.share * top.bitsPerSecond);
  const bottom = Math.max(slow, least.bitsPerSecond);
  const range = Math.log(top.bitsPerSecond / bottom);
  const count = Math.min(maxRungs, Math.max(LADDER_RUNGS.min, 1 + Math.round(range / Math.log(BITS_STEP))));
  const rungs = Array.from({ length: count }, (_, index) => {
    const wanted = top.bitsPerSecond * Math.exp((-range * index) / (count - 1));
    return index === 0 ? top : (allowed.findLast(({ bitsPerSecond }) => bitsPerSecond <= wanted + 1) ?? least);
  });
  return [...new Set(rungs)];
}

/**
 * The limit of a rung's bit rate, as a share of its average. The buffer has the average bits of a segment, since a still image has almost
 * all bits of its segment in the key frame. A segment then has at most two and a half times the average. The buffer of long segments is
 * bounded, because the level of H.264 rises with it.
 */
const PEAK_SHARE = 1.5;
const BUFFER_SECONDS = { min: 1, max: 4 };

/** The values of `maxrate` and `bufsize` of a rung. */
export function peakOf({ bitsPerSecond }: Pick<SizedPoint, 'bitsPerSecond'>, segmentSeconds: number) {
  const bufferSeconds = Math.min(BUFFER_SECONDS.max, Math.max(BUFFER_SECONDS.min, segmentSeconds));
  return {
    maxrate: Math.max(1000, Math.round(bitsPerSecond * PEAK_SHARE)),
    bufsize: Math.max(1000, Math.round(bitsPerSecond * bufferSeconds)),
  };
}
