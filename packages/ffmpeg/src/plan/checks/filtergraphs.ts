import { foreignPath } from '@telecine/contract/domain/foreign-path.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import { type FieldError, hasEnough } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { checkLinks } from '../../filtergraph/check-links.ts';
import {
  changeFilters,
  errorSpan,
  type Graph,
  type GraphError,
  isGraphError,
  printGraph,
  walkOf,
} from '../../filtergraph/graph.ts';
import { type FindPlaces, findPlaces } from '../../filtergraph/graph-places.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { isStreamSpecifier } from '../request/specifiers.ts';
import { checkGraph } from './check-graph.ts';
import { graphBeside } from './complex-graph.ts';
import { FilterFiles } from './filter-files.ts';
import { checkKind, mediaOf, producedLabels } from './graph-kinds.ts';
import { labelOfOtherKind, unknownSpecifier } from './graph-labels.ts';
import { checkMaps, type GraphUse, type OtherOutputs } from './maps.ts';

export interface CheckedFiltergraphs {
  /** The options with filtergraphs as the service prints them, with logical names for files. */
  readonly options: readonly ArgvOption[];
  /** The inputs that ffmpeg opens itself. Filters read all other inputs. */
  readonly opened: readonly ArgvInput[];
  /** The logical names of files whose format a filter detects by content. */
  readonly byContent: readonly string[];
}

/** Options whose values begin with the number of an input. */
const INDEXED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

interface GraphFacts {
  readonly catalogue: Catalogue;
  readonly scope: PathScope;
  /** The other outputs of the same run of ffmpeg. undefined: there are none. */
  readonly others?: OtherOutputs | undefined;
}

/**
 * Checks the filtergraphs and prints them from their parsed form, so that the client's text never reaches the argv. If a filter reads an
 * input as a file (`subtitles=talk.srt`), the printed text has the logical name of the input. Such an input gets no `-i`, unless a map or a
 * label names it too.
 */
export function checkFiltergraphs(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  facts: GraphFacts,
  errors: FieldError[],
): CheckedFiltergraphs {
  const { others } = facts;
  if (!hasGraph(options) && !(others !== undefined && hasGraph(others.options))) {
    checkMaps(options, new Map(), others, errors);
    return { options, opened: inputs, byContent: [] };
  }
  const files = new FilterFiles(inputs, facts.scope);
  const checked: OptionGraph[] = [];
  const canonical = options.map((option) => checkOption(option, facts.catalogue, files, checked, errors));
  const own = graphUseOf(options, files, checked);
  // The filtergraphs of all outputs determine which inputs ffmpeg opens.
  const use = others === undefined ? own : joinUse(own, others.graphUse());
  const opened = selectOpenedInputs(inputs, use, errors);
  const openLabels = checkAllLinks(checked, facts.catalogue, opened.length, errors);
  if (errors.length === 0) checkMaps(canonical, openLabels, others, errors);
  const beside = errors.length === 0 && others === undefined ? graphBeside(canonical, facts.catalogue) : undefined;
  if (beside !== undefined) errors.push(beside);
  return { options: canonical, opened, byContent: [...use.byContent] };
}

const hasGraph = (options: readonly ArgvOption[]): boolean => options.some(({ graphs }) => graphs !== undefined);

/** How the filtergraphs of the options use the inputs. Errors are ignored here, because the check of the output reports them. */
export function graphUse(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  { catalogue, scope }: Pick<GraphFacts, 'catalogue' | 'scope'>,
): GraphUse {
  const files = new FilterFiles(inputs, scope);
  const checked: OptionGraph[] = [];
  for (const option of options) checkOption(option, catalogue, files, checked, []);
  return graphUseOf(options, files, checked);
}

const graphUseOf = (options: readonly ArgvOption[], files: FilterFiles, graphs: readonly OptionGraph[]): GraphUse => ({
  files: files.inputs,
  byContent: files.byContent,
  numbers: files.inputs.size === 0 ? new Set() : inputNumbers(options, graphs),
});

const joinUse = (one: GraphUse, other: GraphUse): GraphUse => ({
  files: new Set([...one.files, ...other.files]),
  byContent: new Set([...one.byContent, ...other.byContent]),
  numbers: new Set([...one.numbers, ...other.numbers]),
});

