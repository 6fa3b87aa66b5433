import { type Edits, sendIn, sendOption, withMore } from '../../../domain/edit.ts';
import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type Graph, type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { parseDuration } from '../../values/duration.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type ArgvOption, readTrim, sentName } from '../request/argv-option.ts';
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
        fix:
          repeatedFilm(graph, options, inputs) ??
          repeatedInput(graph, inputs) ??
          sendOption(sentName(option), printGraph(withSizes(graph, inputs))),
      },
    ];
  });

/** Repeats the only input, a film, instead of its frames. undefined if that is not the same. */
function repeatedFilm(
  { option, written, checked }: WrittenGraph,
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
): Edits | undefined {
  const [input, ...otherInputs] = inputs;
  const [chain, ...otherChains] = written.chains;
  const at = chain?.findIndex(({ name }) => name === 'loop') ?? -1;
  const loop = checked.chains[0]?.[at];
  if (option.name.name !== 'filter' || input === undefined || chain === undefined || loop === undefined)
    return undefined;
  if (otherInputs.length > 0 || otherChains.length > 0 || !isFilmExtension(extension(input.source.path)))
    return undefined;
  // A cut of the output comes after the repetition, as it does after the filter.
  const hasPart =
    input.options.some(({ name }) => /^(?:ss|sseof|t|to|stream_loop)$/.test(name.name)) ||
    options.some(({ name }) => name.name === 'stream_loop');
  const hasStart = loop.options.some(({ key }) => key === 'start' || key === 'time');
  if (hasPart || hasStart || chain.some(({ name }) => SHORTENING.test(name))) return undefined;
  const loops = loop.options.findLast(({ key }) => key === 'loop')?.value ?? '';
  const others = chain.filter((_one, place) => place !== at);
  const repeated = sendOption('stream_loop', loops);
  const name = sentName(option);
  return withMore(
    repeated,
    others.length === 0
      ? { do: 'remove', name }
      : { do: 'send', name, value: printGraph({ ...written, chains: [others] }) },
  );
}

/** Repeats the input of a complex graph, a film, instead of its frames. undefined if that is not the same. */
function repeatedInput({ option, written, checked }: WrittenGraph, inputs: readonly ArgvInput[]): Edits | undefined {
  const number = checked.chains.findIndex((chain) =>
    chain.some((filter) => filter.name === 'loop' && repeatsNothing(filter)),
  );
  const [chain, named] = [written.chains[number], checked.chains[number]];
  const at = named?.findIndex((filter) => filter.name === 'loop' && repeatsNothing(filter)) ?? -1;
  const loop = named?.[at];
  const label = FILM_LABEL.exec(chain?.[0]?.inputs[0] ?? '')?.[1];
  const input = label === undefined ? undefined : inputs[Number(label)];
  if (option.name.name !== 'filter_complex' || loop === undefined || chain === undefined || input === undefined)
    return undefined;
  if (!isFilmExtension(extension(input.source.path)) || inputs.some((one) => one.options.length > 0)) return undefined;
  if (loop.options.some(({ key }) => key === 'start' || key === 'time')) return undefined;
  if (chain.slice(0, at).some(({ name }) => SHORTENING.test(name))) return undefined;
  const loops = loop.options.findLast(({ key }) => key === 'loop')?.value ?? '';
  const sent = inputs.map((one) =>
    one === input ? { input: one.source.path, parameters: { stream_loop: loops } } : one.source.path,
  );
  const chains = written.chains.map((one) =>
    one === chain
      ? one.map((filter, place) => (place === at ? { ...filter, name: 'null', options: [] } : filter))
      : one,
  );
  return withMore(inputs.length === 1 ? sendOption('stream_loop', loops) : sendIn('request', 'inputs', sent), {
    do: 'send',
    name: sentName(option),
    value: printGraph({ ...written, chains }),
  });
}

/** A label of the picture of an input: `0:v`, `0:v:0`, `0`. */
const FILM_LABEL = /^(\d+)(?::v(?::0)?)?$/;

/** The highest frame rate of usual films. */
const MOST_FRAMES_PER_SECOND = 120;

/**
 * The seconds before the loop, if an option cuts the input or a filter cuts its part: the loop keeps all their frames in
 * memory. undefined if nothing tells.
 */
function secondsBefore(
  filter: GraphFilter,
  { checked }: WrittenGraph,
  inputs: readonly ArgvInput[],
): number | undefined {
  const chain = checked.chains.find((one) => one.includes(filter)) ?? [];
  const cuts = chain.slice(0, chain.indexOf(filter)).filter(({ name }) => name === 'trim');
  const ends = cuts.flatMap(({ options }) =>
    options.flatMap(({ key, value }) => (/^(?:end|duration)$/.test(key ?? '') ? (parseDuration(value) ?? []) : [])),
  );
  const [input, ...others] = inputs;
  const { start = 0, duration, end } = readTrim(input?.options ?? []);
  const ofInput = others.length > 0 ? undefined : (duration ?? (end === undefined ? undefined : end - start));
  const all = [...ends, ...(ofInput === undefined ? [] : [ofInput])].filter((seconds) => seconds > 0);
  return all.length === 0 ? undefined : Math.min(...all);
}

/** The graph with a size in each loop that is enough: that of a single picture, of the part before it, or the largest one. */
function withSizes(graph: WrittenGraph, inputs: readonly ArgvInput[]): Graph {
  const isPicture =
    inputs.length === 1 &&
    inputs.every(({ source }) => source.sequence === undefined && isPictureExtension(extension(source.path)));
  return withFilters(graph, (filter, named) => {
    if (!isLoop(filter.name) || !repeatsNothing(named)) return filter;
    const seconds = filter.name === 'loop' ? secondsBefore(named, graph, inputs) : undefined;
    const frames = seconds === undefined ? undefined : String(Math.ceil(seconds * MOST_FRAMES_PER_SECOND));
    const size = filter.name === 'loop' && isPicture ? '1' : (frames ?? LARGEST[filter.name]);
    return { ...filter, options: [...named.options.filter(({ key }) => key !== 'size'), { key: 'size', value: size }] };
  });
}
