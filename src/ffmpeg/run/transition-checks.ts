import { MIN_CUT_SECONDS, MIN_CUT_SHARE, meantSeconds, roundedDown } from './fade-checks.ts';
import { TIMES } from './filter-effects.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import { optionValue, pathOf, secondsIn, secondsOfInput, secondsText, sourceOf, withField } from './media-facts.ts';
import { endAt } from './seconds-at.ts';
import type { FilterCheck } from './time-checks.ts';

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
