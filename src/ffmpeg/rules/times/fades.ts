import type { GraphFilter } from '../../filtergraph/graph.ts';
import type { Rule, RunFindings } from '../contexts.ts';
import { printChanged } from '../facts/graph-fixes.ts';
import { optionValue, RATES, secondsIn, secondsText, TIMES } from '../facts/media-facts.ts';
import { PlacedFilter } from '../facts/placed-filter.ts';

/** Options that count frames or samples. */
const COUNT_OPTIONS = ['start_frame', 's', 'start_sample', 'ss', 'nb_frames', 'n', 'nb_samples', 'ns'] as const;
/** Options that are times. */
const START = ['start_time', 'st'] as const;
const DURATION = ['duration', 'd'] as const;

/** Filters after which the samples of a sound have another rate. */
const SAMPLE_RATES = new RegExp(`${TIMES.source}|^(?:aresample|aformat|loudnorm)$`);
const FRAME_RATES = new RegExp(`${TIMES.source}|${RATES.source}`);

/** When a fade starts and how long it lasts, in seconds. */
interface FadeTimes {
  readonly start: number;
  readonly duration: number;
}

/**
 * The times of a filter `fade` or `afade`. Counts of frames and samples become times by the rate of what the filter gets.
 * undefined if a time is an expression, if a rate is not known, or if the filter has both a time and a count.
 */
function fadeTimes(at: PlacedFilter): FadeTimes | undefined {
  const isPicture = at.name === 'fade';
  const altering = isPicture ? FRAME_RATES : SAMPLE_RATES;
  const value = (names: readonly string[], counts: readonly string[], fallback: string): number | undefined => {
    const [time, count] = [at.option(...names), at.option(...counts)];
    if (count === undefined) return secondsIn(time ?? fallback);
    const stream = at.source(0, altering)?.stream;
    const rate = isPicture ? stream?.fps : stream?.sampleRate;
    return time !== undefined || rate === undefined || !/^\d+$/.test(count) ? undefined : Number(count) / rate;
  };
  const start = value(START, isPicture ? ['start_frame', 's'] : ['start_sample', 'ss'], '0');
  const duration = value(DURATION, isPicture ? ['nb_frames', 'n'] : ['nb_samples', 'ns'], '1');
  return start === undefined || duration === undefined ? undefined : { start, duration };
}

/** A picture that is black, or a sound that is silent, for less than this after a fade-out is meant. */
const REST_SECONDS = 1;

/** A difference of times such as 2.3 - 1 is a little less than it is written. */
export const roundedDown = (seconds: number): number => Math.max(0, Math.floor(seconds * 100 + 1e-6) / 100);

const isOut = (type: string | undefined): boolean => type === 'out' || type === '1';

/** A fade-out that ends long before the output does: the rest is black or silent. */
function earlyFadeOut(at: PlacedFilter): RunFindings {
  const { facts, graph, filter } = at;
  if ((at.name !== 'fade' && at.name !== 'afade') || !isOut(at.option('type', 't'))) return undefined;
  const isPicture = at.name === 'fade';
  const isPartial = at.option('enable') !== undefined || at.option('alpha') === '1';
  if (isPartial || graph.graph.chains.length > 1) return undefined;
  // A later filter can cut off the rest, or show the picture again.
  const others = graph.filters.filter((one) => one !== filter);
  if (others.some(({ name }) => TIMES.test(name) || name === at.name)) {
    const isOnlyIn = others.every(
      (one) =>
        !TIMES.test(one.name) &&
        (one.name !== at.name ||
          (!isOut(optionValue(one, 'type', 't')) && (secondsIn(optionValue(one, 'start_time', 'st')) ?? 0) === 0)),
    );
    if (!isOnlyIn) return undefined;
  }
  const times = fadeTimes(at);
  const limit = at.end();
  if (times === undefined || limit === undefined) return undefined;
  const { start, duration } = times;
  const end = start + duration;
  // An input can be longer than the stream of it that is faded, and the duration of a file can be an estimate.
  const { seconds = Number.POSITIVE_INFINITY, pictureSeconds = seconds } = facts.written ?? {};
  const written = (facts.plan.span.output.start ?? 0) + (isPicture ? pictureSeconds : seconds);
  const last = Math.min(limit.seconds, written);
  if (countsMeantAsSeconds(at) !== undefined) return undefined;
  // If the output starts later, another check explains it.
  if (last - end <= REST_SECONDS || end <= (facts.plan.span.output.start ?? 0)) return undefined;
  const begin = roundedDown(last - duration);
  return {
    key: graph.key,
    code: 'EMPTY_STREAM',
    message: `The filter ${at.name} ends at ${secondsText(end)}, and the ${
      isPicture ? `picture stays ${at.option('color', 'c') ?? 'black'}` : 'sound stays silent'
    } up to the end at ${secondsText(last)}.`,
    fix: at.replace(fadeAt(filter, times, begin)),
  };
}

