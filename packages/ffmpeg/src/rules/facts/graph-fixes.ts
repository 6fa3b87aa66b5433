import { addOption, type Edits, hasEdits, orElse, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import { changeFilters, type Graph, type GraphFilter, printFilter, printGraph } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { type ArgvGraph, type FrameSize, filterBefore, type MediaFacts } from './media-facts.ts';

/** The maximum length of a graph in a fix, in characters. */
const MAX_LENGTH = 900;

export const newFilter = (
  name: string,
  options: readonly GraphOption[] = [],
  { inputs = [], outputs = [] }: Partial<Pick<GraphFilter, 'inputs' | 'outputs'>> = {},
): GraphFilter => ({ inputs, name, options, outputs, at: 0 });

/** Returns a chain of `filter` and `next`. `next` gets the output labels of `filter`. */
export const followedBy = (filter: GraphFilter, next: GraphFilter): readonly GraphFilter[] => [
  { ...filter, outputs: [] },
  { ...next, outputs: filter.outputs },
];

/** A placeholder for the filter that a fix replaces. No graph contains this text. */
const PLACE = newFilter('telecineplace');

/** True if a graph names files, such as `in/0.ass`. The client does not know these internal names, so a fix cannot contain them. */
export const namesFiles = (text: string): boolean => /\b(?:in|out|pass)\//.test(text);

/** Returns the fix that sends a whole graph. undefined: the graph is too long, or contains names of files. */
export const sendGraphText = (facts: MediaFacts, key: string, text: string): Edits | undefined =>
  text.length > MAX_LENGTH || namesFiles(text) ? undefined : sendOption(facts.sentNameOf(key), text);

/**
 * Prints a filter without labels and with new values for some options. Positional values must already have names: `w=640`, not `640`.
 *
 * @param aliases Other names of the new options, such as `width` for `w`. They are removed, because they would contradict the new values.
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
 * Returns the fix that replaces one filter of a graph by `text`. It repeats the whole graph if the graph is short, else only `text`.
 *
 * @param filter The filter to replace, with the labels for the new text.
 * @param original The filter in the graph, if `filter` has other labels than that filter.
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

/** The fix that names only the changed filter, and does not repeat the rest of the graph. */
export const sendFilter = (text: string): string => `Send the filter as ${JSON.stringify(text)}.`;

export const sendInstead = (left: string, name: string, value: string | readonly string[]): Edits =>
  withMore(sendOption(name, value), { do: 'remove', name: left });

/** Adds an alternative to the end of a fix. */
export const withChoice = (fix: Hint, or: string): Hint =>
  hasEdits(fix) ? orElse(fix, or) : withAdvice(fix, `Or ${or}.`);

/** Returns the fix that puts filters before the other filters of `vf` or `af`. */
export function prependFix(facts: MediaFacts, { key, graph }: ArgvGraph, text: string): Hint {
  const whole = `${text},${printGraph(graph)}`;
  const begins = graph.chains[0]?.[0]?.inputs.length === 0;
  return (
    (begins ? sendGraphText(facts, key, whole) : undefined) ??
    `Send the filters ${JSON.stringify(text)} before the others in "${facts.sentNameOf(key)}".`
  );
}

/** Returns the fix that filters a mapped stream in a chain of its own. `input`: the stream. `label`: the output of the chain. */
export const addChainFix = (facts: MediaFacts, { key }: ArgvGraph, input: string, filters: string, label: string) =>
  `Add ${JSON.stringify(`;[${input}]${filters}[${label}]`)} to "${facts.sentNameOf(key)}", and send "[${label}]" in "map" instead of this stream.`;

export const wholeGraphFix = (facts: MediaFacts, key: string, graph: Graph): Edits | undefined =>
  sendGraphText(facts, key, printGraph(graph));

/**
 * Returns the fix that puts the chain `before` in front of a graph. Filters that read `label` then read `replacement`, a label of `before`.
 * `only`: the one filter to change. undefined: the graph is too long, or contains names of files.
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

type Size = Pick<FrameSize, 'width' | 'height'>;

/** Returns filters that scale a video into a size, add borders to keep its aspect ratio, and make its pixels square. */
const fitFilters = ({ width, height }: Size): string =>
  `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,setsar=1`;

/** Returns filters that crop a video to the aspect ratio of a size, scale it to this size, and make its pixels square. */
const fillFilters = ({ width: w, height: h }: Size): string =>
  `crop=w='min(iw,ih*${w}/${h})':h='min(ih,iw*${h}/${w})',scale=${w}:${h},setsar=1`;

/** Returns the fix that fits a video into a size, with borders. With a `crop` directly before the `scale`, the fix crops instead. */
export function fitFix(facts: MediaFacts, size: Size, before = ''): Hint {
  const fit = `${before}${fitFilters(size)}`;
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex' || !key.startsWith('filter:a'));
  const isSized = facts.fieldOf('s') !== undefined;
  if (graph === undefined) return isSized ? sendInstead('s', 'vf', fit) : addOption('vf', fit);
  if (others.length > 0) return `Send the filters ${JSON.stringify(fit)} first.`;
  const scale = graph.filters.find(({ name, outputs }) => name === 'scale' && outputs.length < 2);
  if (scale !== undefined) return fillFix(facts, graph, scale, size, before) ?? withFilter(facts, graph, scale, fit);
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

/** Returns the fix for a `crop` directly before the `scale`. undefined: there is none. */
function fillFix(facts: MediaFacts, graph: ArgvGraph, scale: GraphFilter, size: Size, before: string) {
  const crop = filterBefore(graph, scale);
  if (crop?.name !== 'crop' || crop.options.length === 0) return undefined;
  const uncut = { ...graph, graph: changeFilters(graph.graph, (one) => (one === crop ? [] : [one])) };
  return withFilter(facts, uncut, { ...scale, inputs: crop.inputs }, `${before}${fillFilters(size)}`, scale);
}
