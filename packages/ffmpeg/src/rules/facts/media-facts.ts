import { type Edit, hasEdits, type Place } from '@telecine/contract/domain/edit.ts';
import type { OutputPlan, Warning } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import { STILL } from '../../allowlist/containers.ts';
import { type CodecKind, kindOfLetter, STREAM_KINDS } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphFilter, isGraphError, OF_SERVICE, TIMES } from '../../filtergraph/graph.ts';
import { isMeasuredFilter } from '../../filtergraph/loudness-passes.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import type { InputReport, UsedStream } from '../../log/report.ts';
import { type InputStream, isLanguage } from '../../log/stream-line.ts';
import { secondsAfterCut } from '../../values/span-length.ts';
import { isCover } from './pass.ts';

/** What is known about a run: its inputs and its filtergraphs. */
export class MediaFacts {
  readonly plan: Pick<OutputPlan, 'inputs' | 'span' | 'output' | 'fields'> &
    Partial<Pick<OutputPlan, 'encoders' | 'analysis' | 'transcript' | 'cut'>>;
  readonly argv: readonly string[];
  /** The inputs that ffmpeg reported. If ffmpeg failed early, the last inputs of the request are missing here. */
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
  readonly graphs: readonly ArgvGraph[];

  constructor(
    plan: MediaFacts['plan'] & Pick<OutputPlan, 'passes'>,
    inputs: readonly InputReport[],
    used: readonly UsedStream[],
  ) {
    this.plan = plan;
    this.argv = plan.passes.at(-1) ?? [];
    this.inputs = inputs;
    this.used = used;
    this.graphs = readGraphs(this.argv);
  }

  /** The path of an input as the client sent it, in quotes. */
  pathOf(input: number): string {
    return `"${this.plan.inputs[input]?.path ?? `input ${input}`}"`;
  }

  /** The field of the request for an option of the argv: `/parameters/vf` for `filter:v`. */
  fieldOf(key: string): string | undefined {
    return this.plan.fields?.[key];
  }

  /** The name that the client sent for an option of the argv: `vf` for `filter:v`. */
  sentNameOf(key: string): string {
    return pointerKey(this.fieldOf(key)?.split('/').at(-1) ?? key);
  }

  /** The words of the argv that apply to an input: those between the `-i` of the previous input and its own `-i`. */
  inputArgs(input: number): readonly string[] {
    const ends = this.argv.flatMap((word, index) => (word === '-i' ? [index] : []));
    const start = input === 0 ? 0 : (ends[input - 1] ?? 0) + 2;
    return this.argv.slice(start, ends[input]);
  }

  /** True if the argv has an option with exactly this name: `shortest`, `c:v`. */
  has(key: string): boolean {
    return this.argv.includes(`-${key}`);
  }

  /** True if a word of the argv matches, such as an option name with its dash. */
  hasOption(pattern: RegExp): boolean {
    return this.argv.some((word) => pattern.test(word));
  }

  firstOf(...keys: readonly string[]): string | undefined {
    return keys.find((key) => this.argumentOf(key) !== undefined);
  }

  /** The values of all options of the argv with this name. A pattern is compared with the name and its dash. */
  argumentsOf(key: string | RegExp): readonly string[] {
    const isWanted = (word: string): boolean => (typeof key === 'string' ? word === `-${key}` : key.test(word));
    return this.argv.flatMap((word, at) => (isWanted(word) ? [this.argv[at + 1] ?? ''] : []));
  }

  /** The value of the last option of the argv with this name. undefined: the argv has none. */
  argumentOf(key: string): string | undefined {
    const at = this.argv.lastIndexOf(`-${key}`);
    return at < 0 ? undefined : this.argv[at + 1];
  }

  get copiesVideo(): boolean {
    return this.argumentsOf(/^-c(?::v.*)?$/).includes('copy');
  }

  /** The complex graphs (`filter_complex`), which can read several streams. */
  get complexGraphs(): readonly ArgvGraph[] {
    return this.graphs.filter(({ key }) => key === 'filter_complex');
  }

  /** True if the request filters the video, by itself or in a complex graph. */
  get filtersVideo(): boolean {
    return this.graphs.some(({ key }) => !key.startsWith('filter:a'));
  }

