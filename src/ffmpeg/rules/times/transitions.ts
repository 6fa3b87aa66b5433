import type { FilterCheck } from '../contexts.ts';
import { printChanged, withFilter } from '../facts/graph-fixes.ts';
import {
  endAt,
  inputArgs,
  optionValue,
  pathOf,
  secondsIn,
  secondsOfInput,
  secondsText,
  sourceOf,
  TIMES,
  withField,
} from '../facts/media-facts.ts';
import { MIN_CUT_SECONDS, MIN_CUT_SHARE, meantSeconds, roundedDown } from './fades.ts';

/** Without an offset, `xfade` starts with the first film, of which only the transition is left. */
export const transitionAtStart: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'xfade' || optionValue(filter, 'offset') !== undefined) return undefined;
  const duration = secondsIn(optionValue(filter, 'duration')) ?? 1;
  const at = endAt(facts, graph, filter);
  if (at === undefined || at.seconds <= duration + 1) return undefined;
  return withField(facts, graph.key, {
    code: 'UNUSUAL_VALUE',
    message: `xfade has no offset, so the transition starts at 0, and the rest of the first film is missing: ${at.what}.`,
    fix: withFilter(facts, graph, filter, printChanged(filter, { offset: roundedDown(at.seconds - duration - 0.04) })),
  });
};

export const lateTransition: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'xfade') return undefined;
  const offset = secondsIn(optionValue(filter, 'offset')) ?? 0;
  const duration = secondsIn(optionValue(filter, 'duration')) ?? 1;
  const at = endAt(facts, graph, filter);
  if (at === undefined || offset < at.seconds) return undefined;
  return withField(facts, graph.key, {
    code: 'NO_EFFECT',
    message: `The transition never takes place, and the second film is missing: xfade starts it at ${secondsText(offset)}, but ${at.what}.`,
    fix: withFilter(
      facts,
      graph,
      filter,
      printChanged(filter, { duration, offset: roundedDown(at.seconds - duration - 0.04) }),
    ),
  });
};

/** A transition that is not complete where its first film ends: frames as "duration", an offset that is too late. */
export const transitionCutOff: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'xfade') return undefined;
  const offset = secondsIn(optionValue(filter, 'offset')) ?? 0;
  const duration = secondsIn(optionValue(filter, 'duration')) ?? 1;
  const source = sourceOf(facts, graph, filter, 0, TIMES);
  const seconds = source && secondsOfInput(facts, source.input);
  if (source === undefined || seconds === undefined || offset >= seconds) return undefined;
  const cut = offset + duration - seconds;
  if (cut <= MIN_CUT_SECONDS || cut <= MIN_CUT_SHARE * duration) return undefined;
  const meant = meantSeconds(facts, graph, filter, duration, seconds);
  const length = meant?.seconds ?? Math.min(duration, roundedDown(seconds / 2));
  const begin = offset + length <= seconds ? offset : roundedDown(seconds - length - FRAME_SECONDS);
  return {
    code: 'CUT_OFF',
    message: `The filter xfade lasts ${secondsText(duration)} from ${secondsText(offset)} on, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}, so the transition is cut off.${meant === undefined ? '' : ` "duration" is in seconds, not in ${meant.unit}.`}`,
    fix: withFilter(facts, graph, filter, printChanged(filter, { duration: Number(length.toFixed(3)), offset: begin })),
  };
};

/** A transition needs a frame of both films at its end. */
const FRAME_SECONDS = 0.04;

