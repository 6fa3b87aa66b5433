import { type Edit, hasEdits, type Place } from '../../domain/edit.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { OutputPlan, Warning } from '../../domain/plan.ts';
import { pointerKey } from '../../domain/problem.ts';
import { andList } from '../../domain/quantity.ts';
import { type Graph, type GraphFilter, isGraphError } from '../filtergraph/graph.ts';
import { withoutMeasuring } from '../filtergraph/loudness-passes.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { withoutCropPlaceholders, withoutMotionFiles } from '../filtergraph/picture-passes.ts';
import type { InputReport, UsedStream } from '../log/report.ts';
import { isLanguage } from '../log/stream-line.ts';
import type { RunWarning } from './finished-pass.ts';
import { requestedSeconds, STILL } from './output-duration.ts';

/** What a run knows about its inputs, and the filtergraphs that it applies to them. */
export interface MediaFacts {
  readonly plan: Pick<OutputPlan, 'inputs' | 'span' | 'output' | 'fields'> &
    Partial<Pick<OutputPlan, 'encoders' | 'analysis' | 'transcript' | 'cut'>>;
  readonly argv: readonly string[];
  /** The inputs as ffmpeg reports them. Those that it did not open are missing at the end. */
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
  readonly graphs: readonly ArgvGraph[];
  /** How long the output is, and its only picture. Absent until the run has ended. */
  readonly written?: { readonly seconds?: number; readonly pictureSeconds?: number };
}

/** A filtergraph in the argv. */
export interface ArgvGraph {
  /** `filter:v`, `filter_complex`. */
  readonly key: string;
  readonly graph: Graph;
  /** Every filter of the graph, in order. */
  readonly filters: readonly GraphFilter[];
}

export type Kind = 'video' | 'audio' | 'subtitle';
const LETTERS: Readonly<Record<string, Kind>> = { v: 'video', V: 'video', a: 'audio', s: 'subtitle' };

/** A stream of an input. */
export interface Source {
  readonly input: number;
  readonly stream: OutputStream;
}

/** Collects the facts about the last pass of `plan`. */
export function mediaFacts(
  plan: MediaFacts['plan'] & Pick<OutputPlan, 'passes'>,
  inputs: readonly InputReport[],
  used: readonly UsedStream[],
): MediaFacts {
  const argv = plan.passes.at(-1) ?? [];
  return { plan, argv, inputs, used, graphs: readGraphs(argv) };
}

function readGraphs(argv: readonly string[]): readonly ArgvGraph[] {
  return argv.flatMap((word, index) => {
    const key = /^-(filter(?::.*)?|filter_complex)$/.exec(word)?.[1];
    const graph = key === undefined ? undefined : parseGraph(argv[index + 1] ?? '');
    if (key === undefined || graph === undefined || isGraphError(graph)) return [];
    const sent = withoutCropPlaceholders(withoutMotionFiles(withoutMeasuring(graph)));
    return [{ key, graph: sent, filters: sent.chains.flat() }];
  });
}

/** The path of an input as the client sent it, in quotes. */
export const pathOf = ({ plan }: MediaFacts, input: number): string =>
  `"${plan.inputs[input]?.path ?? `input ${input}`}"`;

/** Where the client sent an option of the argv: `/parameters/vf` for `filter:v`. */
export const fieldOf = ({ plan }: MediaFacts, key: string): string | undefined => plan.fields?.[key];

/** Adds to a warning where the client sent the option of the argv that it is about. */
export function withField(facts: MediaFacts, key: string, warning: RunWarning): RunWarning {
  const field = fieldOf(facts, key);
  return field === undefined ? warning : { field, ...warning };
}

/** Fields of a request that are not options. */
const OF_REQUEST: ReadonlySet<string> = new Set(['inputs', 'output', 'join', 'preset']);

