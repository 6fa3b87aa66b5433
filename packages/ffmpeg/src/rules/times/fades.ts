import type { Hint } from '@telecine/contract/domain/hint.ts';
import { emptyStream, type Rules, type RunFindings, unusualValue } from '../contexts.ts';
import { RATES, secondsIn, secondsText, TIMES } from '../facts/media-facts.ts';
import type { PlacedFilter } from '../facts/placed-filter.ts';

const SAMPLE_RATES = new RegExp(`${TIMES.source}|^(?:aresample|aformat|loudnorm)$`);
const FRAME_RATES = new RegExp(`${TIMES.source}|${RATES.source}`);

/** Fade options that count frames or samples. After a filter that matches `altering`, the counts cannot be converted to seconds. */
const COUNTS = {
  fade: { start: ['start_frame', 's'], length: ['nb_frames', 'n'], altering: FRAME_RATES, unit: 'frame' },
  afade: { start: ['start_sample', 'ss'], length: ['nb_samples', 'ns'], altering: SAMPLE_RATES, unit: 'sample' },
} as const;
const FADES = Object.keys(COUNTS);
const COUNT_OPTIONS = Object.values(COUNTS).flatMap(({ start, length }) => [...start, ...length]);

const isVideoFade = ({ name }: PlacedFilter): boolean => name === 'fade';
const countsOf = (at: PlacedFilter) => COUNTS[isVideoFade(at) ? 'fade' : 'afade'];
export const isOut = (at: PlacedFilter): boolean => ['out', '1'].includes(at.option('type', 't') ?? 'in');

/** Returns words for what a fade hides, with a verb: `video is black`, `audio stays silent`. */
export const hiddenBy = (at: PlacedFilter, verb: string): string =>
  isVideoFade(at) ? `video ${verb} ${at.option('color', 'c') ?? 'black'}` : `audio ${verb} silent`;

const isPartial = (at: PlacedFilter): boolean => at.option('enable') !== undefined || at.option('alpha') === '1';

type Fade = NonNullable<ReturnType<typeof fadeOf>>;

/** Returns the times of a fade in seconds. undefined: an expression, an unknown rate, or both a time and a count. */
function timesOf(at: PlacedFilter) {
  const counts = countsOf(at);
  const value = (time: string | undefined, count: string | undefined, fallback: string): number | undefined => {
    if (count === undefined) return secondsIn(time ?? fallback);
    const stream = at.source(0, counts.altering)?.stream;
    const rate = isVideoFade(at) ? stream?.fps : stream?.sampleRate;
    return time !== undefined || rate === undefined || !/^\d+$/.test(count) ? undefined : Number(count) / rate;
  };
  const start = value(at.option('start_time', 'st'), at.option(...counts.start), '0');
  const duration = value(at.option('duration', 'd'), at.option(...counts.length), '1');
  return start === undefined || duration === undefined ? undefined : { start, duration };
}

/** Returns the times of a fade, and when its stream ends (`limit`). undefined: unknown. */
function fadeOf(at: PlacedFilter) {
  const times = timesOf(at);
  const limit = at.end();
  return times === undefined || limit === undefined ? undefined : { ...times, limit };
}

/** Returns the fix with other times in seconds, and without counts of frames: a filter cannot have both. */
const withTimes = (at: PlacedFilter, st: number, duration: number): Hint =>
  at.change({ st, d: Number(duration.toFixed(3)) }, ['start_time', 'duration', ...COUNT_OPTIONS]);

const withStart = (at: PlacedFilter, start: number, { duration }: Fade): Hint =>
  at.option(...COUNT_OPTIONS) === undefined ? at.change({ st: start }, ['start_time']) : withTimes(at, start, duration);

/** In seconds. A black or silent end of at most this length after a fade-out is intended. */
const REST_SECONDS = 1;

/** Rounds down to two decimals. The addend corrects floating-point differences such as 2.3 - 1, which are a little too small. */
export const roundedDown = (seconds: number): number => Math.max(0, Math.floor(seconds * 100 + 1e-6) / 100);

/** True if another filter may cut off the black end after a fade-out, or fade the video in again. */
const mayBeHidden = (at: PlacedFilter): boolean =>
  at.others.some(
    (one) =>
      TIMES.test(one.name) ||
      (one.name === at.name && (isOut(one) || (secondsIn(one.option('start_time', 'st')) ?? 0) !== 0)),
  );