const FADE_OUT_AT_START: Rule = {
  id: 'fade-out-at-start',
  finds: 'a fade-out without a start, which begins at 0',
  rough: (at) => ((fadeTimes(at)?.start ?? 1) > 0 ? undefined : earlyFadeOut(at)),
};

/** The most frames of a fade-in that nobody sees, if they are those of a film. */
const UNSEEN_FRAMES = 3;
const FILM_RATE = 10;
/** The longest fade-out that is meant in seconds. */
const MOST_SECONDS = 10;

/**
 * The times that were meant by counts that are seconds: `fade=out:18:2` of a film of 20 s leaves all but its first second black. undefined
 * if the counts can be meant.
 */
function countsMeantAsSeconds(at: PlacedFilter): (FadeTimes & { readonly counted: FadeTimes }) | undefined {
  const { facts } = at;
  const isPicture = at.name === 'fade';
  const count = (...names: readonly string[]): number => Number(at.option(...names) ?? Number.NaN);
  const [length, start = 0] = isPicture
    ? [count('nb_frames', 'n'), count('start_frame', 's') || 0]
    : [count('nb_samples', 'ns'), count('start_sample', 'ss') || 0];
  const counted = fadeTimes(at);
  const limit = at.end();
  if (!(length >= 1) || counted === undefined || limit === undefined) return undefined;
  const last = Math.min(limit.seconds, facts.written?.seconds ?? Number.POSITIVE_INFINITY);
  if (!isOut(at.option('type', 't'))) {
    const isUnseen = length <= UNSEEN_FRAMES && counted.duration <= UNSEEN_FRAMES / FILM_RATE;
    return start === 0 && isUnseen && length < last ? { start, duration: length, counted } : undefined;
  }
  const isInFilm = start + length <= last + REST_SECONDS && length <= MOST_SECONDS;
  if (!isInFilm || last - counted.start - counted.duration <= REST_SECONDS) return undefined;
  const isAtEnd = start + length <= last && last - start - length <= REST_SECONDS;
  return { start: isAtEnd ? start : roundedDown(last - length), duration: length, counted };
}

const FADE_UNITS: Rule = {
  id: 'fade-units',
  finds: 'a fade in frames or samples where seconds are meant',
  comparesLengths: true,
  filter(at) {
    const { facts } = at;
    if (at.name !== 'fade' && at.name !== 'afade') return undefined;
    if (at.option('enable') !== undefined || at.option('alpha') === '1') return undefined;
    const meant = countsMeantAsSeconds(at);
    if (meant === undefined) return undefined;
    const { start, duration, counted } = meant;
    // What ends before the output starts has another warning.
    if (counted.start + counted.duration <= (facts.plan.span.output.start ?? 0)) return undefined;
    const unit = at.name === 'fade' ? 'frame' : 'sample';
    return {
      code: 'UNUSUAL_VALUE',
      message: `The values of "${at.name}" count ${unit}s, not seconds: it lasts ${duration} ${unit}${duration === 1 ? '' : 's'} (${secondsText(counted.duration)}) from ${secondsText(counted.start)} on.`,
      fix: at.change({ st: start, d: duration }, ['start_time', 'duration', ...COUNT_OPTIONS]),
    };
  },
};

/** The filter with another start. Counts become times, because a filter cannot have both. */
const fadeAt = (filter: GraphFilter, { duration }: FadeTimes, start: number): string =>
  optionValue(filter, ...COUNT_OPTIONS) === undefined
    ? printChanged(filter, { st: start }, ['start_time'])
    : printChanged(filter, { st: start, d: Number(duration.toFixed(3)) }, ['start_time', 'duration', ...COUNT_OPTIONS]);

/** A fade that is cut off by less than this looks complete. */
export const MIN_CUT_SECONDS = 0.2;
export const MIN_CUT_SHARE = 0.25;

/** Numbers of frames and of milliseconds that people send as the duration of a fade. */
const MIN_FRAMES = 8;
const MIN_MILLISECONDS = 100;

const CUT_OFF_FADE: Rule = {
  id: 'cut-off-fade',
  finds: 'a fade that is not complete where its input or the output ends',
  comparesLengths: true,
  filter(at) {
    const { facts } = at;
    if (at.name !== 'fade' && at.name !== 'afade') return undefined;
    if (at.option('enable') !== undefined) return undefined;
    const times = fadeTimes(at);
    const limit = at.end();
    if (times === undefined || limit === undefined) return undefined;
    const { start, duration } = times;
    // A start after the end is another warning.
    if (start >= limit.seconds || limit.seconds <= (facts.plan.span.output.start ?? 0)) return undefined;
    const cut = start + duration - limit.seconds;
    if (cut <= MIN_CUT_SECONDS || cut <= MIN_CUT_SHARE * duration) return undefined;
    const isFadeOut = isOut(at.option('type', 't'));
    const what = at.name === 'fade' ? 'picture' : 'sound';
    const reached = Math.round((100 * (limit.seconds - start)) / duration);
    const isCounted = at.option(...COUNT_OPTIONS) !== undefined;
    const meant = isCounted ? undefined : meantSeconds(at, duration, limit.seconds);
    const length = meant?.seconds ?? Math.min(duration, roundedDown(limit.seconds));
    const begin =
      start + length <= limit.seconds ? start : isFadeOut ? roundedDown(limit.seconds - length) : Math.min(start, 0);
    // A fade of a recipe that starts later starts earlier if it is longer, so that it is cut off by something else.
    const isNumber = start === 0 && !isCounted;
    return {
      code: 'CUT_OFF',
      message: `The filter ${at.name} lasts ${secondsText(duration)} from ${secondsText(start)} on, but ${limit.what}: the ${what} is only ${reached} % faded ${isFadeOut ? 'out' : 'in'} there.${meant === undefined ? '' : ` "d" is in seconds, not in ${meant.unit}.`}`,
      ...(isNumber && { numbers: [{ sent: duration, meant: fittingSeconds(at, limit.seconds) }] }),
      fix: at.change({ st: begin, d: Number(length.toFixed(3)) }, ['start_time', 'duration', ...COUNT_OPTIONS]),
    };
  },
};

