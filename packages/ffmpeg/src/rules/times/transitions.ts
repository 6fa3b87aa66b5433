import type { Graph } from '../../filtergraph/graph.ts';
import { noEffect, outOfSync, type Rules, unusualValue } from '../contexts.ts';
import { newFilter } from '../facts/graph-fixes.ts';
import { secondsIn, secondsText, TIMES } from '../facts/media-facts.ts';
import type { PlacedFilter } from '../facts/placed-filter.ts';
import { hiddenBy, isCutOff, isOut, meantSeconds, roundedDown } from './fades.ts';

const offsetOf = (at: PlacedFilter): number => secondsIn(at.option('offset')) ?? 0;
const durationOf = (at: PlacedFilter): number => secondsIn(at.option('duration')) ?? 1;

/** Returns the latest `offset` of an `xfade` within `seconds`. After the transition, both inputs need one more frame. */
const lastOffset = (seconds: number, duration: number): number => roundedDown(seconds - duration - 0.04);

/** In seconds. Nobody hears that audio starts this much too early. */
const MAX_UNHEARD = 0.1;

const enableOf = (at: PlacedFilter): string => at.option('enable')?.replaceAll(' ', '') ?? '';

/** Captures when an effect ends: `enable='between(t,20,25)'`, `enable='lt(t,5)'`. */
const ENABLED_UNTIL = /^(?:between\(t,\d+(?:\.\d+)?,(\d+(?:\.\d+)?)\)|lte?\(t,(\d+(?:\.\d+)?)\))$/;

/** Captures when an effect starts: `enable='between(t,20,25)'`, `enable='gte(t,20)'`. */
const ENABLED_FROM = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?\)$/;

/** Returns the filters that crossfade two audio labels to `to`, for an `xfade`. They cut the first audio where its video ends. */
export function fadedAudio(
  at: PlacedFilter,
  [first = '', second = '']: readonly string[],
  to: string,
): Graph['chains'] {
  const [offset, duration] = [offsetOf(at), durationOf(at)];
  const cut = { key: 'end', value: `${Number((offset + duration).toFixed(3))}` };
  return [
    [newFilter('atrim', [cut], { inputs: [first], outputs: [`${to}0`] })],
    [newFilter('acrossfade', [{ key: 'd', value: `${duration}` }], { inputs: [`${to}0`, second], outputs: [to] })],
  ];
}

export const TRANSITION_RULES: Rules = {
  'transition-at-start': {
    finds: 'an `xfade` without `offset`, so that most of its first input is missing',
    about: ['xfade'],
    lengths(at) {
      const [duration, limit] = [durationOf(at), at.end()];
      if (at.option('offset') !== undefined || limit === undefined || limit.seconds <= duration + 1) return undefined;
      return unusualValue(
        `The filter xfade has no "offset", so the transition starts at 0 s, and the output lacks the rest of the first video, up to ${secondsText(limit.seconds)}.`,
        at.change({ offset: lastOffset(limit.seconds, duration) }),
      );
    },
  },

  'late-transition': {
    finds: 'an `xfade` that starts after the end of its first input or of the output',
    about: ['xfade'],
    lengths(at) {
      const [offset, duration, limit] = [offsetOf(at), durationOf(at), at.end()];
      if (limit === undefined || offset < limit.seconds) return undefined;
      return noEffect(
        `The transition never takes place, and the second video is missing: xfade starts it at ${secondsText(offset)}, but ${limit.what}.`,
        at.change({ duration, offset: lastOffset(limit.seconds, duration) }),
      );
    },
  },

  'cut-off-transition': {
    finds: 'an `xfade` that is not complete where its first input ends',
    about: ['xfade'],
    lengths(at) {
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

  /** The second video starts at the transition. Its audio starts at 0 if it is mapped without a filter. */
  'audio-before-transition': {
    finds: 'the audio of the second input of an `xfade`, which starts before its video',
    about: ['xfade'],
    filter(at) {
      const [offset, input] = [offsetOf(at), at.source(1, TIMES)?.input];
      // `itsoffset` delays video and audio together, so this audio does not start too early.
      if (offset <= MAX_UNHEARD || input === undefined || at.facts.inputArgs(input).includes('-itsoffset'))
        return undefined;
      const isAudio = new RegExp(`^${input}:a(?::\\d+)?\\??$`);
      if (!at.facts.argumentsOf('map').some((map) => isAudio.test(map))) return undefined;
      return outOfSync(
        `The video of ${at.facts.pathOf(input)} begins at ${secondsText(offset)}, and its audio at 0.`,
        'Send the videos in "inputs" with "join": "encode", and "crossfade" with the second one, instead of "filter_complex" and "map".',
      );
    },
  },

  /** Filters count from the start of the input. `ss` of the output cuts only after the filters. */
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
        const whole = isOut(at) ? `, so the whole ${hiddenBy(at, 'is')}` : '';
        return {
          code: isOut(at) ? 'EMPTY_STREAM' : 'NO_EFFECT',
          message: `The filter ${at.name} ends at ${secondsText(end)} of the input, and ${output}${whole}: filters count from the start of the input.`,
          fix: at.change({ st: Number((start + from).toFixed(3)) }, ['start_time']),
        };
      }
      const [, between, below] = ENABLED_UNTIL.exec(enableOf(at)) ?? [];
      const end = Number(between ?? below ?? Number.NaN);
      if (!(end <= start)) return undefined;
      return noEffect(
        `The filter ${at.name} has no effect: "enable" ends it at ${secondsText(end)} of the input, and ${output}.`,
        `Add ${start} to the times of "enable", or send "ss" with the input in "inputs".`,
      );
    },
  },

  'late-enable': {
    finds: 'a filter whose `enable` starts after the end of its input or of the output',
    lengths(at) {
      const start = Number(ENABLED_FROM.exec(enableOf(at))?.[1] ?? Number.NaN);
      const limit = Number.isNaN(start) ? undefined : at.end();
      if (limit === undefined || start < limit.seconds) return undefined;
      return noEffect(
        `The filter ${at.name} has no effect: "enable" starts it at ${secondsText(start)}, but ${limit.what}.`,
        `Send an "enable" that starts before ${secondsText(limit.seconds)}, or leave it out.`,
      );
    },
  },
};