  /** The graphs without those that the service makes of parts, in which all streams begin and end together. */
  get sentGraphs(): readonly ArgvGraph[] {
    const isComplexSent = this.fieldOf('filter_complex')?.includes('/filter_complex') === true;
    return this.graphs.filter(({ key }) => isComplexSent || key !== 'filter_complex');
  }

  usesFilter(pattern: RegExp, graphs = this.graphs): boolean {
    return graphs.some(({ filters }) => filters.some(({ name }) => pattern.test(name)));
  }

  streamsOf(input: number, kind: CodecKind): readonly InputStream[] {
    return this.inputs[input]?.streams.filter(({ type }) => type === kind) ?? [];
  }

  inputWith(kind: CodecKind): number | undefined {
    return [...this.inputs.keys()].find((input) => this.streamsOf(input, kind).length > 0);
  }

  /** True if an input is a still image or a sequence of still images. */
  isStill(input: number): boolean {
    return STILL.test(this.inputs[input]?.demuxer ?? '');
  }

  /** The stream of an input with the index `stream`. undefined: ffmpeg did not report it. */
  inputStream(input: number, stream: number): InputStream | undefined {
    return this.inputs[input]?.streams.find(({ index }) => index === stream);
  }

  usedOf(kind: CodecKind, used = this.used): readonly UsedStream[] {
    return used.filter(({ input, stream }) => this.inputStream(input, stream)?.type === kind);
  }

  /** The content of an input as text for messages: `video and audio`, `2 audio streams`. */
  contentOf(input: number): string {
    const names = STREAM_KINDS.flatMap((kind) => {
      const count = this.streamsOf(input, kind).length;
      if (count === 0) return [];
      return count === 1 ? [kind === 'subtitle' ? 'subtitles' : kind] : [`${count} ${kind} streams`];
    });
    return names.length === 0 ? 'no stream that can be converted' : andList(names);
  }

  /** The streams that a specifier selects: `v`, `a:1`, `2`, `m:language:fre`. undefined: a specifier of another form. */
  matchingStreams(input: number, specifier: string): readonly InputStream[] | undefined {
    const all = this.inputs[input]?.streams ?? [];
    if (specifier === '') return all;
    if (/^\d+$/.test(specifier)) return all.filter(({ index }) => index === Number(specifier));
    const [, ofKind, language, place] = /^(?:([vVas]):)?m:language:(\w+)(?::(\d+))?$/.exec(specifier) ?? [];
    if (language !== undefined) {
      // Only the language of each stream is known, not its other tags.
      if (!isLanguage(language)) return undefined;
      const kind = kindOfLetter(ofKind ?? '');
      const spoken = all.filter((stream) => stream.language === language && (kind ?? stream.type) === stream.type);
      return numbered(spoken, place);
    }
    const [, letter = '', number] = /^([vVas])(?::(\d+))?$/.exec(specifier) ?? [];
    const kind = kindOfLetter(letter);
    // `V` is a video that is not a cover.
    const some = kind && this.streamsOf(input, kind).filter((one) => letter !== 'V' || !isCover(one));
    return some && numbered(some, number);
  }

  /** The streams that a map or an input label selects: `1:a?`. undefined: the label of a filter, such as `[v]`. */
  selected(map: string) {
    const [, number, specifier = ''] = /^(\d+)(?::([^?]*))?\??$/.exec(map) ?? [];
    const input = Number(number);
    return number === undefined ? undefined : { input, specifier, streams: this.matchingStreams(input, specifier) };
  }

  /** The length of an input in seconds as filters see it: after its own `ss`, `t` and `to`. undefined: unknown or endless. */
  secondsOfInput(input: number): number | undefined {
    const report = this.inputs[input];
    const cut = this.plan.span.inputs[input] ?? {};
    if (report?.durationSeconds === undefined || this.isStill(input)) return undefined;
    const args = this.inputArgs(input);
    if (LOOPS_OR_SHIFTS.some((name) => args.includes(name)) || this.has('copyts')) return undefined;
    return secondsAfterCut(report.durationSeconds, cut);
  }

