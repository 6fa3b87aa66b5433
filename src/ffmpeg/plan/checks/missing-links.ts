import { sendMembers, sendOption } from '../../../domain/edit.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { changeFilters } from '../../filtergraph/change-filters.ts';
import { type Graph, type GraphFilter, isGraphError } from '../../filtergraph/graph.ts';
import { walkOf } from '../../filtergraph/graph-walk.ts';
import { padCount } from '../../filtergraph/pads.ts';
import { printGraph } from '../../filtergraph/print.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { padMedia, producedMedia, writtenGraph } from './graph-labels.ts';

/** A filter with inputs that nothing feeds. */
interface ShortFilter {
  readonly filter: GraphFilter;
  readonly missing: number;
}

/**
 * The filters that have fewer inputs than they need. Of a filter whose pads only ffmpeg knows, none counts as missing.
 *
 * @param fed How many inputs of the first filter get a stream without a label: one in a simple graph.
 */
function shortFilters(graph: Graph, catalogue: Catalogue, fed: number): readonly ShortFilter[] {
  return graph.chains.flatMap((chain, index) => {
    let open = index === 0 && chain[0]?.inputs.length === 0 ? fed : 0;
    return chain.flatMap((filter) => {
      const taken = padCount(filter, 'inputs', catalogue) ?? 0;
      const missing = taken - filter.inputs.length - open;
      open = (padCount(filter, 'outputs', catalogue) ?? Number.POSITIVE_INFINITY) - filter.outputs.length;
      return missing > 0 ? [{ filter, missing }] : [];
    });
  });
}

/** The filters that a filter feeds, directly or by others, with itself. */
function fedBy(first: GraphFilter, graph: Graph): ReadonlySet<GraphFilter> {
  const found = new Set([first]);
  for (const filter of found)
    for (const chain of graph.chains)
      for (const [at, one] of chain.entries())
        if (chain[at - 1] === filter || one.inputs.some((label) => filter.outputs.includes(label))) found.add(one);
  return found;
}

/** The first input of the request that feeds a label. */
function inputOf(label: string, graph: Graph): number {
  const [number] = /^\d+(?=:|$)/.exec(label) ?? [];
  if (number !== undefined) return Number(number);
  const producer = walkOf(graph).producers.get(label);
  const inputs = graph.chains
    .flat()
    .filter((one) => producer !== undefined && fedBy(one, graph).has(producer))
    .flatMap((one) => one.inputs.flatMap((source) => /^\d+(?=:|$)/.exec(source) ?? []));
  return Math.min(...inputs.map(Number), Number.POSITIVE_INFINITY);
}

/** The labels before a filter, with those that it lacks: the film before its palette, the first input before the others. */
function joined({ name, inputs }: GraphFilter, added: readonly string[], graph: Graph): readonly string[] {
  const isPalette = (label: string): boolean =>
    graph.chains.flat().some((one) => one.name === 'palettegen' && one.outputs.includes(label));
  const [own, other] = [inputs[0], added[0]];
  if (own === undefined || other === undefined || inputs.length + added.length > 2) return [...inputs, ...added];
  const isSwapped =
    name === 'paletteuse'
      ? isPalette(own) && !isPalette(other)
      : name !== 'amix' && inputOf(other, graph) < inputOf(own, graph);
  return isSwapped ? [...added, ...inputs] : [...inputs, ...added];
}

/**
 * The error for outputs of a graph that nothing uses, if one filter lacks as many inputs: the client forgot to write their
 * labels before it. `[a]palettegen[p];[b]paletteuse` means `[b][p]paletteuse`.
 *
 * @param loose The labels of the graph's outputs that no filter uses.
 * @param mapped The maps of the request. undefined if it has none.
 * @param mapsFor The maps that take what is left, for a request without maps.
 */
export function missingLinks(
  option: ArgvOption,
  graph: Graph,
  loose: readonly string[],
  mapped: readonly string[] | undefined,
  catalogue: Catalogue,
  mapsFor: (labels: readonly string[]) => readonly string[],
): ValueError | undefined {
  const unused = loose.filter((label) => mapped?.includes(`[${label}]`) !== true);
  const isSimple = option.name.name !== 'filter_complex';
  const [short, ...others] = unused.length === 0 ? [] : shortFilters(graph, catalogue, isSimple ? 1 : 0);
  if (short === undefined || others.length > 0) return undefined;
  const { filter, missing } = short;
  const after = fedBy(filter, graph);
  const taken = padMedia(filter, filter.inputs.length, catalogue);
  const added = unused.filter((label) => {
    const producer = walkOf(graph).producers.get(label);
    return (
      producer !== undefined &&
      !after.has(producer) &&
      taken !== undefined &&
      producedMedia(producer, producer.outputs.indexOf(label), catalogue) === taken
    );
  });
  const rest = unused.filter((label) => !added.includes(label));
  // The one output of a simple graph needs no map.
  const isComplete = rest.length === 0 || (isSimple ? rest.length === 1 : mapped === undefined);
  if (added.length !== missing || !isComplete) return undefined;
  const written = writtenGraph(option, graph);
  const inputs = joined(filter, added, graph);
  const text = printGraph(changeFilters(written, (one) => [one.at === filter.at ? { ...one, inputs } : one]));
  const labels = (all: readonly string[]): string => all.map((label) => `[${label}]`).join('');
  const count = padCount(filter, 'inputs', catalogue);
  return {
    code: 'UNUSED_LABEL',
    message: `The filter "${filter.name}" takes ${count} ${count === 1 ? 'input' : 'inputs'} and lacks ${missing}, and nothing uses "${labels(added)}".`,
    fix:
      rest.length === 0 || isSimple
        ? sendOption(sentName(option), text)
        : sendMembers({ [sentName(option)]: text, map: mapsFor(rest) }),
  };
}

/** Whether a change of the labels is possible: the option has one graph, as the client wrote it. */
export const hasOneGraph = ({ graphs = [] }: ArgvOption): boolean => {
  const [only, ...others] = graphs;
  return only !== undefined && others.length === 0 && !isGraphError(only);
};