/** Finds a fade-out long before the end of the output, after which all is black or silent. */
function earlyFadeOut(at: PlacedFilter): RunFindings {
  const { start: outputStart = 0 } = at.facts.plan.span.output;
  if (!isOut(at) || isPartial(at) || at.graph.graph.chains.length > 1 || mayBeHidden(at)) return undefined;
  const fade = fadeOf(at);
  if (fade === undefined || countsMeantAsSeconds(at) !== undefined) return undefined;
  const end = fade.start + fade.duration;
  // The stream may be shorter than its input, and the length of a file may be an estimate. So after the run, the written length counts too.
  const { seconds = Number.POSITIVE_INFINITY, videoSeconds = seconds } = at.facts.written ?? {};
  const last = Math.min(fade.limit.seconds, outputStart + (isVideoFade(at) ? videoSeconds : seconds));
  // The rule `effect-before-start` reports a fade that ends before the output starts.
  if (last - end <= REST_SECONDS || end <= outputStart) return undefined;
  return emptyStream(
    `The filter ${at.name} ends at ${secondsText(end)}, and the ${hiddenBy(at, 'stays')} up to the end at ${secondsText(last)}.`,
    withStart(at, roundedDown(last - fade.duration), fade),
  );
}

/** Nobody sees a fade-in of at most this many frames, even at `LOWEST_RATE` frames per second. */
const UNSEEN_FRAMES = 3;
const LOWEST_RATE = 10;
/** In seconds. No client intends a longer fade-out. */
const MOST_SECONDS = 10;

/** Returns the seconds that counts mean: `fade=out:18:2` leaves only the first second of 20. undefined: counts may be intended. */
function countsMeantAsSeconds(at: PlacedFilter) {
  const [start, length] = [countsOf(at).start, countsOf(at).length].map((names) => Number(at.option(...names)));
  const counted = fadeOf(at);
  if (length === undefined || !(length >= 1) || counted === undefined) return undefined;
  const begin = start || 0;
  const last = Math.min(counted.limit.seconds, at.facts.written?.seconds ?? Number.POSITIVE_INFINITY);
  if (!isOut(at)) {
    const isUnseen = length <= UNSEEN_FRAMES && counted.duration <= UNSEEN_FRAMES / LOWEST_RATE;
    return begin === 0 && isUnseen && length < last ? { start: 0, duration: length, counted } : undefined;
  }
  const isInside = begin + length <= last + REST_SECONDS && length <= MOST_SECONDS;
  if (!isInside || last - counted.start - counted.duration <= REST_SECONDS) return undefined;
  const isAtEnd = begin + length <= last && last - begin - length <= REST_SECONDS;
  return { start: isAtEnd ? begin : roundedDown(last - length), duration: length, counted };
}

/** True if so much of an effect is missing (`cut`, in seconds) that it looks incomplete. */
export const isCutOff = (cut: number, duration: number): boolean => cut > 0.2 && cut > 0.25 * duration;

/** A duration of a fade from these numbers on is probably in frames, or in milliseconds. */
const MIN_FRAMES = 8;
const MIN_MILLISECONDS = 100;

/** Returns how long a fade within `seconds` may be. Half of `seconds` if a fade of the same length in the other direction follows. */
function fittingSeconds(at: PlacedFilter, seconds: number): number {
  const duration = timesOf(at)?.duration;
  const isPair = at.others.some((one) => one.name === at.name && timesOf(one)?.duration === duration);
  return roundedDown(isPair ? seconds / 2 : seconds);
}

/** Converts the duration of a fade to seconds, if the client sent frames or milliseconds. undefined: it is in seconds. */
export function meantSeconds(at: PlacedFilter, duration: number, seconds: number) {
  if (!Number.isInteger(duration) || duration <= seconds) return undefined;
  if (duration >= MIN_MILLISECONDS && duration % 50 === 0 && duration / 1000 <= seconds)
    return { seconds: duration / 1000, unit: 'milliseconds' };
  const source = at.source(0, TIMES);
  const fps = (source && at.facts.streamsOf(source.input, 'video')[0]?.fps) ?? 0;
  return fps > 0 && duration >= MIN_FRAMES && duration / fps <= seconds
    ? { seconds: Math.round((100 * duration) / fps) / 100, unit: 'frames' }
    : undefined;
}

/** A start from this number on may be in milliseconds. */
const MIN_START_MILLISECONDS = 1000;

/** A file may be longer than its estimated length by this factor. The estimate uses the bit rate of the first frames. */
const MAX_ESTIMATE_ERROR = 3;

