import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Graph, GraphFilter } from './graph.ts';
import { padCount, padKinds } from './pad-kinds.ts';

/** The labels by which a graph is connected to others. */
interface OuterLabels {
  readonly input: string;
  readonly output: string;
}

/**
 * Returns the chains of a simple graph, which has one input and one output, as a part of a larger graph: its open ends get the
 * labels of `outer`, and its own labels a prefix. undefined if only ffmpeg knows which ends are open.
 */
export function embedGraph(
  { chains }: Graph,
  { input, output }: OuterLabels,
  prefix: string,
  catalogue: Catalogue,
): Graph['chains'] | undefined {
  const filters = chains.flat();
  const produced = new Set(filters.flatMap(({ outputs }) => outputs));
  const used = new Set(filters.flatMap(({ inputs }) => inputs));
  const inner = (outside: string, isConnected: ReadonlySet<string>) => (label: string) =>
    isConnected.has(label) ? `${prefix}${label}` : outside;
  const relabelled = chains.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      inputs: filter.inputs.map(inner(input, produced)),
      outputs: filter.outputs.map(inner(output, used)),
    })),
  );
  const ends = openEnds(relabelled, catalogue);
  if (ends === undefined) return undefined;
  return relabelled.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      inputs: filter === ends.first ? [...filter.inputs, input] : filter.inputs,
      outputs: filter === ends.last ? [...filter.outputs, output] : filter.outputs,
    })),
  );
}

/** The filters whose open pads have no label. Absent if the ends have labels already. */
interface OpenEnds {
  readonly first: GraphFilter | undefined;
  readonly last: GraphFilter | undefined;
}

function openEnds(chains: Graph['chains'], catalogue: Catalogue): OpenEnds | undefined {
  let first: GraphFilter | undefined;
  let last: GraphFilter | undefined;
  for (const chain of chains) {
    let open = 0;
    let before: GraphFilter | undefined;
    for (const filter of chain) {
      const into = padsOf(filter, 'inputs', catalogue);
      const outOf = padsOf(filter, 'outputs', catalogue);
      if (into === undefined || outOf === undefined) return undefined;
      const free = into - filter.inputs.length;
      if (free > open) first ??= filter;
      if (open > free) last = before;
      open = outOf - filter.outputs.length;
      before = filter;
    }
    if (open > 0) last = before;
  }
  return { first, last };
}

const padsOf = (filter: GraphFilter, side: 'inputs' | 'outputs', catalogue: Catalogue): number | undefined =>
  padKinds(filter, side, catalogue)?.length ?? padCount(filter, side, catalogue);
