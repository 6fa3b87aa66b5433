import { type MediaPath, parseMediaPath } from '../../domain/media-path.ts';
import type { FieldError } from '../../domain/problem.ts';
import { type Graph, type GraphFilter, type GraphOption, isGraphFault } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { printGraph } from '../filtergraph/print.ts';
import { FILTER_FILES, type FilterFile } from '../policy/filter-files.ts';
import type { ReadInput } from './inputs.ts';
import type { ReadOption } from './read-options.ts';

/** The options with their filtergraphs in one spelling, in which files have their names in the argv. */
export interface NamedFiles {
  readonly options: readonly ReadOption[];
  /** The inputs that ffmpeg opens itself; the others are read by filters alone. */
  readonly opened: readonly ReadInput[];
}

const GRAPHS: ReadonlySet<string> = new Set(['filter', 'filter_complex']);

/**
 * Reads the filtergraphs and puts the inputs that they name as files (`subtitles=talk.srt`) where ffmpeg finds them.
 * Such an input stands in the request's `inputs` as any other, and is no `-i`, unless a map or a label names it too.
 */
export function nameFilterFiles(
  options: readonly ReadOption[],
  inputs: readonly ReadInput[],
  root: string,
  errors: FieldError[],
): NamedFiles {
  if (!options.some(({ name }) => GRAPHS.has(name.name))) return { options, opened: inputs };
  const read = new Set<number>();
  const streams = new Set<number>();
  const rewritten = options.map((option) => {
    for (const value of option.values) if (INDEXED.has(option.name.name)) noteIndex(value, streams);
    if (!GRAPHS.has(option.name.name)) return option;
    const values = option.values.map((text) => {
      const graph = parseGraph(text);
      if (isGraphFault(graph)) {
        errors.push({ field: option.field, ...badGraph(text, graph.fault, graph.at) });
        return text;
      }
      for (const filter of graph.chains.flat()) for (const label of filter.inputs) noteIndex(label, streams);
      return printGraph(withFiles(graph, option.field, { inputs, root, read, errors }));
    });
    return { ...option, values };
  });
  const alone = new Set([...read].filter((index) => !streams.has(index)));
  if (alone.size === 0 || alone.size === inputs.length) return { options: rewritten, opened: inputs };
  checkOrder(inputs, alone, errors);
  return { options: rewritten, opened: inputs.filter((_input, index) => !alone.has(index)) };
}

/** Options whose values begin with the number of an input. */
const INDEXED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

function noteIndex(text: string, into: Set<number>): void {
  const index = /^-?(\d{1,3})(?![^:.?])/.exec(text)?.[1];
  if (index !== undefined) into.add(Number(index));
}

interface Files {
  readonly inputs: readonly ReadInput[];
  readonly root: string;
  /** Indexes of the inputs that a filter reads. */
  readonly read: Set<number>;
  readonly errors: FieldError[];
}

function withFiles(graph: Graph, field: string, files: Files): Graph {
  const rename = (filter: GraphFilter): GraphFilter => {
    const table = FILTER_FILES.get(filter.name);
    if (table === undefined) return filter;
    return { ...filter, options: filter.options.map((option, at) => renamed(filter.name, option, at, table)) };
  };
  const renamed = (name: string, option: GraphOption, at: number, table: readonly FilterFile[]): GraphOption => {
    const file = table.find(({ names, position }) =>
      option.key === undefined ? position === at : names.includes(option.key),
    );
    if (file === undefined) return option;
    const index = inputNamed(option.value, files);
    if (index === undefined) {
      files.errors.push({ field, ...notAnInput(name, option.value) });
      return option;
    }
    files.read.add(index);
    return { ...option, value: files.inputs[index]?.planned.logical ?? '' };
  };
  return { ...graph, chains: graph.chains.map((chain) => chain.map(rename)) };
}

function inputNamed(text: string, { inputs, root }: Files): number | undefined {
  const path: MediaPath | object = parseMediaPath(text, root);
  const index = inputs.findIndex(({ planned }) => planned.path === path && planned.sequence === undefined);
  return index < 0 ? undefined : index;
}

/** ffmpeg counts only what it opens: a file among them would shift the numbers that the caller counted. */
function checkOrder(inputs: readonly ReadInput[], alone: ReadonlySet<number>, errors: FieldError[]): void {
  const lastOpened = inputs.findLastIndex((_input, index) => !alone.has(index));
  for (const [index, { planned, options, duration }] of inputs.entries()) {
    if (!alone.has(index)) continue;
    if (index < lastOpened)
      errors.push({
        field: planned.field,
        code: 'WRONG_ORDER',
        message: 'This file is read by a filter only, and stands before an input that is converted.',
        fix: 'Put it at the end of "inputs"; maps and labels count the inputs before it.',
      });
    if (duration !== undefined || options.some(({ field }) => field.startsWith('/inputs/')))
      errors.push({
        field: planned.field,
        code: 'NO_OPTIONS_HERE',
        message: 'This file is read by a filter only, so it takes no options as an input.',
        fix: 'Send its path alone, and the options in the filter.',
      });
  }
}

const notAnInput = (filter: string, value: string): Omit<FieldError, 'field'> => ({
  code: 'NOT_AN_INPUT',
  message: `The filter "${filter}" reads the file "${value.slice(0, 64)}", which is none of the request's inputs.`,
  fix: 'Name the file in "inputs" too, after the media, by the same path: {"inputs": ["in.mp4", "talk.srt"]} and "subtitles=talk.srt".',
});

const EXCERPT = 24;

function badGraph(text: string, fault: string, at: number): Omit<FieldError, 'field'> {
  const near = text.slice(at, at + EXCERPT);
  return {
    code: 'BAD_FILTERGRAPH',
    message: `${fault}${near === '' ? ', at the end of the filtergraph' : `, at character ${at + 1}: "${near}"`}.`,
    fix: 'Write it as on the command line, without the quotes that the shell takes away; a backslash quotes a character that has a meaning.',
  };
}
