import type { Rule } from '../contexts.ts';
import { secondsIn, secondsText, TIMES } from '../facts/media-facts.ts';
import { MIN_CUT_SECONDS, MIN_CUT_SHARE, meantSeconds, roundedDown } from './fades.ts';

/** Without an offset, `xfade` starts with the first film, of which only the transition is left. */
const TRANSITION_AT_START: Rule = {
  id: 'transition-at-start',
  finds: 'an `xfade` without `offset`, so that most of its first input is missing',
  comparesLengths: true,
  filter(at) {
    const { graph } = at;
    if (at.name !== 'xfade' || at.option('offset') !== undefined) return undefined;
    const duration = secondsIn(at.option('duration')) ?? 1;
    const limit = at.end();
    if (limit === undefined || limit.seconds <= duration + 1) return undefined;
    return {
      key: graph.key,
      code: 'UNUSUAL_VALUE',
      message: `xfade has no offset, so the transition starts at 0, and the rest of the first film is missing: ${limit.what}.`,
      fix: at.change({ offset: roundedDown(limit.seconds - duration - 0.04) }),
    };
  },
};

const LATE_TRANSITION: Rule = {
  id: 'late-transition',
  finds: 'an `xfade` that starts after the end of its first input or of the output',
  comparesLengths: true,
  filter(at) {
    const { graph } = at;
    if (at.name !== 'xfade') return undefined;
    const offset = secondsIn(at.option('offset')) ?? 0;
    const duration = secondsIn(at.option('duration')) ?? 1;
    const limit = at.end();
    if (limit === undefined || offset < limit.seconds) return undefined;
    return {
      key: graph.key,
      code: 'NO_EFFECT',
      message: `The transition never takes place, and the second film is missing: xfade starts it at ${secondsText(offset)}, but ${limit.what}.`,
      fix: at.change({ duration, offset: roundedDown(limit.seconds - duration - 0.04) }),
    };
  },
};

/** A transition that is not complete where its first film ends: frames as "duration", an offset that is too late. */
const CUT_OFF_TRANSITION: Rule = {
  id: 'cut-off-transition',
  finds: 'an `xfade` that is not complete where its first input ends',
  comparesLengths: true,
  filter(at) {
    const { facts } = at;
    if (at.name !== 'xfade') return undefined;
    const offset = secondsIn(at.option('offset')) ?? 0;
    const duration = secondsIn(at.option('duration')) ?? 1;
    const source = at.source(0, TIMES);
    const seconds = source && facts.secondsOfInput(source.input);
    if (source === undefined || seconds === undefined || offset >= seconds) return undefined;
    const cut = offset + duration - seconds;
    if (cut <= MIN_CUT_SECONDS || cut <= MIN_CUT_SHARE * duration) return undefined;
    const meant = meantSeconds(at, duration, seconds);
    const length = meant?.seconds ?? Math.min(duration, roundedDown(seconds / 2));
    const begin = offset + length <= seconds ? offset : roundedDown(seconds - length - FRAME_SECONDS);
    return {
      code: 'CUT_OFF',
      message: `The filter xfade lasts ${secondsText(duration)} from ${secondsText(offset)} on, but ${facts.pathOf(source.input)} has only ${secondsText(seconds)}, so the transition is cut off.${meant === undefined ? '' : ` "duration" is in seconds, not in ${meant.unit}.`}`,
      fix: at.change({ duration: Number(length.toFixed(3)), offset: begin }),
    };
  },
};

/** A transition needs a frame of both films at its end. */
const FRAME_SECONDS = 0.04;

/** The picture of the second film begins with the transition, and its sound, which is mapped as it is, at 0. */
const AUDIO_BEFORE_TRANSITION: Rule = {
  id: 'audio-before-transition',
  finds: 'the audio of the second input of an `xfade`, which starts before its video',
  filter(at) {
    const { facts } = at;
    const offset = at.name === 'xfade' ? (secondsIn(at.option('offset')) ?? 0) : 0;
    const second = at.source(1, TIMES);
    // `itsoffset` delays both.
    if (offset <= MAX_UNHEARD || second === undefined || facts.inputArgs(second.input).includes('-itsoffset'))
      return undefined;
    const isMapped = facts.argv.some(
      (word, index) => facts.argv[index - 1] === '-map' && new RegExp(`^${second.input}:a(?::\\d+)?\\??$`).test(word),
    );
    if (!isMapped) return undefined;
    return {
      code: 'OUT_OF_SYNC',
      message: `The picture of ${facts.pathOf(second.input)} begins at ${secondsText(offset)}, and its sound at 0.`,
      fix: 'Send the films in "inputs" with "join": "encode", and "crossfade" with the second one, instead of "filter_complex" and "map".',
    };
  },
};

