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

const walks = new WeakMap<Graph, GraphWalk>();

/** Walks through a graph once for all checks. */
export function walkOf(graph: Graph): GraphWalk {
  const known = walks.get(graph);
  if (known !== undefined) return known;
  const filters = graph.chains.flat();
  const names = new Set<string>();
  const producers = new Map<string, GraphFilter>();
  const taken = new Set<string>();
  for (const filter of filters) {
    names.add(filter.name);
    for (const label of filter.inputs) taken.add(label);
    for (const label of filter.outputs) if (!producers.has(label)) producers.set(label, filter);
  }
  const walk = { filters, names, producers, taken };
  walks.set(graph, walk);
  return walk;
}
