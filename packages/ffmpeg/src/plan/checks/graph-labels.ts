import { FILTERS } from '../../allowlist/filters.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { changeFilters, type Graph, type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import { type PadKind, padKinds } from '../../filtergraph/pad-kinds.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { isKnownSpecifier, meantSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';
import { isLongGraph, newFilter, sendChanged, sendGraph, writtenGraph } from './suggested-graph.ts';

/** The kind of stream that an input pad accepts. undefined: only ffmpeg knows it. In `filter`, every option must have a name. */
export const padMedia = (filter: GraphFilter, pad: number, catalogue: Catalogue): PadKind | undefined =>
  padKinds(filter, 'inputs', catalogue)?.[pad];

/** The kind of stream that an output pad has. undefined: only ffmpeg knows it. */
export const producedMedia = (filter: GraphFilter, pad: number, catalogue: Catalogue): PadKind | undefined =>
  padKinds(filter, 'outputs', catalogue)?.[pad];

/** The kind of stream that a label such as `0:a:1` selects. undefined: another label. */
export const labelMedia = (label: string): PadKind | undefined => {
  const letter = /^\d{1,4}:([vVa])(?=:|$)/.exec(label)?.[1];
  return letter === undefined ? undefined : letter === 'a' ? 'audio' : 'video';
};

const COUNTS: ReadonlySet<string> = new Set(['n', 'v', 'a']);

/** The kinds of the labels before a filter, by their specifiers, or by the filters that output them. */
const kindsOf = ({ inputs }: GraphFilter, graph: Graph, catalogue: Catalogue): readonly (PadKind | undefined)[] =>
  inputs.map((label) => {
    const producer = walkOf(graph).producers.get(label);
    return producer === undefined
      ? labelMedia(label)
      : producedMedia(producer, producer.outputs.indexOf(label), catalogue);
  });

/**
 * The options with which `concat` fits its labels: all audio, all video (with at most one output), or video and audio in turn. undefined:
 * the labels have another order, or unknown kinds.
 */
function concatOfLabels({ outputs }: GraphFilter, kinds: readonly (PadKind | undefined)[]) {
  if (kinds.length < 2) return undefined;
  if (kinds.every((kind) => kind === 'audio')) return options({ n: kinds.length, v: 0, a: 1 });
  if (kinds.every((kind) => kind === 'video') && outputs.length < 2) return options({ n: kinds.length, v: 1, a: 0 });
  const isPaired = kinds.length > 3 && kinds.length % 2 === 0;
  if (!isPaired || !kinds.every((kind, at) => kind === (at % 2 === 0 ? 'video' : 'audio'))) return undefined;
  return options({ n: kinds.length / 2, v: 1, a: 1 });
}

const options = (values: Readonly<Record<string, number>>): GraphFilter['options'] =>
  Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));

