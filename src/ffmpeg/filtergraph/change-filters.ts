import type { Graph, GraphFilter } from './graph.ts';

/** Returns the graph with each filter replaced by the filters that `change` returns for it. */
export const changeFilters = (graph: Graph, change: (filter: GraphFilter) => readonly GraphFilter[]): Graph => ({
  ...graph,
  chains: graph.chains.map((chain) => chain.flatMap(change)),
});
