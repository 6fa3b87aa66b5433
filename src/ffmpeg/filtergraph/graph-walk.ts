import { rememberLast } from '../../domain/remember-last.ts';
import type { Graph, GraphFilter } from './graph.ts';

/** What many checks ask about a graph. */
export interface GraphWalk {
  readonly filters: readonly GraphFilter[];
  /** The names of the filters. */
  readonly names: ReadonlySet<string>;
  /** The filter that produces each label: of several, the first. */
  readonly producers: ReadonlyMap<string, GraphFilter>;
  /** The labels before filters: those of other filters, and streams of the inputs. */
  readonly taken: ReadonlySet<string>;
}

/** Walks through a graph once for all checks. */
export const walkOf = rememberLast((graph: Graph): GraphWalk => {
  const filters = graph.chains.flat();
  const names = new Set<string>();
  const producers = new Map<string, GraphFilter>();
  const taken = new Set<string>();
  for (const filter of filters) {
    names.add(filter.name);
    for (const label of filter.inputs) taken.add(label);
    for (const label of filter.outputs) if (!producers.has(label)) producers.set(label, filter);
  }
  return { filters, names, producers, taken };
});
