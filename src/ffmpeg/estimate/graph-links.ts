import type { GraphChain } from '../filtergraph/graph.ts';
import { isGraphError } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { afterFilter } from './filter-effects.ts';
import { type Link, NoEstimate } from './link.ts';

const chainsOf = (text: string): readonly GraphChain[] => {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new NoEstimate('The filtergraph is not estimated.');
  return graph.chains;
};

/** Returns the stream after the filters of one stream (`filter:v`). Throws `NoEstimate`. */
export function filtered(text: string, input: Link): Link {
  const chains = chainsOf(text);
  const links = labelled(chains, (label) => (label === undefined || label === 'in' ? input : undefined));
  const result = links.get('out') ?? links.get('') ?? [...links.values()].at(-1);
  if (result === undefined) throw new NoEstimate('The filtergraph has no output.');
  return result;
}

/**
 * Returns the streams that a graph (`filter_complex`) leaves, by label. Throws `NoEstimate`.
 *
 * @param streamOf The stream of an input with this label, such as `0:v`; undefined if there is none.
 */
export const graphOutputs = (text: string, streamOf: (label: string) => Link | undefined): ReadonlyMap<string, Link> =>
  labelled(chainsOf(text), (label) => (label === undefined ? undefined : streamOf(label)));

/** Follows the links of all chains, in any order of the chains. An output without a label is ''. */
function labelled(
  chains: readonly GraphChain[],
  streamOf: (label: string | undefined) => Link | undefined,
): ReadonlyMap<string, Link> {
  const links = new Map<string, Link>();
  let waiting = chains;
  while (waiting.length > 0) {
    const left = waiting.filter((chain) => !follow(chain, links, streamOf));
    if (left.length === waiting.length)
      throw new NoEstimate('The filtergraph reads a stream that is not known before the job runs.');
    waiting = left;
  }
  return links;
}

/** Adds the outputs of a chain. False if it reads a label that no chain has written yet. */
function follow(
  chain: GraphChain,
  links: Map<string, Link>,
  streamOf: (label: string | undefined) => Link | undefined,
): boolean {
  const written = new Map<string, Link>();
  const read = new Set<string>();
  let open: readonly Link[] = [];
  for (const [index, filter] of chain.entries()) {
    const named = filter.inputs.map((label) => written.get(label) ?? links.get(label) ?? streamOf(label));
    if (named.includes(undefined)) return false;
    for (const label of filter.inputs) if (!written.delete(label)) read.add(label);
    const unlabelled = index === 0 && named.length === 0 ? streamOf(undefined) : undefined;
    const inputs = [...(named as readonly Link[]), ...open, ...(unlabelled === undefined ? [] : [unlabelled])];
    const outputs = afterFilter(filter, inputs);
    for (const [at, label] of filter.outputs.entries()) {
      const link = outputs[at];
      if (link !== undefined) written.set(label, link);
    }
    open = outputs.slice(filter.outputs.length);
  }
  // A label is used once: what a filter has read is no output of the graph.
  for (const label of read) links.delete(label);
  for (const [label, link] of written) links.set(label, link);
  const [last] = open;
  if (last !== undefined) links.set('', last);
  return true;
}
