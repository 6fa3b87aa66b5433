import { TIMES } from './filter-effects.ts';
import { type ArgvGraph, type MediaFacts, pathOf, secondsOfInput, secondsText, sourceOf } from './media-facts.ts';

/** Filters that end with the longest of their inputs, or change times. */
const LENGTHS = new RegExp(
  `${TIMES.source}|^(?:amix|amerge|join|[hvx]stack|overlay|blend|lut2|mergeplanes|zoompan|framerate)$`,
);

/** Where the stream that reaches a filter ends at the latest: with its input, or with the output. undefined if unknown. */
export function endAt(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: ArgvGraph['filters'][number],
): { readonly seconds: number; readonly what: string } | undefined {
  const source = sourceOf(facts, graph, filter, 0, LENGTHS);
  if (source === undefined) return undefined;
  const own = secondsOfInput(facts, source.input);
  const ends =
    own === undefined || own <= 0
      ? []
      : [{ seconds: own, what: `${pathOf(facts, source.input)} has only ${secondsText(own)}` }];
  // After filters that change times, the end of the output is another time of this one.
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => TIMES.test(name)))) return ends[0];
  const { start = 0, duration, end } = facts.plan.span.output;
  const last = duration === undefined ? end : start + duration;
  if (last !== undefined) ends.push({ seconds: last, what: `the output ends at ${secondsText(last)}` });
  if (facts.argv.includes('-shortest'))
    for (const input of new Set(facts.used.map((one) => one.input))) {
      const other = input === source.input ? undefined : secondsOfInput(facts, input);
      if (other !== undefined)
        ends.push({
          seconds: other,
          what: `"shortest" ends the output with ${pathOf(facts, input)} (${secondsText(other)})`,
        });
    }
  return ends.toSorted((a, b) => a.seconds - b.seconds)[0];
}
