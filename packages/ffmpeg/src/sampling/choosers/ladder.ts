import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { LADDER_RUNGS } from '@telecine/contract/domain/ladder.ts';
import { MAX_OUTPUT_FILES } from '@telecine/contract/domain/planned-files.ts';
import { clamp } from '@telecine/contract/domain/quantity.ts';
import type { PlannedLadder, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import { bySize, type Chooser, curveOf, onScale, type SearchScale, sizesAt, type Try, triedPoints } from './curve.ts';
import { chooseSamples, type Sample, type SampledSource, type SourcePart, secondsOf } from './samples.ts';
import { roundedScore, usualValue } from './scales.ts';
import { sizesOf } from './sizes.ts';

type LadderSearch = SearchScale & Pick<PlannedLadder, 'target' | 'maxRungs' | 'maxBitrate'>;

/** Finds the rungs of a ladder. Throws `JobFailed` if they cannot be published. */
export function ladderChooser(
  ladder: PlannedLadder,
  { parts, seconds, size, audioStreams }: Pick<SampledSource, 'parts' | 'seconds' | 'size' | 'audioStreams'>,
): Chooser {
  const { samples: planned, target, audio, rung } = ladder;
  const most = ladder.isSingleFile ? LADDER_RUNGS.max : rungsOfFiles(seconds, rung.segmentSeconds);
  if (most < LADDER_RUNGS.min) throw new JobFailed(TOO_MANY_FILES);
  const search = { ...ladder, ...planned, maxRungs: Math.min(ladder.maxRungs, most) };
  const sizes = sizesOf(size, SHARES, LEAST_SIDE, MIN_SIZES);
  const [, input, stream] = /^(\d+):a:(\d+)/.exec(audio ?? '') ?? [];
  const hasAudio = audio?.endsWith('?') ? (audioStreams[Number(input)] ?? 0) > Number(stream) : audio !== undefined;
  return {
    ...{ member: 'ladder', samples: ladderSamples(parts, rung.segmentSeconds), usualRuns: sizes.length },
    next: (samples, _tries, round) => {
      if (round > 0) return undefined;
      const groups = sizes.map((one, at) => triedValues(search, at === 0).map((value) => ({ size: one, value })));
      return { samples, groups };
    },
    choose: (tries) => {
      const { metric, scale } = planned;
      const tried = bySize(tries).flatMap(({ size: of, ofSize }) =>
        triedPoints(curveOf(search, ofSize)).map((point) => ({ ...of, ...point })),
      );
      const rungs = chooseRungs(search, tries).map((one) => ({ ...one, score: roundedScore(one.score) }));
      return { ladder: { metric, target, option: scale.option, rungs, tried, hasAudio } };
    },
  };
}

const TOO_MANY_FILES: Failure = {
  code: 'UNSUPPORTED',
  message: `Even ${LADDER_RUNGS.min} rungs of this video would have more than ${MAX_OUTPUT_FILES} files, which is the most that can be published.`,
  fix: 'Send a longer "hls_time", or "hls_flags": "single_file".',
};

/** The sizes that are tried, as shares of the sides of the source. Of 1080 lines: 1080, 720, 540, 360, 270 and 180. */
const SHARES = [1, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6];
/** The minimum of the shorter side, unless the source itself is hardly larger. */
const LEAST_SIDE = 144;
const MIN_SIZES = 2;

/** Steps of x264's crf from the value that usually has the target to the values that are tried at each size. */
const STEPS = [-4, 2, 8, 15];
/** The same at the size of the source, which alone has to come as near to it as the target wants: grain needs far better values. */
const STEPS_OF_SOURCE = [-18, -11, ...STEPS];
/** The values that are tried at a size. */
const triedValues = (search: LadderSearch, isOfSource: boolean): readonly number[] =>
  (isOfSource ? STEPS_OF_SOURCE : STEPS).map((step) =>
    onScale(search.scale, usualValue(search) + step / search.scale.pace),
  );

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
function ladderSamples(parts: readonly SourcePart[], segmentSeconds: number): readonly Sample[] {
  const segments = segmentSeconds * Math.max(1, Math.ceil(SAMPLE_SECONDS.min / segmentSeconds));
  const wanted = Math.round((SAMPLES.share * secondsOf(parts)) / segments);
  const count = clamp(wanted, SAMPLES);
  return chooseSamples(parts, { count, seconds: Math.min(segments, SAMPLE_SECONDS.max) });
}

/** The files of a rung, or of the audio, besides its segments: the playlist and the beginning of fragmented MP4. */
const FURTHER_FILES = 2;

/** How many rungs can be published beside their audio. */
const rungsOfFiles = (seconds: number, segmentSeconds: number): number =>
  Math.floor((MAX_OUTPUT_FILES - 1) / (Math.ceil(seconds / segmentSeconds) + FURTHER_FILES)) - 1;

/** How many times as many bits a rung has as the next worse one, about. */
const BITS_STEP = 1.7;
/** In how many steps of the logarithm of the bits the best rung is looked for. */
const TOP_STEPS = 100;
/** The most that the worst rung has: these bits per second, which a slow connection can play, and this share of the best rung. */
const SLOWEST = { bitsPerSecond: 150_000, share: 0.5 };

/**
 * Chooses the rungs of a ladder, the best first: from the target, or what `maxBitrate` allows, to what a slow connection can play, at even
 * steps of the logarithm of the bits, each in the size that looks best. If nothing has at most `maxBitrate`, the rung with the fewest bits is
 * the only one.
 *
 * @param tries At least one.
 */
export function chooseRungs(search: LadderSearch, tries: readonly Try[]): readonly SizedPoint[] {
  const { target, maxRungs, maxBitrate = Number.POSITIVE_INFINITY } = search;
  const tried = bySize(tries).flatMap(({ ofSize }) => triedPoints(curveOf(search, ofSize)));
  const bits = tried.map(({ bitsPerSecond }) => bitsPerSecond);
  const [least, limit] = [Math.min(...bits), Math.min(maxBitrate, Math.max(...bits))];
  // Far from the values that were tried, curves are guesses.
  const values = tries.map(({ value }) => value);
  const between = { ...search, scale: { ...search.scale, min: Math.min(...values), max: Math.max(...values) } };
  const bestAt = (wanted: number): SizedPoint => {
    const points = sizesAt(between, tries, wanted);
    const fewest = points.reduce((a, b) => (b.bitsPerSecond < a.bitsPerSecond ? b : a));
    return points.find(({ bitsPerSecond }) => bitsPerSecond <= wanted + 1) ?? fewest;
  };
  if (limit <= least) return [bestAt(least)];
  const lowest = Math.min(limit, least / SLOWEST.share);
  const steps = Array.from({ length: TOP_STEPS + 1 }, (_, at) => lowest * (limit / lowest) ** (at / TOP_STEPS));
  const top = steps.find((bitsPerSecond) => bestAt(bitsPerSecond).score >= target) ?? limit;
  const bottom = Math.max(least, Math.min(SLOWEST.bitsPerSecond, SLOWEST.share * top));
  const range = Math.log(top / bottom);
  const count = clamp(1 + Math.round(range / Math.log(BITS_STEP)), { min: LADDER_RUNGS.min, max: maxRungs });
  return Array.from({ length: count }, (_, index) => bestAt(top * Math.exp((-range * index) / (count - 1)))).filter(
    ({ bitsPerSecond }, at, all) => bitsPerSecond < (all[at - 1]?.bitsPerSecond ?? Number.POSITIVE_INFINITY),
  );
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
  const bitsOf = (seconds: number): number => Math.max(1000, Math.round(bitsPerSecond * seconds));
  return { maxrate: bitsOf(PEAK_SHARE), bufsize: bitsOf(clamp(segmentSeconds, BUFFER_SECONDS)) };
}
