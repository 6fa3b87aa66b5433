import type { OptionText } from '@telecine/contract/domain/conversion.ts';
import { type Edits, editsText, sendMembers, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { holdsNoAudio } from '../../allowlist/containers.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import {
  type Graph,
  type GraphChain,
  type GraphFilter,
  isGraphError,
  printGraph,
  walkOf,
} from '../../filtergraph/graph.ts';
import { type PadKind, padKinds } from '../../filtergraph/pad-kinds.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, mapsOf, oneOrList, sentName } from '../request/argv-option.ts';
import { producedMedia, type StreamKind, StreamLabels } from './graph-labels.ts';
import { areUnlabelled, isLongGraph, MAX_SUGGESTION, newFilter, sendGraph, writtenGraph } from './suggested-graph.ts';

/** The facts on which the fix for a graph with several inputs depends. */
export interface ComplexContext {
  readonly catalogue: Catalogue;
  readonly options: readonly ArgvOption[];
  /** The number of inputs that ffmpeg opens. */
  readonly inputCount: number;
  /** True if the output has no video. */
  readonly audioOnly: boolean;
  /** undefined: the request names no valid muxer. */
  readonly muxer: string | undefined;
}

/** The kind of streams that `vf` or `af` filters. */
export function mediaOf({ name }: ArgvOption): StreamKind | undefined {
  const letter = name.specifier?.charAt(0).toLowerCase();
  return letter === 'v' || letter === 'a' ? letter : undefined;
}

/** Adds a fix to the error about a graph in `vf` or `af` with several inputs or outputs: it sends the graph as `filter_complex`. */
export function withComplexFix(
  error: ValueError,
  option: ArgvOption,
  checked: Graph,
  context: ComplexContext,
): ValueError {
  const [graph] = option.graphs ?? [];
  if (graph === undefined || isGraphError(graph) || isLongGraph(option)) return error;
  if (error.code === 'UNKNOWN_LABEL') return withFix(error, complexFix(checked, option, context));
  if (error.code !== 'NOT_SIMPLE') return error;
  const filters = graph.chains.flat();
  if (graph.chains.length > 1 && areUnlabelled(filters))
    return withFix(error, sendGraph(option, { ...graph, chains: [filters] }));
  return withFix(error, paletteFix(graph, option, context) ?? complexFix(checked, option, context));
}

const withFix = (error: ValueError, fix: Hint | undefined): ValueError =>
  fix === undefined ? error : { ...error, fix };

/** The fix for `paletteuse` without a palette: the palette is made from the same video. */
function paletteFix(
  { chains, ...graph }: Graph,
  option: ArgvOption,
  { inputCount }: ComplexContext,
): Edits | undefined {
  const [chain = [], ...others] = chains;
  const at = chain.findIndex(({ name }) => name === 'paletteuse');
  const use = chain[at];
  if (use === undefined || others.length > 0 || inputCount !== 1 || !areUnlabelled(chain)) return undefined;
  const palette = chain.find(({ name }) => name === 'palettegen') ?? newFilter('palettegen');
  const meant: readonly GraphChain[] = [
    [
      ...chain.slice(0, at).filter(({ name }) => name !== 'palettegen'),
      newFilter('split', { outputs: ['film', 'copy'] }),
    ],
    [{ ...palette, inputs: ['copy'], outputs: ['colors'] }],
    [{ ...use, inputs: ['film', 'colors'] }, ...chain.slice(at + 1)],
  ];
  return sendGraph(option, { ...graph, chains: meant });
}

/** The fix that sends a graph as `filter_complex`, with streams for its open inputs. */
export function complexFix(checked: Graph, option: ArgvOption, context: ComplexContext): Hint | undefined {
  const media = mediaOf(option);
  if (media === undefined || hasKey(context.options, 'filter_complex')) return undefined;
  const written = writtenGraph(option, checked);
  const graphs = [withConcat(written, media, context), withConcat(checked, media, context)] as const;
  const connected =
    connect(graphs, new StreamLabels(graphs[0], context.inputCount), media, context.catalogue) ??
    connect(graphs, new StreamLabels(graphs[0], context.inputCount, true), media, context.catalogue);
  if (connected === undefined) return undefined;
  const { graph, ends, isInputMissing } = connected;
  const fix = withMore(sendMembers({ filter_complex: printGraph(graph), map: mapsWith(ends, context) }), {
    do: 'remove',
    name: sentName(option),
  });
  return isInputMissing ? `Send the other file in "inputs" as well. ${editsText(fix)}` : fix;
}

