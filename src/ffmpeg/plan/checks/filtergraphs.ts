import { parseMediaPath } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type CheckedFilter, checkFilter } from '../../filtergraph/check-filter.ts';
import { checkLinks } from '../../filtergraph/check-links.ts';
import { type Graph, isGraphError } from '../../filtergraph/graph.ts';
import { checkScalerFlags } from '../../filtergraph/known-words.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { sendInstead, suggestedValue, type ValueError } from '../../values/value-error.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/** The options with their filtergraphs checked and in one spelling, in which files have their names in the argv. */
export interface CheckedFiltergraphs {
  readonly options: readonly ArgvOption[];
  /** The inputs that ffmpeg opens itself; the others are read by filters alone. */
  readonly opened: readonly ArgvInput[];
  /** Names in the argv of files that filters open by what they hold. */
  readonly byContent: readonly string[];
}

const GRAPHS: ReadonlySet<string> = new Set(['filter', 'filter_complex']);

/** A caller is told fewer, and looking for the nearest of many names takes its time. */
const FAULTS_ENOUGH = 100;

/** Options whose values begin with the number of an input. */
const INDEXED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

/**
 * Checks the filtergraphs, writes them anew, and puts the inputs that they name as files (`subtitles=talk.srt`) where
 * ffmpeg finds them. Such an input stands in the request's `inputs` as any other, and is no `-i`, unless a map or a
 * label names it too. The caller's own text never gets into the argv.
 */
export function checkFiltergraphs(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  facts: { readonly catalogue: Catalogue; readonly root: string },
  errors: FieldError[],
): CheckedFiltergraphs {
  if (!options.some(isGraph)) {
    checkMaps(options, new Map(), errors);
    return { options, opened: inputs, byContent: [] };
  }
  const { catalogue, root } = facts;
  const read = new Set<number>();
  const byContent = new Set<string>();
  const fileNamed = (path: string, isByContent: boolean): string | undefined => {
    const wanted: unknown = parseMediaPath(path, root);
    const index = inputs.findIndex(({ source }) => source.path === wanted && source.sequence === undefined);
    if (index >= 0) read.add(index);
    const logical = inputs[index]?.source.logical;
    if (logical !== undefined && isByContent) byContent.add(logical);
    return logical;
  };
  const graphs: { readonly option: ArgvOption; readonly graph: Graph }[] = [];
  const rewritten = options.map((option) => {
    if (!isGraph(option)) return option;
    const values = option.values.map((text) => {
      if (errors.length >= FAULTS_ENOUGH) return text;
      const graph = parseGraph(text);
      if (isGraphError(graph)) {
        errors.push({ field: option.field, ...badGraph(text, graph.error, graph.at) });
        return text;
      }
      const faults: ValueError[] = [];
      const flags = graph.scalerFlags && checkScalerFlags('sws_flags', graph.scalerFlags, catalogue);
      if (flags) faults.push(flags);
      const filters = graph.chains.map((chain) =>
        chain.map((filter) => checkFilter(filter, { catalogue, fileNamed }, faults)),
      );
      const whole = faults.length === 0 ? undefined : meantGraph(graph, filters, flags || undefined);
      for (const fault of faults)
        errors.push({ field: option.field, ...fault, ...(whole && { fix: sendInstead(whole) }) });
      if (faults.length > 0) return text;
      const checked: Graph = { ...graph, chains: filters.map((chain) => chain.map(({ checked: one }) => one)) };
      graphs.push({ option, graph: checked });
      return printGraph(checked);
    });
    return { ...option, values };
  });
  const opened = openedInputs(inputs, read, indexesIn(options, graphs), errors);
  const left = new Map<string, ArgvOption>();
  for (const { option, graph } of graphs) {
    if (errors.length >= FAULTS_ENOUGH) break;
    const faults: ValueError[] = [];
    const place =
      option.name.name === 'filter_complex'
        ? ({ kind: 'complex', inputs: opened.length } as const)
        : ({ kind: 'simple' } as const);
    const loose = checkLinks(graph, place, catalogue, faults);
    for (const fault of faults) errors.push({ field: option.field, ...fault });
    if (place.kind === 'complex') for (const label of loose) left.set(label, option);
  }
  if (errors.length === 0) checkMaps(options, left, errors);
  return { options: rewritten, opened, byContent: [...byContent] };
}