/** The warning with a place for the options in its fix, if it is about something else than an option: a file, or the output. */
export function withPlacedFix<T extends Warning>({ plan }: Pick<MediaFacts, 'plan'>, warning: T): T {
  const { field, fix } = warning;
  if (field === undefined || /\/(?:parameters|arguments)\//.test(field) || !hasEdits(fix)) return warning;
  const [output] = /^\/outputs\/\d+/.exec(plan.output.field) ?? [];
  const place: Place = output === undefined ? 'parameters' : { output };
  const placed = (edit: Edit): Edit =>
    (edit.do === 'send' || edit.do === 'add') &&
    edit.name !== undefined &&
    edit.in === undefined &&
    !OF_REQUEST.has(edit.name)
      ? { ...edit, name: edit.name, do: 'add', in: place }
      : edit;
  return { ...warning, fix: { ...fix, edits: fix.edits.map(placed) } };
}

/** The name by which the client sent an option of the argv: `vf` for `filter:v`. */
export const sentNameOf = (facts: MediaFacts, key: string): string =>
  pointerKey(fieldOf(facts, key)?.split('/').at(-1) ?? key);

/** The streams of one kind in an input. */
export const streamsOf = ({ inputs }: MediaFacts, input: number, kind: Kind): readonly OutputStream[] =>
  inputs[input]?.streams.filter(({ type }) => type === kind) ?? [];

/** The stream of an input with this index. undefined if ffmpeg reported none. */
export const inputStream = (
  { inputs }: Pick<MediaFacts, 'inputs'>,
  input: number,
  stream: number,
): OutputStream | undefined => inputs[input]?.streams.find(({ index }) => index === stream);

/** What an input contains, for messages: `video and audio`, `2 audio streams`. */
export function contentOf(facts: MediaFacts, input: number): string {
  const names = (['video', 'audio', 'subtitle'] as const).flatMap((kind) => {
    const count = streamsOf(facts, input, kind).length;
    if (count === 0) return [];
    return count === 1 ? [kind === 'subtitle' ? 'subtitles' : kind] : [`${count} ${kind} streams`];
  });
  return names.length === 0 ? 'no stream that can be converted' : andList(names);
}

/** The streams that a specifier selects: `v`, `a:1`, `2`. undefined: the specifier has another form. */
export function matchingStreams(
  facts: MediaFacts,
  input: number,
  specifier: string,
): readonly OutputStream[] | undefined {
  const all = facts.inputs[input]?.streams ?? [];
  if (specifier === '') return all;
  if (/^\d+$/.test(specifier)) return all.filter(({ index }) => index === Number(specifier));
  const [, ofKind, language, place] = /^(?:([vVas]):)?m:language:(\w+)(?::(\d+))?$/.exec(specifier) ?? [];
  if (language !== undefined) {
    // Of other tags, it is not known which streams have them.
    if (!isLanguage(language)) return undefined;
    const spoken = (ofKind === undefined ? all : streamsOf(facts, input, LETTERS[ofKind] ?? 'video')).filter(
      (stream) => stream.language === language,
    );
    return place === undefined ? spoken : spoken.slice(Number(place), Number(place) + 1);
  }
  const [, letter = '', number] = /^([vVas])(?::(\d+))?$/.exec(specifier) ?? [];
  const kind = LETTERS[letter];
  if (kind === undefined) return undefined;
  const streams = streamsOf(facts, input, kind);
  return number === undefined ? streams : streams.slice(Number(number), Number(number) + 1);
}

/** The kind that a specifier names: `audio` for `a:1`. */
export const kindOf = (specifier: string): Kind | undefined => LETTERS[/^[vVas](?=:|$)/.exec(specifier)?.[0] ?? ''];

const MAX_DEPTH = 100;

/**
 * The stream of an input that reaches one input pad of a filter, if no filter on the way matches `altering`: a filter that
 * changes the property that the caller asks about. undefined if there is none, or if it is not clear.
 */
export function sourceOf(
  facts: MediaFacts,
  argvGraph: ArgvGraph,
  filter: GraphFilter,
  pad: number,
  altering: RegExp,
  depth = 0,
): Source | undefined {
  const { key, graph, filters } = argvGraph;
  const label = filter.inputs[pad];
  const chain = graph.chains.find((one) => one.includes(filter)) ?? [];
  let before: GraphFilter | undefined;
  if (label === undefined) {
    if (pad > filter.inputs.length) return undefined;
    before = chain[chain.indexOf(filter) - 1];
    if (before === undefined) return key === 'filter_complex' ? undefined : sourceOfSimpleGraph(facts, key);
  } else {
    const [, number, specifier = ''] = /^(\d+)(?::(.*))?$/.exec(label) ?? [];
    if (number !== undefined) {
      const [stream] = matchingStreams(facts, Number(number), specifier) ?? [];
      return stream && { input: Number(number), stream };
    }
    before = filters.find(({ outputs }) => outputs.includes(label));
  }
  if (before === undefined || depth > MAX_DEPTH || altering.test(before.name)) return undefined;
  return sourceOf(facts, argvGraph, before, 0, altering, depth + 1);
}

/** The stream that `filter:v` or `filter:a` filters. undefined if the specifier names no kind, or several are filtered. */
function sourceOfSimpleGraph(facts: MediaFacts, key: string): Source | undefined {
  const kind = kindOf(key.slice('filter:'.length));
  const read = facts.used.flatMap(({ input, stream, output, copied }) => {
    const found = inputStream(facts, input, stream);
    return found !== undefined && found.type === kind && output !== undefined && !copied
      ? [{ input, stream: found }]
      : [];
  });
  const [only, ...others] = read;
  return others.length === 0 ? only : undefined;
}

/** The options in the argv that are for one input: those before its `-i`. */
export function inputArgs({ argv }: MediaFacts, input: number): readonly string[] {
  const ends = argv.flatMap((word, index) => (word === '-i' ? [index] : []));
  const start = input === 0 ? 0 : (ends[input - 1] ?? 0) + 2;
  return argv.slice(start, ends[input]);
}

/** The value of an option that may be sent several times: the only text, or the list. */
export const oneOrAll = (values: readonly string[]): string | readonly string[] =>
  values.length === 1 ? (values[0] ?? '') : values;

/** The value of the last option of the argv with this name. undefined if there is none. */
export function argumentOf({ argv }: Pick<MediaFacts, 'argv'>, key: string): string | undefined {
  const at = argv.lastIndexOf(`-${key}`);
  return at < 0 ? undefined : argv[at + 1];
}

const LOOPS_OR_SHIFTS = ['-stream_loop', '-loop', '-itsoffset', '-itsscale', '-framerate', '-sseof', '-copyts'];

/**
 * The seconds of an input that filters see, from 0 on: its duration without what `ss`, `t` and `to` of the input cut off.
 * undefined if unknown or endless.
 */
export function secondsOfInput(facts: MediaFacts, input: number): number | undefined {
  const report = facts.inputs[input];
  const cut = facts.plan.span.inputs[input] ?? {};
  if (report?.durationSeconds === undefined || STILL.test(report.demuxer)) return undefined;
  const args = inputArgs(facts, input);
  if (LOOPS_OR_SHIFTS.some((name) => args.includes(name)) || facts.argv.includes('-copyts')) return undefined;
  return Math.max(
    0,
    Math.min(report.durationSeconds - (cut.start ?? 0), requestedSeconds(cut) ?? Number.POSITIVE_INFINITY),
  );
}

/** The size of the pictures as filters get them: ffmpeg rotates them as the file asks for. */
export function pictureSize(
  facts: MediaFacts,
  { input, stream }: Source,
): { readonly width: number; readonly height: number; readonly isRotated: boolean } | undefined {
  const { width, height, index } = stream;
  if (width === undefined || height === undefined) return undefined;
  const args = inputArgs(facts, input);
  const rotation =
    args.includes('-noautorotate') || args.includes('-autorotate') ? 0 : facts.inputs[input]?.rotations?.get(index);
  const isRotated = Math.abs(rotation ?? 0) % 180 === 90;
  return isRotated ? { width: height, height: width, isRotated } : { width, height, isRotated };
}

/** The value of an option of a filter. The planner has named all positional values. `names`: the option and its aliases. */
export const optionValue = ({ options }: GraphFilter, ...names: readonly string[]): string | undefined =>
  options.findLast(({ key }) => key !== undefined && names.includes(key))?.value;

/** Seconds in a number or a time: `6.5`, `00:01:00`. undefined for an expression. */
export function secondsIn(text: string | undefined): number | undefined {
  const [, hours = '0', minutes = '0', seconds] = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?)s?$/.exec(text ?? '') ?? [];
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

export const secondsText = (seconds: number): string => `${Number(seconds.toFixed(2))} s`;