/** Completes a `concat` that is the only filter of a graph, with the numbers of parts and streams. */
function withConcat(
  graph: Graph,
  media: StreamKind,
  { inputCount, audioOnly, options, muxer = '' }: ComplexContext,
): Graph {
  const [filter, ...others] = graph.chains.flat();
  if (filter?.name !== 'concat' || others.length > 0) return graph;
  const has = (key: string): boolean => filter.options.some((one) => one.key === key);
  const isSilent = holdsNoAudio(muxer) || hasKey(options, 'an');
  const [video, audio] = [audioOnly ? 0 : 1, isSilent && media === 'v' ? 0 : 1];
  const counts = has('a') || (has('v') && media === 'a') ? [] : [option('v', video), option('a', audio)];
  const parts =
    has('n') || filter.options.some(({ key }) => key === undefined) ? [] : [option('n', Math.max(2, inputCount))];
  const kept = counts.length === 0 ? filter.options : filter.options.filter(({ key }) => key !== 'v');
  return { ...graph, chains: [[{ ...filter, options: [...parts, ...kept, ...counts] }]] };
}

const option = (key: string, value: number) => ({ key, value: String(value) });

interface End {
  readonly label: string;
  readonly kind: PadKind;
}

/**
 * Connects each open input to a stream, and gives each open output a label. `isInputMissing`: the graph needs an input that the request
 * does not have. undefined: it is unclear which stream belongs to which input.
 */
function connect(
  [written, checked]: readonly [Graph, Graph],
  labels: StreamLabels,
  media: StreamKind,
  catalogue: Catalogue,
) {
  const chains: GraphChain[] = [];
  const ends: End[] = [];
  const used = new Set(written.chains.flat().flatMap(({ inputs }) => inputs));
  for (const [at, chain] of written.chains.entries()) {
    let current: GraphFilter[] = [];
    let open: readonly PadKind[] = [];
    for (const [index, filter] of chain.entries()) {
      const named = checked.chains[at]?.[index];
      const takes = named && padKinds(named, 'inputs', catalogue);
      const makes = named && padKinds(named, 'outputs', catalogue);
      if (takes === undefined || makes === undefined) return undefined;
      const own = filter.inputs.map((label) => (label === 'in' ? `0:${media}` : label));
      const free = takes.slice(own.length);
      if (open.length > free.length || open.some((kind, pad) => kind !== free[pad])) return undefined;
      if (!own.every((label) => labels.exists(label))) return undefined;
      const streams = free.slice(open.length).map((kind) => labels.next(kind));
      if (streams.some((label) => label === undefined)) return undefined;
      const added = streams.flatMap((label) => label ?? []);
      // ffmpeg connects the labels before it connects the output of the previous filter. So this output needs a label too.
      const linked = added.length === 0 || open.length === 0 ? [] : open.map((kind) => labels.fresh(kind));
      if (linked.length > 0) {
        chains.push(withOutputs(current, linked));
        current = [];
      }
      current.push({ ...filter, inputs: [...own, ...linked, ...added] });
      for (const [pad, label] of filter.outputs.entries()) {
        const kind = makes[pad];
        if (kind !== undefined && !used.has(label)) ends.push({ label, kind });
      }
      open = makes.slice(filter.outputs.length);
    }
    const loose = open.map((kind) => ({ kind, label: labels.fresh(kind) }));
    ends.push(...loose);
    chains.push(
      withOutputs(
        current,
        loose.map(({ label }) => label),
      ),
    );
  }
  // If several outputs have one kind, it is unclear which of them the client means.
  if (ends.length === 0 || labels.count === 0 || new Set(ends.map(({ kind }) => kind)).size < ends.length)
    return undefined;
  return { graph: { ...written, chains }, ends, isInputMissing: labels.isInputMissing };
}

const withOutputs = (chain: GraphChain, outputs: readonly string[]): GraphChain =>
  chain.map((filter, index) =>
    index === chain.length - 1 ? { ...filter, outputs: [...filter.outputs, ...outputs] } : filter,
  );

/** The maps of the request. An output of the graph replaces the streams of its kind. */
function mapsWith(ends: readonly End[], { options, audioOnly, muxer = '' }: ComplexContext): OptionText {
  const made = ends.map(({ label }) => `[${label}]`);
  const has = (kind: PadKind): boolean => ends.some((end) => end.kind === kind);
  const video = has('video') || audioOnly || hasKey(options, 'vn') ? [] : ['0:v?'];
  const audio = has('audio') || hasKey(options, 'an') || holdsNoAudio(muxer) ? [] : ['0:a?'];
  const sent = mapsOf(options);
  const others = sent.filter((map) => {
    const letter = /^\d+:([vVasdt])(?=[:?]|$)/.exec(map)?.[1]?.toLowerCase();
    return letter !== undefined && !(letter === 'v' && has('video')) && !(letter === 'a' && has('audio'));
  });
  const isWhole = sent.length === 0 || sent.some((map) => /^\d+\??$/.test(map));
  const kept = isWhole ? [...video, ...audio] : others;
  const all = has('video') ? [...made, ...kept] : [...kept, ...made];
  return oneOrList(all);
}

