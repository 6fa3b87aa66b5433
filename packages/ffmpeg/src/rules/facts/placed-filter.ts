import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import { type ArgvGraph, endAt, type MediaFacts, optionValue, RESIZING, sourceOf, TIMES } from './media-facts.ts';

export class PlacedFilter {
  readonly facts: MediaFacts;
  readonly graph: ArgvGraph;
  readonly filter: GraphFilter;

  constructor(facts: MediaFacts, graph: ArgvGraph, filter: GraphFilter) {
    this.facts = facts;
    this.graph = graph;
    this.filter = filter;
  }

  get name(): string {
    return this.filter.name;
  }

  /** See `optionValue`. */
  option(...names: readonly string[]): string | undefined {
    return optionValue(this.filter, ...names);
  }

  get others(): readonly PlacedFilter[] {
    const { facts, graph, filter } = this;
    return graph.filters.flatMap((one) => (one === filter ? [] : [new PlacedFilter(facts, graph, one)]));
  }

  /** See `sourceOf`. */
  source(pad: number, altering: RegExp) {
    return sourceOf(this.facts, this.graph, this.filter, pad, altering);
  }

  /** The video stream that reaches a pad, and its frame size. undefined: the size is unknown, or a filter on the way changes it. */
  sized(pad = 0) {
    const source = this.source(pad, RESIZING);
    const size = source && this.facts.frameSize(source);
    return source && size && { source, size };
  }

  /** The input that reaches a pad, and its length in seconds. undefined: a filter on the way changes times, or the length is unknown. */
  timed(pad = 0): { readonly input: number; readonly seconds: number } | undefined {
    const input = this.source(pad, TIMES)?.input;
    const seconds = input === undefined ? undefined : this.facts.secondsOfInput(input);
    return input === undefined || seconds === undefined ? undefined : { input, seconds };
  }

  get text(): string {
    return printChanged(this.filter);
  }

  /** See `endAt`. */
  end() {
    return endAt(this.facts, this.graph, this.filter);
  }

  replace(text: string): Hint {
    return withFilter(this.facts, this.graph, this.filter, text);
  }

  /** The fix that sets options of the filter to other values. `aliases`: see `printChanged`. */
  change(values: Readonly<Record<string, string | number>>, aliases?: readonly string[]): Hint {
    return this.replace(printChanged(this.filter, values, aliases));
  }
}

/** Returns the filters with one of the names, in the order of the argv. Without names, returns all filters. */
export const filtersIn = (facts: MediaFacts, ...names: readonly string[]): readonly PlacedFilter[] =>
  facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) =>
      names.length === 0 || names.includes(filter.name) ? [new PlacedFilter(facts, graph, filter)] : [],
    ),
  );