/** The picture of the second film begins with the transition, and its sound, which is mapped as it is, at 0. */
export const soundBeforeTransition: FilterCheck = (facts, graph, filter) => {
  const offset = filter.name === 'xfade' ? (secondsIn(optionValue(filter, 'offset')) ?? 0) : 0;
  const second = sourceOf(facts, graph, filter, 1, TIMES);
  // `itsoffset` delays both.
  if (offset <= MAX_UNHEARD || second === undefined || inputArgs(facts, second.input).includes('-itsoffset'))
    return undefined;
  const isMapped = facts.argv.some(
    (word, at) => facts.argv[at - 1] === '-map' && new RegExp(`^${second.input}:a(?::\\d+)?\\??$`).test(word),
  );
  if (!isMapped) return undefined;
  return {
    code: 'OUT_OF_SYNC',
    message: `The picture of ${pathOf(facts, second.input)} begins at ${secondsText(offset)}, and its sound at 0.`,
    fix: 'Send the films in "inputs" with "join": "encode", and "crossfade" with the second one, instead of "filter_complex" and "map".',
  };
};

/** Nobody hears a sound that is early by less. */
const MAX_UNHEARD = 0.1;

/** `enable='between(t,20,25)'`, `enable='lt(t,5)'`: when it ends. */
const ENABLED_UNTIL = /^(?:between\(t,\d+(?:\.\d+)?,(\d+(?:\.\d+)?)\)|lte?\(t,(\d+(?:\.\d+)?)\))$/;

/** Filters count from the start of the input, and "ss" of the output cuts off afterwards: the effect is over before. */
export const effectBeforeStart: FilterCheck = (facts, graph, filter) => {
  const start = facts.plan.span.output.start ?? 0;
  if (start <= 0 || sourceOf(facts, graph, filter, 0, TIMES) === undefined) return undefined;
  if (filter.name === 'fade' || filter.name === 'afade') {
    const [from, length] = [
      secondsIn(optionValue(filter, 'start_time', 'st')) ?? 0,
      secondsIn(optionValue(filter, 'duration', 'd')) ?? 1,
    ];
    if (from + length > start) return undefined;
    const isOut = ['out', '1'].includes(optionValue(filter, 'type', 't') ?? 'in');
    const what =
      filter.name === 'fade' ? `picture is ${optionValue(filter, 'color', 'c') ?? 'black'}` : 'sound is silent';
    return {
      code: isOut ? 'EMPTY_STREAM' : 'NO_EFFECT',
      message: `The filter ${filter.name} ends at ${secondsText(from + length)} of the input, and "ss" starts the output at ${secondsText(start)}${
        isOut ? `, so the whole ${what}` : ''
      }: filters count from the start of the input.`,
      fix: withFilter(
        facts,
        graph,
        filter,
        printChanged(filter, { st: Number((start + from).toFixed(3)) }, ['start_time']),
      ),
    };
  }
  const [, between, below] = ENABLED_UNTIL.exec(optionValue(filter, 'enable')?.replaceAll(' ', '') ?? '') ?? [];
  const end = Number(between ?? below ?? Number.NaN);
  if (!(end <= start)) return undefined;
  return {
    code: 'NO_EFFECT',
    message: `The filter ${filter.name} has no effect: "enable" ends it at ${secondsText(end)} of the input, and "ss" starts the output at ${secondsText(start)}.`,
    fix: `Add ${start} to the times of "enable", or send "ss" with the input in "inputs".`,
  };
};

/** `enable='between(t,20,25)'`, `enable='gte(t,20)'`: when it starts. */
const ENABLED_FROM = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?\)$/;

export const enabledTooLate: FilterCheck = (facts, graph, filter) => {
  const start = Number(ENABLED_FROM.exec(optionValue(filter, 'enable')?.replaceAll(' ', '') ?? '')?.[1] ?? Number.NaN);
  const at = endAt(facts, graph, filter);
  if (at === undefined || Number.isNaN(start) || start < at.seconds) return undefined;
  return withField(facts, graph.key, {
    code: 'NO_EFFECT',
    message: `The filter ${filter.name} has no effect: "enable" starts it at ${secondsText(start)}, but ${at.what}.`,
    fix: `Send an "enable" that starts before ${secondsText(at.seconds)}, or leave it out.`,
  });
};