  /** The frame size that filters see. ffmpeg first rotates the frames if the file asks for it. */
  frameSize({ input, stream }: Source): FrameSize | undefined {
    const { width, height } = stream;
    if (width === undefined || height === undefined) return undefined;
    const args = this.inputArgs(input);
    const isUpright = args.includes('-noautorotate') || args.includes('-autorotate');
    const isRotated = !isUpright && Math.abs(stream.rotation ?? 0) % 180 === 90;
    return isRotated ? { width: height, height: width, isRotated } : { width, height, isRotated };
  }
}

export interface ArgvGraph {
  /** The option of the argv that contains the graph: `filter:v`, `filter_complex`. */
  readonly key: string;
  readonly chains: Graph['chains'];
  readonly filters: readonly GraphFilter[];
}

export const letterOf = (kind: CodecKind): string => kind.charAt(0);

const numbered = (streams: readonly InputStream[], number: string | undefined): readonly InputStream[] =>
  number === undefined ? streams : streams.slice(Number(number), Number(number) + 1);

interface Source {
  readonly input: number;
  readonly stream: InputStream;
}

/** The frame size after the rotation that the file asks for. `isRotated`: by 90 degrees, so width and height are swapped. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
  readonly isRotated: boolean;
}

function readGraphs(argv: readonly string[]): readonly ArgvGraph[] {
  return argv.flatMap((word, index) => {
    const key = /^-(filter(?::.*)?|filter_complex)$/.exec(word)?.[1];
    const graph = key === undefined ? undefined : parseGraph(argv[index + 1] ?? '');
    if (key === undefined || graph === undefined || isGraphError(graph)) return [];
    const chains = graph.chains
      .map((chain) => chain.filter((one) => one.instance !== OF_SERVICE && !isMeasuredFilter(one)))
      .filter(({ length }) => length > 0);
    return chains.length === 0 ? [] : [{ key, chains, filters: chains.flat() }];
  });
}

/** Fields of a request that are not ffmpeg options. */
const OF_REQUEST: ReadonlySet<string> = new Set(['inputs', 'output', 'join', 'preset']);

/**
 * Adds the field to a warning with only a `key`. If this field is an input or the output instead of an option, adds to the edits of the fix
 * where their options go (`in`).
 */
export function placed(facts: MediaFacts, { key, ...found }: Warning & { readonly key?: string }): Warning {
  const own = found.field ?? (key === undefined ? undefined : facts.fieldOf(key));
  const warning: Warning = own === undefined ? found : { field: own, ...found };
  const { field, fix } = warning;
  if (field === undefined || /\/(?:parameters|arguments)\//.test(field) || !hasEdits(fix)) return warning;
  const [output] = /^\/outputs\/\d+/.exec(facts.plan.output.field) ?? [];
  const place: Place = output === undefined ? 'parameters' : { output };
  const inPlace = (edit: Edit): Edit =>
    (edit.do === 'send' || edit.do === 'add') &&
    edit.name !== undefined &&
    edit.in === undefined &&
    !OF_REQUEST.has(edit.name)
      ? { ...edit, name: edit.name, do: 'add', in: place }
      : edit;
  return { ...warning, fix: { ...fix, edits: fix.edits.map(inPlace) } };
}

/** The kind of streams that a specifier names: `audio` for `a:1`. */
export const kindOf = (specifier: string): CodecKind | undefined =>
  kindOfLetter(/^[vVas](?=:|$)/.exec(specifier)?.[0] ?? '');

const LOOPS_OR_SHIFTS = ['-stream_loop', '-loop', '-itsoffset', '-itsscale', '-framerate', '-sseof', '-copyts'];

const MAX_DEPTH = 100;

/** Returns the input stream that reaches an input pad of a filter. undefined: unclear, or a filter on the way matches `altering`. */
export function sourceOf(
  facts: MediaFacts,
  argvGraph: ArgvGraph,
  filter: GraphFilter,
  pad: number,
  altering: RegExp,
  depth = 0,
): Source | undefined {
  const { key, filters } = argvGraph;
  const label = filter.inputs[pad];
  const selected = label === undefined ? undefined : facts.selected(label);
  if (selected !== undefined) {
    const [stream] = selected.streams ?? [];
    return stream && { input: selected.input, stream };
  }
  if (label === undefined && pad > filter.inputs.length) return undefined;
  const before =
    label === undefined ? filterBefore(argvGraph, filter) : filters.find(({ outputs }) => outputs.includes(label));
  if (label === undefined && before === undefined && key !== 'filter_complex') return sourceOfSimpleGraph(facts, key);
  if (before === undefined || depth > MAX_DEPTH || altering.test(before.name)) return undefined;
  return sourceOf(facts, argvGraph, before, 0, altering, depth + 1);
}

/** Returns the filters whose name matches and that one input stream reaches, with this stream. `altering`: see `sourceOf`. */
export const filtersOfInputs = (facts: MediaFacts, names: RegExp, altering: RegExp) =>
  facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => {
      const source = names.test(filter.name) ? sourceOf(facts, graph, filter, 0, altering) : undefined;
      return source === undefined ? [] : [{ key: graph.key, filter, source }];
    }),
  );