/** A graph without errors, and the option that has it. */
interface OptionGraph {
  readonly option: ArgvOption;
  readonly graph: Graph;
  /** Finds the positions of filters in the client's text. */
  readonly placesOf: FindPlaces;
}

/**
 * Checks the graphs of one option. Returns the option with printed graphs, and adds the graphs without errors to `checked`. Cached, because
 * the check of each output also checks the graphs of all other outputs.
 */
function checkOption(
  option: ArgvOption,
  catalogue: Catalogue,
  files: FilterFiles,
  checked: OptionGraph[],
  errors: FieldError[],
): ArgvOption {
  const { graphs } = option;
  if (graphs === undefined || hasEnough(errors)) return option;
  const before = checkedOptions.get(graphs);
  const isSame =
    before?.lists === catalogue.lists && before.devices === catalogue.devices && before.inputs === files.key;
  const result = isSame ? before : checkGraphs(option, graphs, catalogue, new FilterFiles(files.all, files.scope));
  if (!isSame) checkedOptions.set(graphs, result);
  files.add(result.files);
  errors.push(...result.errors);
  checked.push(...result.checked.map((one) => ({ ...one, option })));
  const checkedGraphs = result.checked.map(({ graph }) => graph);
  return { ...option, values: result.values, checkedGraphs };
}

/** The result of checking the graphs of an option, and what it depends on, for the cache. */
interface CheckedOption {
  readonly lists: Catalogue['lists'];
  readonly devices: Catalogue['devices'] | undefined;
  /** See `FilterFiles.key`. */
  readonly inputs: string;
  readonly values: readonly string[];
  readonly checked: readonly Omit<OptionGraph, 'option'>[];
  readonly errors: readonly FieldError[];
  readonly files: FilterFiles;
}

/** Results of `checkOption`, by the parsed graphs of the option. Each request has its own. */
const checkedOptions = new WeakMap<NonNullable<ArgvOption['graphs']>, CheckedOption>();

function checkGraphs(
  option: ArgvOption,
  graphs: NonNullable<ArgvOption['graphs']>,
  catalogue: Catalogue,
  files: FilterFiles,
): CheckedOption {
  const { field } = option;
  const checked: Omit<OptionGraph, 'option'>[] = [];
  const errors: FieldError[] = [];
  const produced = producedLabels(graphs.flatMap((one) => (isGraphError(one) ? [] : [one])));
  const values = option.values.map((text, index) => {
    const parsed = graphs[index];
    if (hasEnough(errors) || parsed === undefined) return text;
    if (isGraphError(parsed)) {
      const { length = 0 } = DRIVE.exec(text.slice(0, parsed.at))?.[0] ?? {};
      errors.push({ field, ...(foreignFile(text, parsed.at - length) ?? badGraph(text, parsed)) });
      return text;
    }
    const ownErrors: ValueError[] = [];
    const isComplex = option.name.name === 'filter_complex';
    const placesOf = findPlaces(text);
    const numbered = isComplex ? withInputNumbers(parsed, produced) : parsed;
    const graph = checkGraph(numbered, placesOf, catalogue, files, ownErrors);
    const foreign = ownErrors.flatMap(({ code, at }) =>
      code === 'NOT_AN_INPUT' && at !== undefined ? (foreignFile(text, at.offset) ?? []) : [],
    );
    errors.push(...(foreign.length > 0 ? foreign : ownErrors).map((error) => ({ field, ...error })));
    // Print only a graph that passed the checks.
    if (ownErrors.length > 0) return text;
    checked.push({ graph, placesOf });
    return printGraph(graph);
  });
  const { lists, devices } = catalogue;
  return { lists, devices, inputs: files.key, values, checked, errors, files };
}

/** Matches what an option with a name takes of `C:\talk.srt`, and the backslashes that quote the rest. */
const DRIVE = /[A-Za-z]:\\{0,4}$/;

/** The error for a file on the machine of the client, whose name begins here. The colon after its drive or protocol ends the value. */
function foreignFile(text: string, offset: number): ValueError | undefined {
  const [path = ''] = /^[^,;[\]]*/.exec(text.slice(Math.max(0, offset))) ?? [];
  const error = foreignPath(path);
  return error && { ...error, at: { offset, length: path.length } };
}

/** The number of characters of the graph that a message shows. */
const EXCERPT = 24;