/** The longest fade up to `seconds`: half of it if a fade of the same length in the other direction needs the rest. */
function fittingSeconds(at: PlacedFilter, seconds: number): number {
  const { facts, graph } = at;
  const duration = fadeTimes(at)?.duration;
  const others = at.others.filter(({ name }) => name === at.name);
  const isPair = others.some((one) => fadeTimes(new PlacedFilter(facts, graph, one))?.duration === duration);
  return roundedDown(isPair ? seconds / 2 : seconds);
}

/** The duration that was meant as a number of frames or of milliseconds. undefined: it was in seconds. */
export function meantSeconds(
  at: PlacedFilter,
  duration: number,
  seconds: number,
): { readonly seconds: number; readonly unit: string } | undefined {
  const { facts } = at;
  if (!Number.isInteger(duration) || duration <= seconds) return undefined;
  const source = at.source(0, TIMES);
  const [picture] = source === undefined ? [] : facts.streamsOf(source.input, 'video');
  if (duration >= MIN_MILLISECONDS && duration % 50 === 0 && duration / 1000 <= seconds)
    return { seconds: duration / 1000, unit: 'milliseconds' };
  const fps = picture?.fps ?? 0;
  return fps > 0 && duration >= MIN_FRAMES && duration / fps <= seconds
    ? { seconds: Math.round((100 * duration) / fps) / 100, unit: 'frames' }
    : undefined;
}

/** The first start of a fade that may be one in milliseconds. */
const MIN_START_MILLISECONDS = 1000;

/** How many times as long as its estimate a file may be: by the bit rate of its first frames. */
const MAX_ESTIMATE_ERROR = 3;

/** A fade after the end, even if the file is longer than it seems. */
const LATE_FADE: Rule = {
  id: 'late-fade',
  finds: 'a fade that starts after the end of its input or of the output',
  comparesLengths: true,
  filter: lateFade,
  rough(at) {
    const start = fadeTimes(at)?.start ?? 0;
    const seconds = at.end()?.seconds ?? Number.POSITIVE_INFINITY;
    return start < MAX_ESTIMATE_ERROR * seconds ? undefined : lateFade(at);
  },
};

function lateFade(at: PlacedFilter): RunFindings {
  const { graph, filter } = at;
  if (at.name !== 'fade' && at.name !== 'afade') return undefined;
  const times = fadeTimes(at);
  const limit = at.end();
  if (times === undefined || limit === undefined || times.start < limit.seconds) return undefined;
  const { start, duration } = times;
  const isOut = ['out', '1'].includes(at.option('type', 't') ?? 'in');
  const isPicture = at.name === 'fade';
  const effect = isOut
    ? 'has no effect'
    : `makes the whole ${isPicture ? `picture ${at.option('color', 'c') ?? 'black'}` : 'sound silent'}`;
  const isMilliseconds =
    start >= MIN_START_MILLISECONDS && start % 10 === 0 && start >= 20 * limit.seconds && start / 1000 < limit.seconds;
  // A fade in is meant for the beginning.
  const begin = isOut ? roundedDown(limit.seconds - duration) : 0;
  return {
    key: graph.key,
    code: isOut ? 'NO_EFFECT' : 'EMPTY_STREAM',
    message: `The filter ${at.name} ${effect}: it starts at ${secondsText(start)}, but ${limit.what}.${isMilliseconds ? ' Its times are in seconds, not in milliseconds.' : ''}`,
    fix: at.replace(
      isMilliseconds
        ? printChanged(filter, { st: start / 1000, d: duration >= 100 ? duration / 1000 : duration }, [
            'start_time',
            'duration',
          ])
        : fadeAt(filter, times, begin),
    ),
  };
}

const EARLY_FADE_OUT: Rule = {
  id: 'early-fade-out',
  finds: 'a fade-out long before the end, after which the output is black or silent',
  comparesLengths: true,
  filter: earlyFadeOut,
};

export const FADE_RULES: readonly Rule[] = [FADE_OUT_AT_START, FADE_UNITS, CUT_OFF_FADE, LATE_FADE, EARLY_FADE_OUT];