/** Nobody hears a sound that is early by less. */
const MAX_UNHEARD = 0.1;

/** `enable='between(t,20,25)'`, `enable='lt(t,5)'`: when it ends. */
const ENABLED_UNTIL = /^(?:between\(t,\d+(?:\.\d+)?,(\d+(?:\.\d+)?)\)|lte?\(t,(\d+(?:\.\d+)?)\))$/;

/** Filters count from the start of the input, and "ss" of the output cuts off afterwards: the effect is over before. */
const EFFECT_BEFORE_START: Rule = {
  id: 'effect-before-start',
  finds: 'a fade or an `enable` that ends before `ss` starts the output',
  filter(at) {
    const { facts } = at;
    const start = facts.plan.span.output.start ?? 0;
    if (start <= 0 || at.source(0, TIMES) === undefined) return undefined;
    if (at.name === 'fade' || at.name === 'afade') {
      const [from, length] = [
        secondsIn(at.option('start_time', 'st')) ?? 0,
        secondsIn(at.option('duration', 'd')) ?? 1,
      ];
      if (from + length > start) return undefined;
      const isOut = ['out', '1'].includes(at.option('type', 't') ?? 'in');
      const what = at.name === 'fade' ? `picture is ${at.option('color', 'c') ?? 'black'}` : 'sound is silent';
      return {
        code: isOut ? 'EMPTY_STREAM' : 'NO_EFFECT',
        message: `The filter ${at.name} ends at ${secondsText(from + length)} of the input, and "ss" starts the output at ${secondsText(start)}${
          isOut ? `, so the whole ${what}` : ''
        }: filters count from the start of the input.`,
        fix: at.change({ st: Number((start + from).toFixed(3)) }, ['start_time']),
      };
    }
    const [, between, below] = ENABLED_UNTIL.exec(at.option('enable')?.replaceAll(' ', '') ?? '') ?? [];
    const end = Number(between ?? below ?? Number.NaN);
    if (!(end <= start)) return undefined;
    return {
      code: 'NO_EFFECT',
      message: `The filter ${at.name} has no effect: "enable" ends it at ${secondsText(end)} of the input, and "ss" starts the output at ${secondsText(start)}.`,
      fix: `Add ${start} to the times of "enable", or send "ss" with the input in "inputs".`,
    };
  },
};

/** `enable='between(t,20,25)'`, `enable='gte(t,20)'`: when it starts. */
const ENABLED_FROM = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?\)$/;

const LATE_ENABLE: Rule = {
  id: 'late-enable',
  finds: 'a filter whose `enable` starts after the end of its input or of the output',
  comparesLengths: true,
  filter(at) {
    const { graph } = at;
    const start = Number(ENABLED_FROM.exec(at.option('enable')?.replaceAll(' ', '') ?? '')?.[1] ?? Number.NaN);
    const limit = at.end();
    if (limit === undefined || Number.isNaN(start) || start < limit.seconds) return undefined;
    return {
      key: graph.key,
      code: 'NO_EFFECT',
      message: `The filter ${at.name} has no effect: "enable" starts it at ${secondsText(start)}, but ${limit.what}.`,
      fix: `Send an "enable" that starts before ${secondsText(limit.seconds)}, or leave it out.`,
    };
  },
};

export const TRANSITION_RULES: readonly Rule[] = [
  TRANSITION_AT_START,
  LATE_TRANSITION,
  CUT_OFF_TRANSITION,
  AUDIO_BEFORE_TRANSITION,
  EFFECT_BEFORE_START,
  LATE_ENABLE,
];
