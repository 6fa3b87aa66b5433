import { addOption, type Edits, hasEdits, orElse, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import {
  changeFilters,
  type Graph,
  type GraphChain,
  type GraphFilter,
  printFilter,
  printGraph,
} from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { type ArgvGraph, filterBefore, type MediaFacts } from './media-facts.ts';

/** The maximum length of a graph in a fix, in characters. */
const MAX_LENGTH = 900;

export const newFilter = (
  name: string,
  options: readonly GraphOption[] = [],
  { inputs = [], outputs = [] }: Partial<Pick<GraphFilter, 'inputs' | 'outputs'>> = {},
): GraphFilter => ({ inputs, name, options, outputs, at: 0 });

/** Returns a chain of `filter` and `next`. `next` gets the output labels of `filter`. */
export const followedBy = (filter: GraphFilter, next: GraphFilter): GraphChain => [
  { ...filter, outputs: [] },
  { ...next, outputs: filter.outputs },
];

/** A placeholder for the filter that a fix replaces. No graph contains this text. */
const PLACE = newFilter('telecineplace');

/** True if a graph contains the names of files. These are internal names that the client does not know. */
export const namesFiles = (text: string): boolean => /\b(?:in|out|pass)\//.test(text);

/** Returns the fix that sends a whole graph. undefined: the graph is too long, or contains names of files. */
export const sendGraphText = (facts: MediaFacts, key: string, text: string): Edits | undefined =>
  text.length > MAX_LENGTH || namesFiles(text) ? undefined : sendOption(facts.sentNameOf(key), text);

/**
 * Prints a filter without labels, and with new values for some options. Every option of the filter must have its name.
 *
 * @param aliases Other names of the new options. Options with these names are removed, because they would contradict the new values.
 */
export function printChanged(
  filter: GraphFilter,
  values: Readonly<Record<string, string | number>> = {},
  aliases: readonly string[] = [],
): string {
  const replaced = new Set([...Object.keys(values), ...aliases]);
  const kept = filter.options.filter(({ key }) => key === undefined || !replaced.has(key));
  const added = Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));
  return printFilter({ ...filter, inputs: [], options: [...kept, ...added], outputs: [] });
}

/**
 * Returns the fix that replaces one filter of a graph by other text. A short graph is sent as a whole.
 *
 * @param filter The filter, with the labels that the new text keeps.
 * @param original The filter as it is in the graph, if its labels differ.
 */
export function withFilter(
  facts: MediaFacts,
  { key, graph }: ArgvGraph,
  filter: GraphFilter,
  text: string,
  original: GraphFilter = filter,
): Hint {
  const chains = graph.chains.map((chain) =>
    chain.map((one) => (one === original ? { ...PLACE, inputs: filter.inputs, outputs: filter.outputs } : one)),
  );
  const whole = printGraph({ ...graph, chains }).replace(PLACE.name, () => text);
  return sendGraphText(facts, key, whole) ?? sendFilter(text);
}

/** The fix that names only one filter. It does not repeat the other filters of the option. */
export const sendFilter = (text: string): string => `Send the filter as ${JSON.stringify(text)}.`;

/** The fix that removes the option `left` and sends the option `name` instead. */
export const sendInstead = (left: string, name: string, value: string | readonly string[]): Edits =>
  withMore(sendOption(name, value), { do: 'remove', name: left });

/** Adds an alternative to the end of a fix. */
export const withChoice = (fix: Hint, or: string): Hint =>
  hasEdits(fix) ? orElse(fix, or) : withAdvice(fix, `Or ${or}.`);

/** Returns the fix that puts filters before a graph with a single input stream. */
export function prependFix(facts: MediaFacts, { key, graph }: ArgvGraph, text: string): Hint {
  const whole = `${text},${printGraph(graph)}`;
  const begins = graph.chains[0]?.[0]?.inputs.length === 0;
  return (
    (begins ? sendGraphText(facts, key, whole) : undefined) ??
    `Send the filters ${JSON.stringify(text)} before the others in "${facts.sentNameOf(key)}".`
  );
}

