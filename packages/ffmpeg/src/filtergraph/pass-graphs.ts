import type { Graph, GraphChain, GraphFilter } from './graph.ts';

export interface PassGraphs {
  readonly first: Graph;
  readonly second: Graph;
}

/** The filters that replace one filter in each of two passes. */
type PassFilters = readonly [first: readonly GraphFilter[], second: readonly GraphFilter[]];

export function splitPasses(
  graph: Graph,
  split: (filter: GraphFilter, index: number, chain: GraphChain) => PassFilters,
) {
  const chains = graph.chains.map((chain) => chain.map(split));
  const passOf = (pass: 0 | 1): Graph => ({
    ...graph,
    chains: chains.map((chain) => chain.flatMap((one) => one[pass])),
  });
  return { first: passOf(0), second: passOf(1) };
}

/** True if the frames of a filter go directly to the next filter of its chain, without a label. */
export const feedsNext = (filter: GraphFilter | undefined, next: GraphFilter | undefined): boolean =>
  filter?.outputs.length === 0 && next?.inputs.length === 0;
