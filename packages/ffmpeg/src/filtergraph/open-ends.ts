import type { Catalogue } from '../catalogue/catalogue.ts';
import { componentOf } from '../catalogue/components.ts';
import type { Graph, GraphFilter } from './graph.ts';
import { type PadSide, padCount, padKinds } from './pad-kinds.ts';

/** The pads of a graph that have no link and no label. */
export interface OpenEnds {
  readonly inputs: number;
  readonly outputs: number;
  /** The filter with the first open input. */
  readonly first: GraphFilter | undefined;
  /** The filter with the last open output. */
  readonly last: GraphFilter | undefined;
}

/** Finds the pads without link and label. undefined: only ffmpeg knows how many pads a filter has. */
export function openEnds(chains: Graph['chains'], catalogue: Catalogue): OpenEnds | undefined {
  let [inputs, outputs] = [0, 0];
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
      inputs += Math.max(0, free - open);
      outputs += Math.max(0, open - free);
      if (free > open) first ??= filter;
      if (open > free) last = before;
      open = outOf - filter.outputs.length;
      before = filter;
    }
    outputs += open;
    if (open > 0) last = before;
  }
  return { inputs, outputs, first, last };
}

/** Filters that only the service sends are not in the catalogue. They have one input and one output. */
const padsOf = (filter: GraphFilter, side: PadSide, catalogue: Catalogue): number | undefined =>
  padKinds(filter, side, catalogue)?.length ??
  padCount(filter, side, catalogue) ??
  (componentOf(catalogue, 'filter', filter.name) === undefined ? 1 : undefined);
