import type { GraphFilter } from '../../filtergraph/graph.ts';
import { rateText, readRate } from '../../values/rate.ts';
import { newFilter, printChanged } from './graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue } from './media-facts.ts';
import { PlacedFilter } from './placed-filter.ts';

/** Filters that set a frame rate, whatever the rate of their input is. */
const SETS_RATE: ReadonlySet<string> = new Set(['fps', 'framerate', 'minterpolate', 'zoompan']);

export const setsRate = ({ name }: Pick<GraphFilter, 'name'>): boolean => SETS_RATE.has(name);

/** Filters that reject an input without a frame rate. */
const NEEDS_RATE: ReadonlySet<string> = new Set(['decimate', 'detelecine', 'telecine', 'xfade']);

/** Filters that change the frame rate or the time base. */
const CHANGES_RATE =
  /^(?:fps|framerate|minterpolate|zoompan|settb|decimate|framestep|(?:de)?telecine|dejudder|separatefields|tinterlace|(?:bw|w3f|est)dif|yadif|nnedi|concat|xfade|tile)$/;

/** Options of an output by which the frame rate or the time base is known, whatever the filters do. */
const SETS_OUTPUT_RATE = /^-(?:r|fpsmax|enc_time_base|target)(?::|$)/;

/** The last filter after which a stream still has no frame rate, and the filter that reads it and needs a rate. */
export interface RatelessEnd {
  readonly last: GraphFilter;
  readonly needing?: string;
}

/** Follows a stream that has no frame rate after a filter. undefined: a filter sets a rate, or the way is not clear. */
export function ratelessEnd({ graph: { graph, filters }, filter }: PlacedFilter): RatelessEnd | undefined {
  let last = filter;
  for (const _ of filters) {
    const next = followerOf(graph.chains, last);
    if (next === 'unclear') return undefined;
    if (next === undefined) return { last };
    const { filter, pad } = next;
    if (NEEDS_RATE.has(filter.name)) return { last, needing: filter.name };
    // With several inputs, the first one sets the rate. Only `concat` needs all.
    if (setsRate(filter) || (pad > 0 && filter.name !== 'concat')) return undefined;
    last = filter;
  }
  return undefined;
}

/** The filter that reads the output of another, and by which pad. undefined: the output leaves the graph. */
function followerOf(
  chains: ArgvGraph['graph']['chains'],
  filter: GraphFilter,
): { readonly filter: GraphFilter; readonly pad: number } | 'unclear' | undefined {
  const chain = chains.find((one) => one.includes(filter)) ?? [];
  const next = chain[chain.indexOf(filter) + 1];
  const [label, ...others] = filter.outputs;
  if (next !== undefined) return label === undefined ? { filter: next, pad: next.inputs.length } : 'unclear';
  if (label === undefined) return undefined;
  // A `concat` of video and audio has its video first.
  const isJoined = filter.name === 'concat' && (optionValue(filter, 'v') ?? '1') === '1';
  if (others.length > 0 && !isJoined) return 'unclear';
  const reader = chains.flat().find(({ inputs }) => inputs.includes(label));
  return reader && { filter: reader, pad: reader.inputs.indexOf(label) };
}

/** True if the output has no known frame rate after `setpts`, unless a later filter sets one. */
export const losesRate = ({ plan, argv }: MediaFacts): boolean =>
  plan.setptsLosesRate === true && !argv.slice(argv.lastIndexOf('-i') + 2).some((word) => SETS_OUTPUT_RATE.test(word));

/** Inputs whose time base is much finer than a frame. Tested with ffmpeg 7.1. */
const FINE = /\b(?:mov|mp4|matroska|webm|mpegts)\b/;

/** The frame rate of the video that reaches a filter. `isFine`: its time base is much finer than a frame. undefined: unknown. */
export function rateBefore(at: PlacedFilter): { readonly rate: number; readonly isFine: boolean } | undefined {
  const { facts } = at;
  const source = at.source(0, CHANGES_RATE);
  if (source === undefined) {
    const chain = at.graph.graph.chains.find((one) => one.includes(at.filter)) ?? [];
    const changing = chain.slice(0, chain.indexOf(at.filter)).findLast(({ name }) => CHANGES_RATE.test(name));
    const rate = changing?.name === 'fps' ? readRate(optionValue(changing, 'fps') ?? '') : undefined;
    return rate === undefined ? undefined : { rate, isFine: false };
  }
  const { input, stream } = source;
  const args = facts.inputArgs(input);
  if (args.some((word) => /^-(?:r|framerate)(?::|$)/.test(word))) return undefined;
  const rate = facts.traitsOf(input, stream.index)?.baseRate ?? stream.fps;
  return rate === undefined ? undefined : { rate, isFine: FINE.test(facts.inputs[input]?.demuxer ?? '') };
}

/** Prints a `setpts` for a fix that puts it after a filter. */
export function setptsAfter({ facts, graph: { key, graph }, filter }: PlacedFilter, expression: string): string {
  const setpts = newFilter('setpts', [{ value: expression }], { outputs: filter.outputs });
  const chains = graph.chains.map((chain) =>
    chain.flatMap((one) => (one === filter ? [{ ...one, outputs: [] }, setpts] : [one])),
  );
  return printSetpts(facts, key, chains, setpts);
}

/** Prints a `setpts` for a fix that puts it before the filters of `graph`, or alone into `vf`. */
export function setptsBefore(facts: MediaFacts, graph: ArgvGraph | undefined, expression: string): string {
  const setpts = newFilter('setpts', [{ value: expression }]);
  const {
    key = 'filter:v',
    graph: {
      chains: [first = [], ...others],
    } = { chains: [] },
  } = graph ?? {};
  return printSetpts(facts, key, [[setpts, ...first], ...others], setpts);
}

/** Prints a `setpts` for a fix that filters an input in a chain of its own. `input`: its label, such as `0:v`. */
export function setptsOf(facts: MediaFacts, input: string, expression: string): string {
  const setpts = newFilter('setpts', [{ value: expression }], { inputs: [input] });
  return printSetpts(facts, 'filter_complex', [[setpts]], setpts);
}

/** Prints a `setpts` of the graph of a fix. `fps` follows if the build loses the frame rate, and no other filter restores it. */
function printSetpts(
  facts: MediaFacts,
  key: string,
  chains: ArgvGraph['graph']['chains'],
  setpts: GraphFilter,
): string {
  const at = new PlacedFilter(facts, { key, graph: { chains }, filters: chains.flat() }, setpts);
  const known = losesRate(facts) && ratelessEnd(at) !== undefined ? rateBefore(at) : undefined;
  const text = printChanged(setpts);
  return known === undefined ? text : `${text},fps=${rateText(known.rate)}`;
}
