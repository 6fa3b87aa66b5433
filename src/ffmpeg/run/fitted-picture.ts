import { addOption, hasEdits, withMore } from '../../domain/edit.ts';
import { type Hint, withAdvice } from '../../domain/hint.ts';
import type { GraphFilter } from '../filtergraph/graph.ts';
import { prependFix, replacingFix, sendInstead, withFilter } from './graph-fixes.ts';
import { type ArgvGraph, fieldOf, type MediaFacts } from './media-facts.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Filters that scale a picture to a size, keep its shape with borders, and make its pixels square. */
export const fitFilters = ({ width, height }: Size): string =>
  `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,setsar=1`;

/** Filters that cut a picture to the shape of a size, scale it, and make its pixels square. */
const fillFilters = ({ width: w, height: h }: Size): string =>
  `crop=w='min(iw,ih*${w}/${h})':h='min(ih,iw*${h}/${w})',scale=${w}:${h},setsar=1`;

/**
 * The fix that fits the pictures of a stream into a size: in place of its `scale`, or before its other filters. A `crop` directly before
 * the `scale` was to make its shape, so the fix cuts the picture instead of adding borders.
 */
export function fitFix(facts: MediaFacts, size: Size, before = ''): Hint {
  const fit = `${before}${fitFilters(size)}`;
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex' || !key.startsWith('filter:a'));
  const isSized = fieldOf(facts, 's') !== undefined;
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
  const whole =
    label === undefined || others.length > 0
      ? undefined
      : replacingFix(facts, graph, `[${label}]${fit}[fitted];`, label, 'fitted');
  return whole ?? `Send the filters ${JSON.stringify(fit)} before the others, for each stream of pictures.`;
}

/** undefined if nothing was cut off before the `scale`. */
function fillFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  { scale, size, before }: { readonly scale: GraphFilter; readonly size: Size; readonly before: string },
): Hint | undefined {
  const { chains } = graph.graph;
  const chain = chains.find((one) => one.includes(scale)) ?? [];
  const crop = chain[chain.indexOf(scale) - 1];
  if (crop?.name !== 'crop' || crop.options.length === 0) return undefined;
  const uncut = {
    ...graph,
    graph: { ...graph.graph, chains: chains.map((one) => one.filter((each) => each !== crop)) },
  };
  return withFilter(facts, uncut, { ...scale, inputs: crop.inputs }, `${before}${fillFilters(size)}`, scale);
}
