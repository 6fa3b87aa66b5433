import { TIMES } from './filter-effects.ts';
import { type ArgvGraph, type MediaFacts, pathOf, secondsOf, secondsText, sourceOf } from './media-facts.ts';

/** The seconds of the stream that reaches a filter, and the words that say so. undefined if unknown. */
export function secondsAt(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: ArgvGraph['filters'][number],
  pad = 0,
): { readonly seconds: number; readonly what: string } | undefined {
  const source = sourceOf(facts, graph, filter, pad, TIMES);
  const seconds = source && secondsOf(facts, source.input);
  if (source === undefined || seconds === undefined || seconds <= 0) return undefined;
  const { start = 0, duration, end } = facts.plan.span.output;
  const cut = duration === undefined ? end : start + duration;
  const isCut = cut !== undefined && cut < seconds;
  return {
    seconds: isCut ? cut : seconds,
    what: isCut
      ? `the output ends at ${secondsText(cut)}`
      : `${pathOf(facts, source.input)} has only ${secondsText(seconds)}`,
  };
}
