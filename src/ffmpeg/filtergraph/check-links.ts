import { closestMatch } from '../../domain/closest-match.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { quoted, sendInstead, type ValueError } from '../values/value-error.ts';
import type { Graph, GraphFilter } from './graph.ts';
import { hasCountOption, type PadSide, padCount } from './pads.ts';

/**
 * The option that contains the graph. A graph in `filter` (simple) has one input and one output, and cannot refer to
 * inputs of the request.
 */
export type GraphContext = { readonly kind: 'simple' } | { readonly kind: 'complex'; readonly inputs: number };

/** `[1:v:0]`, `[0]`: streams of the inputs. */
const STREAMS = /^(\d{1,4})(?::.*)?$/;

/**
 * Checks the labels of a graph: each output is used once, each stream label refers to an existing input, and
 * no filter has more labels than pads. Appends problems to `errors`.
 *
 * @returns The output labels that no filter uses, for `map`.
 */
export function checkLinks(
  graph: Graph,
  place: GraphContext,
  catalogue: Catalogue,
  errors: ValueError[],
): readonly string[] {
  const filters = graph.chains.flat();
  const produced = new Set(filters.flatMap(({ outputs }) => outputs));
  const { waiting, loose } = connect(filters, errors);
  for (const label of waiting) {
    if (produced.has(label)) errors.push(twice(label, 'used by two filters'));
    else {
      // Only the first error gets a suggestion: comparing all labels of a graph with each other takes seconds.
      const error = checkSource(label, place, errors.length === 0 ? produced : []);
      if (error !== undefined) errors.push(error);
    }
  }
  for (const filter of filters) checkPads(filter, catalogue, errors);
  if (place.kind === 'simple') checkSimple(graph, loose.length, catalogue, errors);
  return loose;
}

/**
 * Connects labels in the order of ffmpeg's parser: a label connects to the open end of that name, and can then be used
 * again (`split=2[m][v],[v]negate[v],[m][v]hstack`). Two open ends of one name at the same time are an error.
 *
 * @returns The labels that wait for an output, and the labels of outputs that nothing uses.
 */
function connect(
  filters: readonly GraphFilter[],
  errors: ValueError[],
): { readonly waiting: readonly string[]; readonly loose: readonly string[] } {
  const waiting = new Map<string, number>();
  const loose = new Set<string>();
  for (const { inputs, outputs } of filters) {
    for (const label of inputs) if (!loose.delete(label)) waiting.set(label, (waiting.get(label) ?? 0) + 1);
    for (const label of outputs) {
      const uses = waiting.get(label) ?? 0;
      if (uses > 1) waiting.set(label, uses - 1);
      else if (uses === 1) waiting.delete(label);
      else if (loose.has(label)) errors.push(twice(label, 'produced by two filters'));
      else loose.add(label);
    }
  }
  return { waiting: [...waiting.keys()], loose: [...loose] };
}

function checkSource(label: string, place: GraphContext, candidates: Iterable<string>): ValueError | undefined {
  const index = STREAMS.exec(label)?.[1];
  if (place.kind === 'simple') {
    if (label === 'in') return undefined;
    return {
      code: 'UNKNOWN_LABEL',
      message: `No filter produces ${bracketed(label)}, and "filter" cannot use streams of inputs.`,
      fix: 'Send "filter_complex" for graphs with several inputs.',
    };
  }
  if (index === undefined) {
    const near = closestMatch(label, candidates);
    return {
      code: 'UNKNOWN_LABEL',
      message: `No filter produces the label ${bracketed(label)}.`,
      fix:
        near === undefined
          ? 'Use a stream of an input, such as [0:v], or the output of a filter.'
          : sendInstead(`[${near}]`),
    };
  }
  if (Number(index) < place.inputs) return undefined;
  return {
    code: 'NO_SUCH_INPUT',
    message: `${bracketed(label)} refers to an input that the request does not have.`,
    allowed: [place.inputs === 1 ? '0' : `0 to ${place.inputs - 1}`],
    fix: 'Count inputs from 0 in the order of "inputs", without files that only a filter reads.',
  };
}

function checkPads(filter: GraphFilter, catalogue: Catalogue, errors: ValueError[]): void {
  const check = (side: PadSide, where: string): void => {
    const labels = filter[side];
    const pads = padCount(filter, side, catalogue);
    if (pads === undefined || labels.length <= pads) return;
    const count = pads === 0 ? `no ${side}` : `${pads} ${pads === 1 ? side.slice(0, -1) : side}`;
    const more = hasCountOption(filter, side) ? `, or send "${side}=${labels.length}" in the filter` : '';
    errors.push({
      code: 'TOO_MANY_LABELS',
      message: `The filter "${filter.name}" has ${count}, but ${labels.length} labels come ${where} it.`,
      fix: `Remove ${bracketed(labels.at(-1) ?? '')}${more}.`,
    });
  };
  check('inputs', 'before');
  check('outputs', 'after');
}

/** Counts the unconnected pads of a graph. Returns undefined if only ffmpeg knows how many pads a filter has. */
function openEnds(
  graph: Graph,
  catalogue: Catalogue,
): { readonly inputs: number; readonly outputs: number } | undefined {
  let inputs = 0;
  let outputs = 0;
  for (const chain of graph.chains) {
    let open = 0;
    for (const filter of chain) {
      const into = padCount(filter, 'inputs', catalogue);
      const outOf = padCount(filter, 'outputs', catalogue);
      if (into === undefined || outOf === undefined) return undefined;
      const free = into - filter.inputs.length;
      inputs += Math.max(0, free - open);
      outputs += Math.max(0, open - free);
      open = outOf - filter.outputs.length;
    }
    outputs += open;
  }
  return { inputs, outputs };
}

/** @param loose Number of output labels that no filter uses; ffmpeg ignores their names. */
function checkSimple(graph: Graph, loose: number, catalogue: Catalogue, errors: ValueError[]): void {
  const open = openEnds(graph, catalogue);
  if (open === undefined || errors.length > 0) return;
  const named = graph.chains.flat().some((filter) => filter.inputs.includes('in'));
  const inputs = open.inputs + (named ? 1 : 0);
  const outputs = open.outputs + loose;
  if (inputs === 1 && outputs === 1) return;
  errors.push({
    code: 'NOT_SIMPLE',
    message: `"filter" needs a graph with one input and one output; this graph has ${inputs} and ${outputs}.`,
    fix: 'Send it as "filter_complex" with labels for its inputs, and "map" its outputs.',
  });
}

const bracketed = (label: string): string => quoted(`[${label}]`);

const twice = (label: string, what: string): ValueError => ({
  code: 'LABEL_TWICE',
  message: `The label ${bracketed(label)} is ${what}.`,
  fix: 'Give each link its own label; "split" and "asplit" duplicate a stream.',
});