export const wholeGraphFix = (facts: MediaFacts, key: string, graph: Graph): Edits | undefined =>
  sendGraphText(facts, key, printGraph(graph));

/**
 * Returns the fix that puts `before` in front of a graph and replaces an input label. The new label applies to the filter `only`, or to all
 * filters. undefined: the graph is too long, or contains names of files.
 */
export function replacingFix(
  facts: MediaFacts,
  { key, graph }: ArgvGraph,
  before: string,
  label: string,
  replacement: string,
  only?: GraphFilter,
): Edits | undefined {
  const replace = (filter: GraphFilter): GraphFilter =>
    only === undefined || only === filter
      ? { ...filter, inputs: filter.inputs.map((one) => (one === label ? replacement : one)) }
      : filter;
  return sendGraphText(facts, key, `${before}${printGraph(changeFilters(graph, (filter) => [replace(filter)]))}`);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Filters that scale a video to a size, add borders to keep its aspect ratio, and make its pixels square. */
const fitFilters = ({ width, height }: Size): string =>
  `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,setsar=1`;

/** Filters that crop a video to the aspect ratio of a size, scale it, and make its pixels square. */
const fillFilters = ({ width: w, height: h }: Size): string =>
  `crop=w='min(iw,ih*${w}/${h})':h='min(ih,iw*${h}/${w})',scale=${w}:${h},setsar=1`;

/**
 * Returns the fix that fits a video into a size. It replaces the `scale`, or comes before the other filters. If a `crop` stands directly
 * before the `scale`, the fix crops the video instead of adding borders.
 */
export function fitFix(facts: MediaFacts, size: Size, before = ''): Hint {
  const fit = `${before}${fitFilters(size)}`;
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex' || !key.startsWith('filter:a'));
  const isSized = facts.fieldOf('s') !== undefined;
  if (graph === undefined) return isSized ? sendInstead('s', 'vf', fit) : addOption('vf', fit);
  if (others.length > 0) return `Send the filters ${JSON.stringify(fit)} first.`;
  const scale = graph.filters.find(({ name, outputs }) => name === 'scale' && outputs.length < 2);
  if (scale !== undefined)
    return fillFix(facts, graph, { scale, size, before }) ?? withFilter(facts, graph, scale, fit);
  if (graph.key === 'filter_complex') return fitInComplexGraph(facts, graph, fit);
  const fix = prependFix(facts, graph, fit);
  if (!isSized) return fix;
  return hasEdits(fix) ? withMore(fix, { do: 'remove', name: 's' }) : withAdvice(fix, 'Leave "s" out.');
}

function fitInComplexGraph(facts: MediaFacts, graph: ArgvGraph, fit: string): Hint {
  const labels = graph.filters.flatMap(({ inputs }) => inputs.filter((one) => /^\d+(?::v.*)?$/.test(one)));
  const [label, ...others] = labels;
  const isOne = label !== undefined && others.length === 0;
  return (
    (isOne ? replacingFix(facts, graph, `[${label}]${fit}[fitted];`, label, 'fitted') : undefined) ??
    `Send the filters ${JSON.stringify(fit)} before the others, for each video stream.`
  );
}

/** Returns the fix that crops the video. undefined: there is no `crop` before the `scale`. */
function fillFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  { scale, size, before }: { readonly scale: GraphFilter; readonly size: Size; readonly before: string },
): Hint | undefined {
  const crop = filterBefore(graph, scale);
  if (crop?.name !== 'crop' || crop.options.length === 0) return undefined;
  const uncut = { ...graph, graph: changeFilters(graph.graph, (one) => (one === crop ? [] : [one])) };
  return withFilter(facts, uncut, { ...scale, inputs: crop.inputs }, `${before}${fillFilters(size)}`, scale);
}