function lateFade(at: PlacedFilter): RunFindings {
  const fade = fadeOf(at);
  if (fade === undefined || fade.start < fade.limit.seconds) return undefined;
  const { start, duration, limit } = fade;
  const isLost = isOut(at);
  const hidden = isVideoFade(at) ? `video ${at.option('color', 'c') ?? 'black'}` : 'audio silent';
  const isMilliseconds =
    start >= MIN_START_MILLISECONDS && start % 10 === 0 && start >= 20 * limit.seconds && start / 1000 < limit.seconds;
  return {
    code: isLost ? 'NO_EFFECT' : 'EMPTY_STREAM',
    message: `The filter ${at.name} ${isLost ? 'has no effect' : `makes the whole ${hidden}`}: it starts at ${secondsText(start)}, but ${limit.what}.${isMilliseconds ? ' Its times are in seconds, not in milliseconds.' : ''}`,
    fix: isMilliseconds
      ? at.change({ st: start / 1000, d: duration >= 100 ? duration / 1000 : duration }, ['start_time', 'duration'])
      : // A fade-in is meant for the beginning.
        withStart(at, isLost ? roundedDown(limit.seconds - duration) : 0, fade),
  };
}

export const FADE_RULES: Rules = {
  'fade-out-at-start': {
    finds: 'a fade-out without a start, which begins at 0',
    about: FADES,
    rough: (at) => ((fadeOf(at)?.start ?? 1) > 0 ? undefined : earlyFadeOut(at)),
  },

  'fade-units': {
    finds: 'a fade in frames or samples where seconds are meant',
    about: FADES,
    lengths(at) {
      const meant = isPartial(at) ? undefined : countsMeantAsSeconds(at);
      if (meant === undefined) return undefined;
      const { start, duration, counted } = meant;
      // The rule `effect-before-start` reports a fade that ends before the output starts.
      if (counted.start + counted.duration <= (at.facts.plan.span.output.start ?? 0)) return undefined;
      const { unit } = countsOf(at);
      return unusualValue(
        `The values of "${at.name}" count ${unit}s, not seconds: it lasts ${duration} ${unit}${duration === 1 ? '' : 's'} (${secondsText(counted.duration)}) from ${secondsText(counted.start)} on.`,
        withTimes(at, start, duration),
      );
    },
  },

  'cut-off-fade': {
    finds: 'a fade that is not complete where its input or the output ends',
    about: FADES,
    lengths(at) {
      const fade = at.option('enable') === undefined ? fadeOf(at) : undefined;
      if (fade === undefined) return undefined;
      const { start, duration, limit } = fade;
      // The rule `late-fade` reports a start after the end.
      if (start >= limit.seconds || limit.seconds <= (at.facts.plan.span.output.start ?? 0)) return undefined;
      if (!isCutOff(start + duration - limit.seconds, duration)) return undefined;
      const reached = Math.round((100 * (limit.seconds - start)) / duration);
      const isCounted = at.option(...COUNT_OPTIONS) !== undefined;
      const meant = isCounted ? undefined : meantSeconds(at, duration, limit.seconds);
      const length = meant?.seconds ?? Math.min(duration, roundedDown(limit.seconds));
      const begin =
        start + length <= limit.seconds ? start : isOut(at) ? roundedDown(limit.seconds - length) : Math.min(start, 0);
      // Only for a start at 0 is the length certainly the wrong argument: recipes compute the start of a fade-out from its length.
      const isNumber = start === 0 && !isCounted;
      return {
        code: 'CUT_OFF',
        message: `The filter ${at.name} lasts ${secondsText(duration)} from ${secondsText(start)} on, but ${limit.what}: the ${isVideoFade(at) ? 'video' : 'audio'} is only ${reached} % faded ${isOut(at) ? 'out' : 'in'} there.${meant === undefined ? '' : ` "d" is in seconds, not in ${meant.unit}.`}`,
        ...(isNumber && { numbers: [{ sent: duration, meant: fittingSeconds(at, limit.seconds) }] }),
        fix: withTimes(at, begin, length),
      };
    },
  },

  'late-fade': {
    finds: 'a fade that starts after the end of its input or of the output',
    about: FADES,
    lengths: lateFade,
    rough(at) {
      const fade = fadeOf(at);
      return fade && fade.start >= MAX_ESTIMATE_ERROR * fade.limit.seconds ? lateFade(at) : undefined;
    },
  },

  'early-fade-out': {
    finds: 'a fade-out long before the end, after which the output is black or silent',
    about: FADES,
    lengths: earlyFadeOut,
  },
};
