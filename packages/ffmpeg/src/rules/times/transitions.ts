import type { Rules } from '../contexts.ts';
import { secondsIn, secondsText, TIMES } from '../facts/media-facts.ts';
import type { PlacedFilter } from '../facts/placed-filter.ts';
import { isCutOff, meantSeconds, roundedDown } from './fades.ts';

const offsetOf = (at: PlacedFilter): number => secondsIn(at.option('offset')) ?? 0;
const durationOf = (at: PlacedFilter): number => secondsIn(at.option('duration')) ?? 1;

/**
 * Returns the latest offset in seconds of a transition that ends before `seconds`. The transition needs a frame of both inputs at its end.
 */
const lastOffset = (seconds: number, duration: number): number => roundedDown(seconds - duration - 0.04);

/** In seconds. Nobody notices if audio starts early by less than this. */
const MAX_UNHEARD = 0.1;

const enableOf = (at: PlacedFilter): string => at.option('enable')?.replaceAll(' ', '') ?? '';

/** Matches the end time of an effect: `enable='between(t,20,25)'`, `enable='lt(t,5)'`. */
const ENABLED_UNTIL = /^(?:between\(t,\d+(?:\.\d+)?,(\d+(?:\.\d+)?)\)|lte?\(t,(\d+(?:\.\d+)?)\))$/;

/** Matches the start time of an effect: `enable='between(t,20,25)'`, `enable='gte(t,20)'`. */
const ENABLED_FROM = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?\)$/;

export const TRANSITION_RULES: Rules = {
  'transition-at-start': {
    finds: 'an `xfade` without `offset`, so that most of its first input is missing',
    about: ['xfade'],
    comparesLengths: true,
    filter(at) {
      const [duration, limit] = [durationOf(at), at.end()];
      if (at.option('offset') !== undefined || limit === undefined || limit.seconds <= duration + 1) return undefined;
      return {
        code: 'UNUSUAL_VALUE',
        message: `xfade has no offset, so the transition starts at 0 s. The output loses the rest of the first video: ${limit.what}.`,
        fix: at.change({ offset: lastOffset(limit.seconds, duration) }),
      };
    },
  },

  'late-transition': {
    finds: 'an `xfade` that starts after the end of its first input or of the output',
    about: ['xfade'],
    comparesLengths: true,
    filter(at) {
      const [offset, duration, limit] = [offsetOf(at), durationOf(at), at.end()];
      if (limit === undefined || offset < limit.seconds) return undefined;
      return {
        code: 'NO_EFFECT',
        message: `The transition never takes place, and the second video is missing: xfade starts it at ${secondsText(offset)}, but ${limit.what}.`,
        fix: at.change({ duration, offset: lastOffset(limit.seconds, duration) }),
      };
    },
  },

  'cut-off-transition': {
    finds: 'an `xfade` that is not complete where its first input ends',
    about: ['xfade'],
    comparesLengths: true,
    filter(at) {
      const [offset, duration, first] = [offsetOf(at), durationOf(at), at.timed()];
      if (first === undefined || offset >= first.seconds) return undefined;
      const { input, seconds } = first;
      if (!isCutOff(offset + duration - seconds, duration)) return undefined;
      const meant = meantSeconds(at, duration, seconds);
      const length = meant?.seconds ?? Math.min(duration, roundedDown(seconds / 2));
      return {
        code: 'CUT_OFF',
        message: `The filter xfade lasts ${secondsText(duration)} from ${secondsText(offset)} on, but ${at.facts.pathOf(input)} has only ${secondsText(seconds)}, so the transition is cut off.${meant === undefined ? '' : ` "duration" is in seconds, not in ${meant.unit}.`}`,
        fix: at.change({
          duration: Number(length.toFixed(3)),
          offset: offset + length <= seconds ? offset : lastOffset(seconds, length),
        }),
      };
    },
  },

  /** The video of the second input starts with the transition. Its audio starts at 0, because it is mapped without a filter. */
  'audio-before-transition': {
    finds: 'the audio of the second input of an `xfade`, which starts before its video',
    about: ['xfade'],
    filter(at) {
      const [offset, input] = [offsetOf(at), at.source(1, TIMES)?.input];
      // `itsoffset` already delays both the video and the audio.
      if (offset <= MAX_UNHEARD || input === undefined || at.facts.inputArgs(input).includes('-itsoffset'))
        return undefined;
      const isAudio = new RegExp(`^${input}:a(?::\\d+)?\\??$`);
      if (!at.facts.argumentsOf('map').some((map) => isAudio.test(map))) return undefined;
      return {
        code: 'OUT_OF_SYNC',
        message: `The video of ${at.facts.pathOf(input)} begins at ${secondsText(offset)}, and its audio at 0.`,
        fix: 'Send the videos in "inputs" with "join": "encode", and "crossfade" with the second one, instead of "filter_complex" and "map".',
      };
    },
  },

  /** Filters count times from the start of the input. `ss` of the output cuts off the beginning after the filters. */
  'effect-before-start': {
    finds: 'a fade or an `enable` that ends before `ss` starts the output',
    filter(at) {
      const { start = 0 } = at.facts.plan.span.output;
      if (start <= 0 || at.source(0, TIMES) === undefined) return undefined;
      const output = `"ss" starts the output at ${secondsText(start)}`;
      if (at.name === 'fade' || at.name === 'afade') {
        const from = secondsIn(at.option('start_time', 'st')) ?? 0;
        const end = from + (secondsIn(at.option('duration', 'd')) ?? 1);
        if (end > start) return undefined;
        const isOut = ['out', '1'].includes(at.option('type', 't') ?? 'in');
        const whole = at.name === 'fade' ? `video is ${at.option('color', 'c') ?? 'black'}` : 'audio is silent';
        return {
          code: isOut ? 'EMPTY_STREAM' : 'NO_EFFECT',
          message: `The filter ${at.name} ends at ${secondsText(end)} of the input, and ${output}${isOut ? `, so the whole ${whole}` : ''}: filters count from the start of the input.`,
          fix: at.change({ st: Number((start + from).toFixed(3)) }, ['start_time']),
        };
      }
      const [, between, below] = ENABLED_UNTIL.exec(enableOf(at)) ?? [];
      const end = Number(between ?? below ?? Number.NaN);
      if (!(end <= start)) return undefined;
      return {
        code: 'NO_EFFECT',
        message: `The filter ${at.name} has no effect: "enable" ends it at ${secondsText(end)} of the input, and ${output}.`,
        fix: `Add ${start} to the times of "enable", or send "ss" with the input in "inputs".`,
      };
    },
  },

  'late-enable': {
    finds: 'a filter whose `enable` starts after the end of its input or of the output',
    comparesLengths: true,
    filter(at) {
      const start = Number(ENABLED_FROM.exec(enableOf(at))?.[1] ?? Number.NaN);
      const limit = Number.isNaN(start) ? undefined : at.end();
      if (limit === undefined || start < limit.seconds) return undefined;
      return {
        code: 'NO_EFFECT',
        message: `The filter ${at.name} has no effect: "enable" starts it at ${secondsText(start)}, but ${limit.what}.`,
        fix: `Send an "enable" that starts before ${secondsText(limit.seconds)}, or leave it out.`,
      };
    },
  },
};