/** Longer ones are not repeated to the caller. */
const LONGEST_MEANT = 500;

/** The whole graph with what is wrong as it was probably meant; undefined where that cannot be told of all. */
function meantGraph(
  graph: Graph,
  filters: readonly (readonly CheckedFilter[])[],
  flagsFault: ValueError | undefined,
): string | undefined {
  const chains = filters.map((chain) => chain.flatMap(({ meant }) => meant ?? []));
  const scalerFlags = flagsFault === undefined ? graph.scalerFlags : suggestedValue(flagsFault);
  const lost = chains.some((chain, index) => chain.length !== filters[index]?.length);
  if (lost || (flagsFault !== undefined && scalerFlags === undefined)) return undefined;
  const printed = printGraph({ ...(scalerFlags !== undefined && { scalerFlags }), chains });
  return printed.length <= LONGEST_MEANT ? printed : undefined;
}

const isGraph = ({ name }: ArgvOption): boolean => GRAPHS.has(name.name);

/** The inputs that maps and labels name by their number. */
function indexesIn(options: readonly ArgvOption[], graphs: readonly { readonly graph: Graph }[]): ReadonlySet<number> {
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

/** ffmpeg counts only what it opens: a file among them would shift the numbers that the caller counted. */
function openedInputs(
  inputs: readonly ArgvInput[],
  read: ReadonlySet<number>,
  streams: ReadonlySet<number>,
  errors: FieldError[],
): readonly ArgvInput[] {
  const alone = new Set([...read].filter((index) => !streams.has(index)));
  if (alone.size === 0 || alone.size === inputs.length) return inputs;
  const lastOpened = inputs.findLastIndex((_input, index) => !alone.has(index));
  for (const [index, { source, options, duration }] of inputs.entries()) {
    if (!alone.has(index)) continue;
    if (index < lastOpened)
      errors.push({
        field: source.field,
        code: 'WRONG_ORDER',
        message: 'This file is read by a filter only, and stands before an input that is converted.',
        fix: 'Put it at the end of "inputs"; maps and labels count the inputs before it.',
      });
    if (duration !== undefined || options.some(({ field }) => field.startsWith('/inputs/')))
      errors.push({
        field: source.field,
        code: 'NO_OPTIONS_HERE',
        message: 'This file is read by a filter only, so it takes no options as an input.',
        fix: 'Send its path alone, and the options in the filter.',
      });
  }
  return inputs.filter((_input, index) => !alone.has(index));
}

/** Every label that a graph leaves open is mapped once, and no map names another. */
function checkMaps(options: readonly ArgvOption[], left: ReadonlyMap<string, ArgvOption>, errors: FieldError[]): void {
  const mapped = new Set<string>();
  for (const { name, field, values } of options) {
    if (name.name !== 'map') continue;
    for (const value of values) {
      const label = /^\[(.*)\]$/s.exec(value)?.[1];
      if (label === undefined) continue;
      if (!left.has(label) || mapped.has(label))
        errors.push({
          field,
          code: 'UNKNOWN_LABEL',
          message: mapped.has(label)
            ? `"[${label}]" is mapped twice.`
            : `No filtergraph leaves an output "[${label.slice(0, 64)}]" open.`,
          ...(left.size > 0 && { allowed: [...left.keys()].slice(0, 20).map((one) => `[${one}]`) }),
          fix: 'Map every open label of the filtergraph once; "split" and "asplit" make two of one stream.',
        });
      mapped.add(label);
    }
  }
  for (const [label, { field }] of left)
    if (!mapped.has(label))
      errors.push({
        field,
        code: 'UNUSED_LABEL',
        message: `The filtergraph makes "[${label.slice(0, 64)}]", and nothing takes it.`,
        fix: `Send "map": "[${label.slice(0, 64)}]" (a list where there are more), or leave the label out.`,
      });
}

const EXCERPT = 24;

function badGraph(text: string, fault: string, at: number): ValueError {
  const near = text.slice(at, at + EXCERPT);
  return {
    code: 'BAD_FILTERGRAPH',
    message: `${fault}${near === '' ? ', at the end of the filtergraph' : `, at character ${at + 1}: "${near}"`}.`,
    fix: 'Write it as on the command line, without the quotes that the shell takes away; a backslash quotes a character that has a meaning.',
  };
}