const KINDS = { v: 'video', a: 'audio' } as const;

/** An output that no filter of the graph reads: the chain that ends there, and its label if it has one. */
interface LooseEnd {
  readonly chain: GraphChain;
  readonly label: string | undefined;
}

/**
 * The error for `vf` or `af` on a stream that a `filter_complex` outputs: only the complex graph can filter this stream. undefined: there
 * is no such conflict, or the request has several graphs.
 */
export function graphBeside(options: readonly ArgvOption[], catalogue: Catalogue): FieldError | undefined {
  const [complex, ...others] = options.filter(({ name }) => name.name === 'filter_complex');
  const [graph] = complex?.checkedGraphs ?? [];
  if (complex === undefined || graph === undefined || others.length > 0 || complex.graphs?.length !== 1)
    return undefined;
  for (const simple of options) {
    const letter = simple.name.name === 'filter' ? mediaOf(simple) : undefined;
    if (letter === undefined || /\d/.test(simple.name.specifier ?? '')) continue;
    const maps = mapsOf(options);
    const ends = endsOf(graph, KINDS[letter], catalogue).filter(
      ({ label }) => label === undefined || maps.length === 0 || maps.includes(`[${label}]`),
    );
    const [end, ...more] = ends;
    if (end === undefined) continue;
    const isAlone = more.length === 0 && !maps.some((map) => maySelect(map, letter));
    const fix = isAlone ? joined(complex, graph, simple, end) : undefined;
    const name = sentName(simple);
    return {
      field: simple.field,
      code: 'CONFLICT',
      message: `"${name}" cannot filter the ${KINDS[letter]} that "filter_complex" makes.`,
      fix:
        fix === undefined
          ? `Leave "${name}" out, and write its filters at the end of "filter_complex".`
          : withMore(sendOption('filter_complex', fix), { do: 'remove', name }),
    };
  }
  return undefined;
}

/** True if a map may select a stream of an input that the option filters too. */
function maySelect(map: string, letter: 'v' | 'a'): boolean {
  const [, kind = letter] = /^\d+(?::([a-z])(?=[:?]|$))?/i.exec(map) ?? [];
  return /^\d/.test(map) && kind.toLowerCase() === letter;
}

/** The outputs of a graph that no filter of the graph reads. */
function endsOf(graph: Graph, kind: 'video' | 'audio', catalogue: Catalogue): readonly LooseEnd[] {
  const { taken } = walkOf(graph);
  return graph.chains.flatMap((chain): readonly LooseEnd[] => {
    const last = chain.at(-1);
    if (last === undefined) return [];
    if (last.outputs.length === 0)
      return producedMedia(last, 0, catalogue) === kind ? [{ chain, label: undefined }] : [];
    return last.outputs.flatMap((label, pad) =>
      taken.has(label) || producedMedia(last, pad, catalogue) !== kind ? [] : [{ chain, label }],
    );
  });
}

/** Appends a simple graph to an output of a complex graph. undefined: it has several chains, or is too long for a fix. */
function joined(
  complex: ArgvOption,
  checked: Graph,
  simple: ArgvOption,
  { chain, label }: LooseEnd,
): string | undefined {
  const written = writtenGraph(complex, checked);
  const [own] = simple.graphs ?? [];
  const [added = [], ...others] = own === undefined || isGraphError(own) ? [] : own.chains;
  const at = checked.chains.indexOf(chain);
  const before = written.chains[at];
  const last = before?.at(-1);
  if (before === undefined || last === undefined || added.length === 0 || others.length > 0 || !areUnlabelled(added))
    return undefined;
  if (simple.graphs?.length !== 1 || last.outputs.length > 1) return undefined;
  const chained = [
    ...before.slice(0, -1),
    { ...last, outputs: [] },
    ...added.map((filter, index) =>
      index === added.length - 1 && label !== undefined ? { ...filter, outputs: [label] } : filter,
    ),
  ];
  const text = printGraph({ ...written, chains: written.chains.map((one, index) => (index === at ? chained : one)) });
  return text.length <= MAX_SUGGESTION ? text : undefined;
}
