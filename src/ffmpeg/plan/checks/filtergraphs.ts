import { parseMediaPath } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { FILTERS } from '../../allowlist/filters.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { type CheckedFilter, checkFilter } from '../../filtergraph/check-filter.ts';
import { checkLinks } from '../../filtergraph/check-links.ts';
import { type Graph, type GraphError, type GraphFilter, isGraphError } from '../../filtergraph/graph.ts';
import { withApostrophes, withCommas, withoutLooseMarks } from '../../filtergraph/graph-spelling.ts';
import { checkScalerFlags } from '../../filtergraph/known-words.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { quoted, sendOption, suggestedValue, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { isStreamSpecifier } from '../request/specifiers.ts';
import { checkMaps } from './maps.ts';

export interface CheckedFiltergraphs {
  /** The options, with filtergraphs in canonical text. Files in them have their logical names. */
  readonly options: readonly ArgvOption[];
  /** The inputs that ffmpeg opens itself. Only filters read the others. */
  readonly opened: readonly ArgvInput[];
  /** The logical names of files whose format filters detect by content. */
  readonly byContent: readonly string[];
}

/** Checks stop at about this number of errors, because searching for the closest of many names takes time. */
const MAX_ERRORS = 100;

/** Options whose values begin with the number of an input. */
const INDEXED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

/**
 * Checks the filtergraphs and replaces them by canonical text. The client's own text never reaches the argv.
 *
 * A filter can name an input as a file (`subtitles=talk.srt`). The canonical text then contains the logical name of
 * that input. Such an input is in the request's `inputs` like any other, but gets no `-i` unless a map or a label
 * refers to it.
 */
export function checkFiltergraphs(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  facts: { readonly catalogue: Catalogue; readonly root: string },
  errors: FieldError[],
): CheckedFiltergraphs {
  if (!options.some(({ graphs }) => graphs !== undefined)) {
    checkMaps(options, new Map(), errors);
    return { options, opened: inputs, byContent: [] };
  }
  const files = new FilterFiles(inputs, facts.root);
  const checked: OptionGraph[] = [];
  const canonical = options.map((option) => checkOption(option, facts.catalogue, files, checked, errors));
  const opened = selectOpenedInputs(inputs, files.inputs, inputNumbers(options, checked), errors);
  const openLabels = checkAllLinks(checked, opened.length, facts.catalogue, errors);
  if (errors.length === 0) checkMaps(canonical, openLabels, errors);
  return { options: canonical, opened, byContent: [...files.byContent] };
}

/** A graph without errors, and the option that contains it. */
interface OptionGraph {
  readonly option: ArgvOption;
  readonly graph: Graph;
}

/** Finds the inputs that filters name as files, and remembers them. */
class FilterFiles {
  /** Indexes of the inputs that filters name. */
  readonly inputs = new Set<number>();
  readonly byContent = new Set<string>();
  readonly all: readonly ArgvInput[];
  readonly #root: string;

  constructor(all: readonly ArgvInput[], root: string) {
    this.all = all;
    this.#root = root;
  }

