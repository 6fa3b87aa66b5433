import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { Graph, GraphFilter } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { readPlainNumber } from '../../values/number.ts';
import { sendOption } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { isFilmExtension, isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { type WrittenGraph, withFilters, writtenGraphs } from './written-graphs.ts';

/** The largest `size`: of frames for `loop`, of samples for `aloop`. */
const LARGEST = { loop: '32767', aloop: '2147483647' } as const;

const isLoop = (name: string): name is keyof typeof LARGEST => name === 'loop' || name === 'aloop';

/** Whether a filter `loop` or `aloop` repeats nothing, because it has no `size`, which is then 0. */
export function repeatsNothing({ name, options }: GraphFilter): boolean {
  if (!isLoop(name)) return false;
  const size = options.findLast(({ key }) => key === 'size');
  return size === undefined || readPlainNumber(size.value) === 0;
}

/** Whether the filter is asked to repeat something. */
const asksForLoops = ({ options }: GraphFilter): boolean => {
  const loops = options.findLast(({ key }) => key === 'loop');
  return loops !== undefined && readPlainNumber(loops.value) !== 0;
};

/** Filters before the loop after which a part of the film is left, so that the file as a whole is not what is repeated. */
const SHORTENING = /^(?:a?trim|a?select|a?reverse|thumbnail|tile|framestep)$/;

/**
 * Warns about `loop=3`: without the number of frames in `size`, the filter repeats nothing. A whole film is repeated with
 * `stream_loop`, because the filter keeps all its frames in memory.
 */
export const loopSizes = (options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] =>
  writtenGraphs(options).flatMap((graph) => {
    const { option, checked } = graph;
    const idle = checked.chains.flat().find((filter) => repeatsNothing(filter) && asksForLoops(filter));
    if (idle === undefined) return [];
    const unit = idle.name === 'loop' ? 'frames' : 'samples';
    return [
      {
        field: option.field,
        code: 'NO_EFFECT',
        message: `The filter "${idle.name}" repeats nothing without "size", the number of ${unit} to repeat.`,
        fix: repeatedFilm(graph, options, inputs) ?? sendOption(sentName(option), printGraph(withSizes(graph, inputs))),
      },
    ];
  });

/** Repeats the only input, a film, instead of its frames. undefined if that is not the same. */
function repeatedFilm(
  { option, written, checked }: WrittenGraph,
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
): string | undefined {
  const [input, ...otherInputs] = inputs;
  const [chain, ...otherChains] = written.chains;
  const at = chain?.findIndex(({ name }) => name === 'loop') ?? -1;
  const loop = checked.chains[0]?.[at];
  if (option.name.name !== 'filter' || input === undefined || chain === undefined || loop === undefined)
    return undefined;
  if (otherInputs.length > 0 || otherChains.length > 0 || !isFilmExtension(extension(input.source.path)))
    return undefined;
  const hasPart = [...options, ...input.options].some(({ name }) => /^(?:ss|sseof|t|to|stream_loop)$/.test(name.name));
  const hasStart = loop.options.some(({ key }) => key === 'start' || key === 'time');
  if (hasPart || hasStart || chain.some(({ name }) => SHORTENING.test(name))) return undefined;
  const loops = loop.options.findLast(({ key }) => key === 'loop')?.value ?? '';
  const others = chain.filter((_one, place) => place !== at);
  const repeated = `"stream_loop": ${JSON.stringify(loops)}`;
  if (others.length === 0) return `Send ${repeated} instead of "${sentName(option)}".`;
  const rest = printGraph({ ...written, chains: [others] });
  return `Send ${repeated} and "${sentName(option)}": ${JSON.stringify(rest)}.`;
}

/** The graph with the largest size in each loop, or that of a single picture. */
function withSizes(graph: WrittenGraph, inputs: readonly ArgvInput[]): Graph {
  const isPicture =
    inputs.length === 1 &&
    inputs.every(({ source }) => source.sequence === undefined && isPictureExtension(extension(source.path)));
  return withFilters(graph, (filter, named) => {
    if (!isLoop(filter.name) || !repeatsNothing(named)) return filter;
    const size = filter.name === 'loop' && isPicture ? '1' : LARGEST[filter.name];
    return { ...filter, options: [...named.options.filter(({ key }) => key !== 'size'), { key: 'size', value: size }] };
  });
}