function filterBefore({ chains }: ArgvGraph, filter: GraphFilter): GraphFilter | undefined {
  const chain = chains.find((one) => one.includes(filter)) ?? [];
  return chain[chain.indexOf(filter) - 1];
}

/** Returns the stream that `filter:v` or `filter:a` filters. undefined: the specifier names no kind, or several streams are filtered. */
function sourceOfSimpleGraph(facts: MediaFacts, key: string): Source | undefined {
  const kind = kindOf(key.slice('filter:'.length));
  const read = facts.used.flatMap(({ input, stream, output, copied }) => {
    const found = facts.inputStream(input, stream);
    return found !== undefined && found.type === kind && output !== undefined && !copied
      ? [{ input, stream: found }]
      : [];
  });
  const [only, ...others] = read;
  return others.length === 0 ? only : undefined;
}

/** Returns the value of a filter option by its name and aliases (`w`, `width`). The planner has already named positional values. */
export const optionValue = ({ options }: GraphFilter, ...names: readonly string[]): string | undefined =>
  options.findLast(({ key }) => key !== undefined && names.includes(key))?.value;

/** Reads seconds from a number or a time: `6.5`, `00:01:00`. undefined: an expression. */
export function secondsIn(text: string | undefined): number | undefined {
  const [, hours = '0', minutes = '0', seconds] = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?)s?$/.exec(text ?? '') ?? [];
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

export const secondsText = (seconds: number): string => `${Number(seconds.toFixed(2))} s`;

/** Filters that end with their longest input, or that change times. Then the length of one input does not tell when the stream ends. */
const LENGTHS = new RegExp(
  `${TIMES.source}|^(?:amix|amerge|join|[hvx]stack|overlay|blend|lut2|mergeplanes|zoompan|framerate)$`,
);

/** Returns when the stream that reaches a filter ends, and why: by its input, `t`, `to` or `shortest`. undefined: unknown. */
export function endAt(facts: MediaFacts, graph: ArgvGraph, filter: GraphFilter) {
  const source = sourceOf(facts, graph, filter, 0, LENGTHS);
  if (source === undefined) return undefined;
  const own = facts.secondsOfInput(source.input) ?? 0;
  const ends = own <= 0 ? [] : [{ seconds: own, what: `${facts.pathOf(source.input)} has only ${secondsText(own)}` }];
  // If the request has a filter that changes times, the seconds of `t` and `to` are not comparable with the times at `filter`.
  if (facts.usesFilter(TIMES)) return ends[0];
  const { start = 0, duration, end } = facts.plan.span.output;
  const last = duration === undefined ? end : start + duration;
  if (last !== undefined) ends.push({ seconds: last, what: `the output ends at ${secondsText(last)}` });
  const others = facts.has('shortest') ? new Set(facts.used.map(({ input }) => input)) : [];
  for (const input of others) {
    const seconds = input === source.input ? undefined : facts.secondsOfInput(input);
    if (seconds === undefined) continue;
    ends.push({ seconds, what: `"shortest" ends the output with ${facts.pathOf(input)} (${secondsText(seconds)})` });
  }
  return ends.toSorted((a, b) => a.seconds - b.seconds)[0];
}
