import type { Hint } from '../../domain/hint.ts';
import type { GraphFilter } from '../filtergraph/graph.ts';
import type { GraphOption } from '../filtergraph/option-list.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { wholeGraphFix } from './graph-fixes.ts';
import { type ArgvGraph, inputStream, type MediaFacts, optionValue, sourceOf, withField } from './media-facts.ts';
import { asksForShape, isAlike, nonSquareMessage } from './picture-checks.ts';

/** A picture of a complex graph whose pixels are not square, because a `scale` changed its shape. */
export function nonSquareGraph(facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] {
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex');
  if (graph === undefined || others.length > 0 || asksForShape(facts)) return [];
  const direct = new Set(pass.used.map(({ output }) => output));
  const [to, ...more] = pass.outputStreams.filter(({ type, index }) => type === 'video' && !direct.has(index));
  const after = to && pass.outputTraits.get(to.index)?.pixelAspect;
  if (to?.width === undefined || to.height === undefined || after === undefined || more.length > 0) return [];
  const before = pass.used.flatMap(({ input, stream, output }) =>
    output === undefined && inputStream(facts, input, stream)?.type === 'video'
      ? [facts.inputs[input]?.traits?.get(stream)?.pixelAspect ?? 1]
      : [],
  );
  if ([1, ...before].some((shape) => isAlike(after, shape) || isAlike(after, 1 / shape))) return [];
  return [
    withField(facts, graph.key, {
      code: 'NON_SQUARE_PIXELS',
      message: nonSquareMessage({ width: to.width, height: to.height }, after),
      fix: shapeFix(facts, graph) ?? KEEP_SHAPE,
    }),
  ];
}

const KEEP_SHAPE =
  'Send -2 instead of one side of "scale", so that the picture keeps its shape, or "setsar=1" behind it if the picture may be stretched.';

/** A filter `scale` that makes pictures of a fixed size. */
interface FixedScale {
  readonly filter: GraphFilter;
  /** Whether the film is laid over a copy of itself that this filter scales to fill the frame, as a background. */
  readonly isBackground: boolean;
}

/** Matches no filter: each on the way to a source counts. */
const NONE = /^$/;

const MAX_DEPTH = 100;

/** The scales that give a filter its shape: of an `overlay`, only the one that makes the picture below. */
function scalesBefore(
  facts: MediaFacts,
  argvGraph: ArgvGraph,
  filter: GraphFilter,
  overlaid: ReadonlySet<number>,
  depth = 0,
): readonly FixedScale[] {
  if (depth > MAX_DEPTH) return [];
  if (filter.name === 'scale' && fixedSize(filter) !== undefined) {
    const source = sourceOf(facts, argvGraph, filter, 0, NONE);
    return [{ filter, isBackground: source !== undefined && overlaid.has(source.input) }];
  }
  const chain = argvGraph.graph.chains.find((one) => one.includes(filter)) ?? [];
  const labelled = filter.inputs.map((label) => argvGraph.filters.find(({ outputs }) => outputs.includes(label)));
  const sources = [...labelled, chain[chain.indexOf(filter) - 1]];
  const above = filter.name === 'overlay' ? sourceOf(facts, argvGraph, filter, 1, NONE)?.input : undefined;
  const all = above === undefined ? overlaid : new Set([...overlaid, above]);
  return sources
    .slice(0, filter.name === 'overlay' ? 1 : undefined)
    .flatMap((one) => (one === undefined ? [] : scalesBefore(facts, argvGraph, one, all, depth + 1)));
}

function fixedSize(filter: GraphFilter): readonly [width: string, height: string] | undefined {
  const [width = '', height = ''] = [optionValue(filter, 'w', 'width'), optionValue(filter, 'h', 'height')];
  return /^[1-9]\d{1,4}$/.test(width) && /^[1-9]\d{1,4}$/.test(height) ? [width, height] : undefined;
}

/** The graph in which each such scale keeps the shape of its picture: with borders, or cut to fill a background. */
function shapeFix(facts: MediaFacts, argvGraph: ArgvGraph): Hint | undefined {
  const { key, graph, filters } = argvGraph;
  const taken = new Set(filters.flatMap(({ inputs }) => inputs));
  const ends = graph.chains.flatMap((chain) => {
    const last = chain.at(-1);
    return last === undefined || last.outputs.some((label) => taken.has(label)) ? [] : [last];
  });
  const found = ends.flatMap((end) => scalesBefore(facts, argvGraph, end, new Set()));
  if (found.length === 0) return undefined;
  const chains = graph.chains.map((chain) =>
    chain.flatMap((one) => {
      const scale = found.find(({ filter }) => filter === one);
      return scale === undefined ? [one] : fitted(scale);
    }),
  );
  return wholeGraphFix(facts, key, { ...graph, chains });
}

function fitted({ filter, isBackground }: FixedScale): readonly GraphFilter[] {
  const [width, height] = fixedSize(filter) ?? ['', ''];
  const ratio = 'force_original_aspect_ratio';
  const plain = (name: string, ...values: readonly string[]): GraphFilter => ({
    inputs: [],
    name,
    options: values.map((value): GraphOption => ({ value })),
    outputs: [],
    at: 0,
  });
  const options = [
    ...filter.options.filter((option) => option.key !== ratio),
    { key: ratio, value: isBackground ? 'increase' : 'decrease' },
  ];
  const frame = isBackground ? plain('crop', width, height) : plain('pad', width, height, '-1', '-1');
  return [{ ...filter, options, outputs: [] }, frame, { ...plain('setsar', '1'), outputs: filter.outputs }];
}