/** The error for a label of the wrong kind (`[0:v]volume=2`), or for a `concat` with more labels than its options say. */
export function labelOfOtherKind(option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError | undefined {
  for (const filter of walkOf(graph).filters) {
    if (filter.inputs.length === 0) continue;
    const kinds = padKinds(filter, 'inputs', catalogue);
    if (kinds === undefined) continue;
    const named = filter.name === 'concat' ? kindsOf(filter, graph, catalogue) : [];
    const joined = named.length === 0 ? undefined : concatOfLabels(filter, named);
    const pad = filter.inputs.findIndex(
      (label, at) => kinds[at] !== undefined && (joined ? named[at] : labelMedia(label)) === otherKind(kinds[at]),
    );
    const isTooShort = joined !== undefined && filter.inputs.length > kinds.length;
    if (pad < 0 && !isTooShort) continue;
    const corrected = (one: GraphFilter): GraphFilter =>
      joined === undefined
        ? withOtherKind(one, pad, kinds[pad], catalogue)
        : { ...one, options: [...one.options.filter(({ key }) => !COUNTS.has(key ?? 'n')), ...joined] };
    return {
      code: pad < 0 ? 'TOO_MANY_LABELS' : 'WRONG_KIND',
      message:
        pad < 0
          ? `The filter "concat" takes ${kinds.length} streams with these options, and ${filter.inputs.length} labels come before it.`
          : `The filter "${filter.name}" takes ${kinds[pad]}, and [${filter.inputs[pad]}] is ${kindsOf(filter, graph, catalogue)[pad]}.`,
      fix: sendChanged(option, graph, (one) => (one.at === filter.at ? corrected(one) : one)),
    };
  }
  return undefined;
}

const otherKind = (kind: PadKind | undefined): PadKind => (kind === 'audio' ? 'video' : 'audio');

/** Corrects a filter with a label of the wrong kind: uses the same filter for this kind (`afade`), or another stream. */
function withOtherKind(
  filter: GraphFilter,
  pad: number,
  taken: PadKind | undefined,
  catalogue: Catalogue,
): GraphFilter {
  const twin = taken === 'audio' ? filter.name.replace(/^a/, '') : `a${filter.name}`;
  if (twin !== filter.name && FILTERS.has(twin) && catalogue.lists.filters.has(twin)) return { ...filter, name: twin };
  const letter = taken === 'audio' ? 'a' : 'v';
  const inputs = filter.inputs.map((old, at) => (at === pad ? old.replace(/:[vVa]/, `:${letter}`) : old));
  return { ...filter, inputs };
}

/** Adds a fix to the error about a label that two filters read: the filter "split". */
export function withSplit(error: ValueError, option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError {
  const label = error.code === 'LABEL_TWICE' ? error.about : undefined;
  if (label === undefined || isLongGraph(option)) return error;
  const { filters, producers } = walkOf(graph);
  const first = filters.find(({ inputs }) => inputs.includes(label));
  const producer = producers.get(label);
  if (first === undefined || producer === undefined) return error;
  const media = padMedia(first, first.inputs.indexOf(label), catalogue);
  if (media === undefined) return error;
  const copies: string[] = [];
  const rename = (filter: GraphFilter): GraphFilter => ({
    ...filter,
    inputs: filter.inputs.map((one) => {
      if (one !== label) return one;
      copies.push(`${label}${copies.length + 1}`);
      return copies.at(-1) ?? one;
    }),
  });
  const { chains } = changeFilters(writtenGraph(option, graph), (one) => [rename(one)]);
  const split = newFilter(media === 'audio' ? 'asplit' : 'split', {
    inputs: [label],
    options: [{ value: String(copies.length) }],
    outputs: copies,
  });
  const after = chains.findIndex((chain) => chain.some(({ at }) => at === producer.at)) + 1;
  const meant: Graph = { ...graph, chains: [...chains.slice(0, after), [split], ...chains.slice(after)] };
  return { ...error, fix: sendGraph(option, meant) };
}

const STREAM = /^(\d{1,4}:)(.+)$/;

/** The error for a label with an unknown stream specifier: `[0:a:eng]`, `[0:a?]`. `produced`: output labels (any name). */
export function unknownSpecifier(
  option: ArgvOption,
  graph: Graph,
  produced: ReadonlySet<string>,
): ValueError | undefined {
  const isWrong = (label: string): boolean => {
    const specifier = STREAM.exec(label)?.[2];
    return specifier !== undefined && !produced.has(label) && !isKnownSpecifier(specifier);
  };
  const wrong = [...walkOf(graph).taken].find(isWrong);
  if (wrong === undefined) return undefined;
  let isClear = true;
  const meant = (label: string): string => {
    if (!isWrong(label)) return label;
    const [, input = '', specifier = ''] = STREAM.exec(label) ?? [];
    const plain = specifier.replace(/:?\?$/, '');
    const right = isKnownSpecifier(plain) ? plain : meantSpecifier(plain);
    if (right === undefined) isClear = false;
    return right === '' ? input.slice(0, -1) : `${input}${right ?? specifier}`;
  };
  const fix = sendChanged(option, graph, (one) => ({ ...one, inputs: one.inputs.map(meant) }));
  return {
    code: 'BAD_SPECIFIER',
    message: `The label ${quoted(`[${wrong}]`)} has no valid stream specifier${wrong.endsWith('?') ? ': a label cannot be optional' : ''}.`,
    allowed: STREAM_SPECIFIERS,
    ...(isClear && { fix }),
  };
}

export type StreamKind = 'v' | 'a';

const letterOf = (kind: PadKind): StreamKind => (kind === 'audio' ? 'a' : 'v');

/** Chooses labels for a graph: streams of the inputs for open inputs, and new names for outputs. */
export class StreamLabels {
  readonly #used: Set<string>;
  readonly #produced: ReadonlySet<string>;
  readonly #inputs: number;
  readonly #isNumbered: boolean;
  readonly #next = { v: 0, a: 0 };
  /** The number of the next new label, by kind. */
  readonly #fresh = { v: 1, a: 1 };
  #isInputMissing = false;

  /** `isNumbered`: the graph uses numbered streams of the only input: `[0:a:0][0:a:1]`. */
  constructor({ chains }: Graph, inputs: number, isNumbered = false) {
    const filters = chains.flat();
    this.#produced = new Set(filters.flatMap(({ outputs }) => outputs));
    this.#used = new Set([...this.#produced, ...filters.flatMap((filter) => filter.inputs)]);
    this.#inputs = inputs;
    this.#isNumbered = isNumbered;
  }

  /** True if the graph uses an input that the request does not have. */
  get isInputMissing(): boolean {
    return this.#isInputMissing;
  }

  /** How many input streams the graph uses. */
  get count(): number {
    return [...this.#used].filter((label) => /^\d/.test(label)).length + this.#next.v + this.#next.a;
  }

  /** True if a label names a stream of an input, or an output of the graph. */
  exists(label: string): boolean {
    return this.#produced.has(label) || Number(/^\d{1,4}(?=:|$)/.exec(label)?.[0] ?? this.#inputs) < this.#inputs;
  }

  /** The next unused stream of a kind. undefined: the request has no further input for it. */
  next(kind: PadKind): string | undefined {
    const letter = letterOf(kind);
    if (this.#isNumbered) {
      if (this.#inputs !== 1 || letter === 'v') return undefined;
      this.#next[letter] += 1;
      return `0:${letter}:${this.#next[letter] - 1}`;
    }
    let label = '';
    do {
      label = `${this.#next[letter]}:${letter}`;
      this.#next[letter] += 1;
    } while (this.#used.has(label));
    if (this.#next[letter] <= this.#inputs) return label;
    // Only a missing video may be a file that the client forgot. Missing audio may be another stream of the same file.
    if (letter === 'a' || this.#next[letter] > this.#inputs + 1) return undefined;
    this.#isInputMissing = true;
    return label;
  }

  /** A label that the graph does not have yet: `v`, `v2`. */
  fresh(kind: PadKind): string {
    const letter = letterOf(kind);
    let label: string;
    do {
      label = this.#fresh[letter] === 1 ? letter : `${letter}${this.#fresh[letter]}`;
      this.#fresh[letter] += 1;
    } while (this.#used.has(label));
    this.#used.add(label);
    return label;
  }
}