function badGraph(text: string, parsed: GraphError): ValueError {
  const { error, at } = parsed;
  const excerpt = text.slice(at, at + EXCERPT);
  return {
    code: 'BAD_FILTERGRAPH',
    message: `${error}${excerpt === '' ? ', at the end of the filtergraph' : `, at character ${at + 1}: "${excerpt}"`}.`,
    at: errorSpan(parsed, text),
  };
}

/**
 * Adds the input number to labels such as `[v]` and `[#0x100]`, which ffmpeg reads as streams of the first input. A label that another
 * graph outputs stays as it is, because the client means this output.
 */
function withInputNumbers(graph: Graph, produced: ReadonlySet<string>): Graph {
  const numbered = (label: string): string => {
    const specifier = label.replace(/^:/, '');
    const isStream =
      !produced.has(label) && (label !== specifier || !/^\d/.test(label)) && isStreamSpecifier(specifier);
    return isStream ? `0:${specifier}` : label;
  };
  if (![...walkOf(graph).taken].some((label) => numbered(label) !== label)) return graph;
  return changeFilters(graph, (filter) => [{ ...filter, inputs: filter.inputs.map(numbered) }]);
}

/** The numbers of inputs in maps and labels. */
function inputNumbers(options: readonly ArgvOption[], graphs: readonly OptionGraph[]): ReadonlySet<number> {
  const texts = [
    ...options.flatMap(({ name, values }) => (INDEXED.has(name.name) ? values : [])),
    ...graphs.flatMap(({ graph }) => [...walkOf(graph).taken]),
  ];
  return new Set(
    texts.flatMap((text) => {
      const index = /^-?(\d{1,3})(?![^:.?])/.exec(text)?.[1];
      return index === undefined ? [] : [Number(index)];
    }),
  );
}

/** Returns the inputs that ffmpeg opens. Inputs that only filters read must come last, because ffmpeg does not count them. */
function selectOpenedInputs(
  inputs: readonly ArgvInput[],
  { files, numbers }: GraphUse,
  errors: FieldError[],
): readonly ArgvInput[] {
  const filterOnly = new Set([...files].filter((index) => !numbers.has(index)));
  if (filterOnly.size === 0 || filterOnly.size === inputs.length) return inputs;
  const lastOpened = inputs.findLastIndex((_input, index) => !filterOnly.has(index));
  for (const [index, { source, options, duration }] of inputs.entries()) {
    if (!filterOnly.has(index)) continue;
    if (index < lastOpened)
      errors.push({
        field: source.field,
        code: 'WRONG_ORDER',
        message: `Only a filter reads the input ${quoted(source.path)}, but it comes before an input that is converted. Inputs for filters come last in "inputs".`,
      });
    if (duration !== undefined || options.some(({ field }) => field.startsWith('/inputs/')))
      errors.push({
        field: source.field,
        code: 'NO_OPTIONS_HERE',
        message: `Only a filter reads the input ${quoted(source.path)}, so it cannot have input options. The options belong in the filter.`,
      });
  }
  return inputs.filter((_input, index) => !filterOnly.has(index));
}

/** Checks the labels of the graphs. Returns the labels that `map` must use, each with the option that has it. */
function checkAllLinks(
  graphs: readonly OptionGraph[],
  catalogue: Catalogue,
  inputCount: number,
  errors: FieldError[],
): ReadonlyMap<string, ArgvOption> {
  const openLabels = new Map<string, ArgvOption>();
  const produced = producedLabels(graphs.map(({ graph }) => graph));
  for (const { option, graph, placesOf } of graphs) {
    if (hasEnough(errors)) break;
    const linkErrors: ValueError[] = [];
    const isComplex = option.name.name === 'filter_complex';
    const blocking = isComplex ? unknownSpecifier(graph, produced) : checkKind(option, graph, catalogue);
    if (blocking !== undefined) {
      errors.push({ field: option.field, ...blocking });
      continue;
    }
    const misfit = isComplex ? labelOfOtherKind(graph, catalogue) : undefined;
    if (misfit !== undefined) errors.push({ field: option.field, ...misfit });
    const context = isComplex
      ? ({ kind: 'complex', inputs: inputCount } as const)
      : ({ kind: 'simple', name: sentName(option), media: mediaOf(option) } as const);
    const labels = checkLinks(graph, context, catalogue, linkErrors, placesOf);
    errors.push(...linkErrors.map((error) => ({ field: option.field, ...error })));
    if (isComplex) for (const label of labels) openLabels.set(label, option);
  }
  return openLabels;
}