  /** Returns the logical name of the input with this path, or undefined if the request has no such input. */
  find(path: string, byContent: boolean): string | undefined {
    const parsed: unknown = parseMediaPath(path, this.#root);
    const index = this.all.findIndex(({ source }) => source.path === parsed && source.sequence === undefined);
    const logical = this.all[index]?.source.logical;
    if (logical === undefined) return undefined;
    this.inputs.add(index);
    if (byContent) this.byContent.add(logical);
    return logical;
  }
}

/**
 * Checks the graphs of one option and returns the option with their canonical text. Adds graphs without errors to
 * `checked`.
 */
function checkOption(
  option: ArgvOption,
  catalogue: Catalogue,
  files: FilterFiles,
  checked: OptionGraph[],
  errors: FieldError[],
): ArgvOption {
  const { graphs, field } = option;
  if (graphs === undefined) return option;
  const produced = producedLabels(graphs.flatMap((one) => (isGraphError(one) ? [] : [one])));
  const checkedGraphs: Graph[] = [];
  const values = option.values.map((text, index) => {
    const parsed = graphs[index];
    if (errors.length >= MAX_ERRORS || parsed === undefined) return text;
    if (isGraphError(parsed)) {
      errors.push({ field, ...badGraph(text, parsed, sentName(option)) });
      return text;
    }
    const graphErrors: ValueError[] = [];
    const isComplex = option.name.name === 'filter_complex';
    const sent = { name: sentName(option), text };
    const numbered = isComplex ? withInputNumbers(parsed, produced) : parsed;
    const graph = checkGraph(numbered, sent, catalogue, files, graphErrors);
    const mark =
      graphErrors.length === 0
        ? undefined
        : ((hasWholeFix(graphErrors, sent.name) ? undefined : separatorError(text, sent.name, catalogue)) ??
          commaError(text, parsed, sentName(option), catalogue, files));
    for (const error of mark === undefined ? graphErrors : [mark])
      errors.push({ field, ...(error.code === 'NOT_AN_INPUT' ? withInputs(error, files) : error) });
    if (graphErrors.length > 0) return text;
    checked.push({ option, graph });
    checkedGraphs.push(graph);
    return printGraph(graph);
  });
  return { ...option, values, texts: option.values, checkedGraphs };
}

/**
 * ffmpeg reads a stream specifier without the number of an input as a stream of the first input: `[v]`, `[:v]`, `[#0x100]`.
 * This adds the number, unless another graph of the list produces such a label, because the client then means that
 * label.
 */
function withInputNumbers(graph: Graph, produced: ReadonlySet<string>): Graph {
  const numbered = (label: string): string => {
    const specifier = label.replace(/^:/, '');
    const isStream =
      !produced.has(label) && (label !== specifier || !/^\d/.test(label)) && isStreamSpecifier(specifier);
    return isStream ? `0:${specifier}` : label;
  };
  const chains = graph.chains.map((chain) =>
    chain.map((filter) => ({ ...filter, inputs: filter.inputs.map(numbered) })),
  );
  return { ...graph, chains };
}

/** Checks a graph. Returns it with a name for every filter option, and with the logical names of files. */
function checkGraph(
  graph: Graph,
  sent: { readonly name: string; readonly text: string },
  catalogue: Catalogue,
  files: FilterFiles,
  errors: ValueError[],
): Graph {
  const { scalerFlags } = graph;
  const flagsError = scalerFlags ? checkScalerFlags('sws_flags', scalerFlags, catalogue) : undefined;
  if (flagsError !== undefined) errors.push(flagsError);
  const context = { catalogue, fileNamed: (path: string, byContent: boolean) => files.find(path, byContent) };
  const chains = graph.chains.map((chain) => chain.map((filter) => checkFilter(filter, context, errors)));
  const suggestion = errors.length === 0 ? undefined : suggestGraph(graph, chains, flagsError);
  if (suggestion !== undefined) {
    // The name of the option tells the whole graph from a part of it: `fps=fps=30`.
    const fix = sendOption(sent.name, suggestion);
    for (const [index, error] of errors.entries()) errors[index] = { ...error, fix };
  }
  return { ...graph, chains: chains.map((chain) => chain.map(({ checked }) => checked)) };
}

/** Returns the error about a file that is not an input with the inputs to send. `field` is theirs. */
function withInputs(error: ValueError, files: FilterFiles): ValueError & { readonly field?: string } {
  const path = /reads the file "(.*)", which/s.exec(error.message)?.[1];
  const [first, ...others] = files.all;
  // Inputs with options of their own, and long paths, which the message cuts, are not repeated.
  const isPlain = ({ source, options }: ArgvInput): boolean =>
    source.sequence === undefined && !options.some(({ field }) => field.startsWith('/inputs/'));
  if (path === undefined || !RELATIVE.test(path) || FONT.test(path) || first === undefined) return error;
  if (![first, ...others].every(isPlain)) return error;
  const inputs = [...files.all.map(({ source }) => source.path), path];
  return {
    ...error,
    field: /^\/inputs?/.exec(first.source.field)?.[0] ?? first.source.field,
    fix: `Send "inputs": ${JSON.stringify(inputs)}.`,
  };
}

/** A path in the media root. The message cuts longer ones. */
const RELATIVE = /^(?!\/|.*(?:\.\.|…))[^:%\\]+$/;

const FONT = /\.(?:ttf|otf|ttc|pfb)$/i;

/** Whether the errors have the corrected graph. A blank before the name of a filter is then part of a text. */
const hasWholeFix = (errors: readonly ValueError[], name: string): boolean =>
  errors.some(({ fix }) => typeof fix === 'string' && fix.startsWith(`Send "${name}": `));

/** The error for filters with a blank or another character between them instead of a comma. */
function separatorError(text: string, name: string, catalogue: Catalogue): ValueError | undefined {
  const isFilter = (one: string): boolean => FILTERS.has(one) && catalogue.lists.filters.has(one);
  const meant = withCommas(text, isFilter);
  if (meant === undefined || meant.length > MAX_SUGGESTION) return undefined;
  const parsed = parseGraph(meant);
  // The facts about filters that the text did not name before are unknown, so only their names are checked.
  if (isGraphError(parsed) || !parsed.chains.flat().every((filter) => isFilter(filter.name))) return undefined;
  return {
    code: 'BAD_FILTERGRAPH',
    message: `The filters of ${quoted(text)} must be joined by commas.`,
    fix: sendOption(name, meant),
  };
}

function isValidGraph(text: string, name: string, catalogue: Catalogue, files: FilterFiles): boolean {
  const parsed = parseGraph(text);
  const found: ValueError[] = [];
  if (!isGraphError(parsed)) checkGraph(parsed, { name, text }, catalogue, files, found);
  return !isGraphError(parsed) && found.length === 0;
}

/**
 * The error for commas or semicolons that belong to the options of a filter, but end it: `select=eq(n,100)`,
 * `scale=1280,720`. Undefined if escaping or replacing them does not result in a valid graph.
 */
function commaError(
  text: string,
  graph: Graph,
  name: string,
  catalogue: Catalogue,
  files: FilterFiles,
): ValueError | undefined {
  const { filters } = catalogue.lists;
  const marks = graph.chains
    .flat()
    .filter(({ name }) => !filters.has(name))
    .map(({ at }) => text.slice(0, at).trimEnd().length - 1)
    .filter((at) => at >= 0 && ',;'.includes(text.charAt(at)));
  const [first] = marks;
  if (first === undefined || text.length > MAX_SUGGESTION) return undefined;
  const replaceMarks = (by: (mark: string) => string): string =>
    [...text].map((char, at) => (marks.includes(at) ? by(char) : char)).join('');
  // Offsets count UTF-16 code units, but the spread counts characters.
  if ([...text].length !== text.length) return undefined;
  const colons = replaceMarks(() => ':').replaceAll(/:\s+/g, ':');
  const escaped = replaceMarks((mark) => `\\${mark}`);
  const isCall = /\([^()]*$/.test(text.slice(0, first));
  const meant = (isCall ? [escaped] : [colons, escaped]).find((one) => isValidGraph(one, name, catalogue, files));
  if (meant === undefined) return undefined;
  const mark = text.charAt(first) === ',' ? 'comma' : 'semicolon';
  return {
    code: 'BAD_FILTERGRAPH',
    message: `The ${mark} after ${quoted(text.slice(0, first))} ends the filter: ${meant === colons ? 'separate its options by colons' : `a ${mark} in a value needs a backslash`}.`,
    fix: sendOption(name, meant),
  };
}

/** The maximum length of a graph that a message suggests, in characters. */
const MAX_SUGGESTION = 500;

/** Returns the whole graph with every error corrected, or undefined if the correction of an error is unknown. */
function suggestGraph(
  graph: Graph,
  filters: readonly (readonly CheckedFilter[])[],
  flagsError: ValueError | undefined,
): string | undefined {
  const chains = filters.map((chain) => chain.flatMap(({ meant }) => meant ?? []));
  const scalerFlags = flagsError === undefined ? graph.scalerFlags : suggestedValue(flagsError);
  const isPartial = filters.some((chain) => chain.some(({ meant }) => meant === undefined));
  if (isPartial || (flagsError !== undefined && scalerFlags === undefined)) return undefined;
  const text = printGraph({ ...(scalerFlags !== undefined && { scalerFlags }), chains });
  return text.length <= MAX_SUGGESTION ? text : undefined;
}

/** Returns the input numbers that maps and labels contain. */
function inputNumbers(options: readonly ArgvOption[], graphs: readonly OptionGraph[]): ReadonlySet<number> {
  const texts = [
    ...options.flatMap(({ name, values }) => (INDEXED.has(name.name) ? values : [])),
    ...graphs.flatMap(({ graph }) => graph.chains.flat().flatMap((filter) => filter.inputs)),
  ];
  return new Set(
    texts.flatMap((text) => {
      const index = /^-?(\d{1,3})(?![^:.?])/.exec(text)?.[1];
      return index === undefined ? [] : [Number(index)];
    }),
  );
}

/**
 * Returns the inputs without those that only filters read. Those must come last: ffmpeg numbers only the inputs that it
 * opens itself, so a file in between would shift the numbers that the client sent.
 */
function selectOpenedInputs(
  inputs: readonly ArgvInput[],
  readByFilters: ReadonlySet<number>,
  numbered: ReadonlySet<number>,
  errors: FieldError[],
): readonly ArgvInput[] {
  const filterOnly = new Set([...readByFilters].filter((index) => !numbered.has(index)));
  if (filterOnly.size === 0 || filterOnly.size === inputs.length) return inputs;
  const lastOpened = inputs.findLastIndex((_input, index) => !filterOnly.has(index));
  for (const [index, { source, options, duration }] of inputs.entries()) {
    if (!filterOnly.has(index)) continue;
    if (index < lastOpened)
      errors.push({
        field: source.field,
        code: 'WRONG_ORDER',
        message: `Only a filter reads the input ${quoted(source.path)}, but it comes before an input that is converted.`,
        fix: 'Move it to the end of "inputs": maps and labels count the inputs before it.',
      });
    if (duration !== undefined || options.some(({ field }) => field.startsWith('/inputs/')))
      errors.push({
        field: source.field,
        code: 'NO_OPTIONS_HERE',
        message: `Only a filter reads the input ${quoted(source.path)}, so it cannot have input options.`,
        fix: 'Send only its path here, and the options in the filter.',
      });
  }
  return inputs.filter((_input, index) => !filterOnly.has(index));
}

/**
 * Checks the labels inside the graphs. Returns the labels that `map` must use, each with the option that contains it.
 */
function checkAllLinks(
  graphs: readonly OptionGraph[],
  inputCount: number,
  catalogue: Catalogue,
  errors: FieldError[],
): ReadonlyMap<string, ArgvOption> {
  const openLabels = new Map<string, ArgvOption>();
  const produced = producedLabels(graphs.map(({ graph }) => graph));
  for (const { option, graph } of graphs) {
    if (errors.length >= MAX_ERRORS) break;
    const linkErrors: ValueError[] = [];
    const isComplex = option.name.name === 'filter_complex';
    const otherKind = isComplex ? undefined : checkKind(option, graph, catalogue, inputCount);
    if (otherKind !== undefined) {
      errors.push({ field: option.field, ...otherKind });
      continue;
    }
    const order = isComplex ? concatOrder(option, graph, catalogue) : undefined;
    if (order !== undefined) errors.push({ field: option.field, ...order });
    const context = isComplex
      ? ({ kind: 'complex', inputs: inputCount } as const)
      : ({ kind: 'simple', media: mediaOf(option) } as const);
    const labels = checkLinks(graph, context, catalogue, linkErrors);
    for (const error of linkErrors)
      errors.push({ field: option.field, ...withSimpleFix(withSharedLabel(error, produced), option, inputCount) });
    if (isComplex) for (const label of labels) openLabels.set(label, { ...option, checkedGraphs: [graph] });
  }
  return openLabels;
}

/**
 * The error for a `concat` whose inputs are ordered by kind (`[0:v][1:v][0:a][1:a]`). It takes them part by part, each with
 * its video first.
 */
function concatOrder(option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError | undefined {
  const filters = graph.chains.flat();
  const joins = filters.filter(({ name }) => name === 'concat');
  if (joins.length === 0) return undefined;
  const produced = new Map(
    filters.flatMap(({ name, outputs }) => {
      const pads = componentOf(catalogue, 'filter', name)?.outputs;
      return outputs.map((label): [string, string | undefined] => [
        label,
        pads === undefined || pads === 'dynamic' ? undefined : pads[0]?.media,
      ]);
    }),
  );
  /** By its specifier (`0:a`), or by the filter that produces it. undefined if it is not clear. */
  const kindOfLabel = (label = ''): string | undefined => {
    const letter = /^\d{1,4}:([vVa])(?=:|$)/.exec(label)?.[1];
    return letter === undefined ? produced.get(label) : letter === 'a' ? 'audio' : 'video';
  };
  for (const filter of joins) {
    const number = (key: string, fallback: string): number =>
      Number(filter.options.findLast((one) => one.key === key)?.value ?? fallback);
    const [parts, video, audio] = [number('n', '2'), number('v', '1'), number('a', '0')];
    const ofKind = (kind: string) => filter.inputs.filter((label) => kindOfLabel(label) === kind);
    const [videos, audios] = [ofKind('video'), ofKind('audio')];
    if (videos.length !== parts * video || audios.length !== parts * audio) continue;
    if (videos.length + audios.length !== filter.inputs.length) continue;
    const inputs = Array.from({ length: parts }, (_, part) => [
      ...videos.slice(part * video, (part + 1) * video),
      ...audios.slice(part * audio, (part + 1) * audio),
    ]).flat();
    const isWrong = filter.inputs.some((label, index) => kindOfLabel(label) !== kindOfLabel(inputs[index]));
    if (!isWrong) continue;
    const [written = graph, ...others] = option.graphs ?? [];
    const shown = others.length > 0 || isGraphError(written) ? graph : written;
    const chains = shown.chains.map((chain) => chain.map((one) => (one.at === filter.at ? { ...one, inputs } : one)));
    return {
      code: 'WRONG_ORDER',
      message: `The filter "concat" takes its inputs part by part, each with video before audio, not ${quoted(filter.inputs.map((label) => `[${label}]`).join(''))}.`,
      fix: sendOption(sentName(option), printGraph({ ...shown, chains })),
    };
  }
  return undefined;
}

/** The kind of streams that `vf` and `af` filter. */
function mediaOf({ name }: ArgvOption): 'v' | 'a' | undefined {
  const letter = name.specifier?.charAt(0).toLowerCase();
  return letter === 'v' || letter === 'a' ? letter : undefined;
}

/** The error for a filter of sound in `vf`, or of pictures in `af`. */
function checkKind(option: ArgvOption, graph: Graph, catalogue: Catalogue, inputCount: number): ValueError | undefined {
  const letter = mediaOf(option);
  if (letter === undefined) return undefined;
  const [kind, other] = letter === 'a' ? (['audio', 'video'] as const) : (['video', 'audio'] as const);
  const isOther = (name: string): boolean => {
    const pads = componentOf(catalogue, 'filter', name)?.inputs;
    return pads !== undefined && pads !== 'dynamic' && pads.length > 0 && pads.every(({ media }) => media === other);
  };
  const filters = graph.chains.flat();
  const wrong = filters.find(({ name }) => isOther(name));
  if (wrong === undefined) return undefined;
  const outputs = componentOf(catalogue, 'filter', wrong.name)?.outputs;
  // A picture of a sound, such as that of "showwaves", needs "filter_complex".
  if (wrong === filters[0] && outputs !== undefined && outputs !== 'dynamic' && outputs[0]?.media === kind) {
    const [written = graph] = option.graphs ?? [];
    const [chain = [], ...chains] = isGraphError(written) ? graph.chains : written.chains;
    const labelled = chain.map((one, index) =>
      index > 0 || one.inputs.length > 0 ? one : { ...one, inputs: [letter === 'a' ? '0:v' : '0:a'] },
    );
    const fix = complexFix({ ...graph, chains: [labelled, ...chains] }, letter, inputCount);
    return {
      code: 'WRONG_KIND',
      message: `The filter "${wrong.name}" makes ${kind} of ${other}, and "${sentName(option)}" filters ${kind}.`,
      ...(fix !== undefined && { fix }),
    };
  }
  const twin = letter === 'a' ? `a${wrong.name}` : wrong.name.replace(/^a/, '');
  const hasTwin = twin !== wrong.name && catalogue.lists.filters.has(twin) && FILTERS.has(twin);
  const sent = option.values.join(',');
  const renamed = {
    ...graph,
    chains: graph.chains.map((chain) => chain.map((one) => (one === wrong ? { ...one, name: twin } : one))),
  };
  return {
    code: 'WRONG_KIND',
    message: `The filter "${wrong.name}" is for ${other}, and "${sentName(option)}" filters ${kind}.`,
    fix: hasTwin
      ? sendOption(sentName(option), printGraph(renamed))
      : filters.every(({ name }) => isOther(name))
        ? sendOption(letter === 'a' ? 'vf' : 'af', sent)
        : `Send it in "${letter === 'a' ? 'vf' : 'af'}".`,
  };
}

/** Adds the ready filtergraph to the error about a graph that is not simple. */
function withSimpleFix(error: ValueError, option: ArgvOption, inputCount: number): ValueError {
  const [graph] = option.graphs ?? [];
  if (error.code === 'UNKNOWN_LABEL' && graph !== undefined && !isGraphError(graph)) {
    const fix = complexFix(graph, mediaOf(option), inputCount);
    return fix === undefined ? error : { ...error, fix };
  }
  if (error.code !== 'NOT_SIMPLE' || graph === undefined || isGraphError(graph)) return error;
  const filters = graph.chains.flat();
  const isLabelled = filters.some(({ inputs, outputs }) => inputs.length + outputs.length > 0);
  if (isLabelled) return error;
  if (graph.chains.length > 1)
    return { ...error, fix: sendOption(sentName(option), printGraph({ ...graph, chains: [filters] })) };
  const [first] = filters;
  if (first === undefined || filters.length !== 1 || inputCount !== 2 || !TWO_PICTURES.has(first.name)) return error;
  const complex = printGraph({ chains: [[{ ...first, inputs: ['0:v', '1:v'], outputs: ['v'] }]] });
  return { ...error, fix: `Send "filter_complex": ${JSON.stringify(complex)} and "map": ["[v]","0:a?"].` };
}

/** The fix that sends a graph with labels for streams of inputs as `filter_complex`. undefined if it has other ends. */
function complexFix(graph: Graph, media: 'v' | 'a' | undefined, inputCount: number): string | undefined {
  const filters = graph.chains.flat();
  const produced = producedLabels([graph]);
  const isStream = (label: string): boolean => Number(/^\d{1,4}(?=:|$)/.exec(label)?.[0] ?? inputCount) < inputCount;
  const last = filters.at(-1);
  if (media === undefined || last === undefined || last.outputs.length > 1) return undefined;
  if (!graph.chains.every(([first]) => (first?.inputs.length ?? 0) > 0)) return undefined;
  if (!filters.every(({ inputs }) => inputs.every((label) => isStream(label) || produced.has(label)))) return undefined;
  const output = last.outputs[0] ?? media;
  const rename = (one: GraphFilter): GraphFilter => (one === last ? { ...one, outputs: [output] } : one);
  const complex = printGraph({ ...graph, chains: graph.chains.map((chain) => chain.map(rename)) });
  const maps = media === 'v' ? [`[${output}]`, '0:a?'] : ['0:v?', `[${output}]`];
  return `Send "filter_complex": ${JSON.stringify(complex)} and "map": ${JSON.stringify(maps)}.`;
}

/** Filters of two pictures that people send in `vf`. */
const TWO_PICTURES: ReadonlySet<string> = new Set('overlay hstack vstack blend xfade alphamerge'.split(' '));

const producedLabels = (graphs: readonly Graph[]): ReadonlySet<string> =>
  new Set(graphs.flatMap(({ chains }) => chains.flat().flatMap(({ outputs }) => outputs)));

/**
 * Returns the error with a better explanation if its unknown label is an output of another graph of the request: ffmpeg
 * connects only labels of one graph.
 */
function withSharedLabel(error: ValueError, produced: ReadonlySet<string>): ValueError {
  const label = error.code === 'UNKNOWN_LABEL' ? /"\[(.*)\]"/s.exec(error.message)?.[1] : undefined;
  if (label === undefined || !produced.has(label)) return error;
  return { ...error, fix: 'Graphs of a list share no labels. Send one text, with ";" between the graphs.' };
}

/** How many characters of the graph a message shows. */
const EXCERPT = 24;

function badGraph(text: string, { error, at, meant: joined }: GraphError, name: string): ValueError {
  const meant = joined ?? withApostrophes(text) ?? withoutLooseMarks(text);
  const excerpt = text.slice(at, at + EXCERPT);
  return {
    code: 'BAD_FILTERGRAPH',
    message: `${error}${excerpt === '' ? ', at the end of the filtergraph' : `, at character ${at + 1}: "${excerpt}"`}.`,
    fix:
      meant !== undefined && meant.length <= MAX_SUGGESTION
        ? sendOption(name, meant)
        : 'Write it as on the command line, without the quotes for the shell. A backslash escapes a special character.',
  };
}
