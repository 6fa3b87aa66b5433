import { addIn, type Edit, type Edits, orElse, sendIn, sendOption, withMore } from '../../../domain/edit.ts';
import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import {
  changeFilters,
  type Graph,
  type GraphChain,
  type GraphFilter,
  isGraphError,
  printGraph,
} from '../../filtergraph/graph.ts';
import { type ArgvOption, readTrim, sentName } from '../../plan/request/argv-option.ts';
import { isFilmExtension, isPictureExtension } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import {
  AUDIO_SOURCES,
  ENDING_OPTIONS,
  isEndlessInput,
  isUnlimited,
  VIDEO_SOURCES,
} from '../../plan/request/sources.ts';
import { parseDuration } from '../../values/duration.ts';
import { readPlainNumber } from '../../values/number.ts';
import { quoted } from '../../values/value-error.ts';
import type { Rule } from '../contexts.ts';
import { sendGraph, type WrittenGraph, withFilters } from '../facts/written-graphs.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Filters that end with their shortest input, or after a number of frames or seconds. */
const ENDING_FILTERS = words(
  'trim atrim amerge join sidechaincompress sidechaingate afir amultiply axcorrelate asdr interleave',
);

/** Options of filters with which they end together with one of their inputs. */
const ENDING_VALUES: Readonly<Record<string, RegExp>> = {
  shortest: /^(?:1|true|yes|y|on|enabled?)$/i,
  duration: /^(?:shortest|first|[12])$/,
  eof_action: /^(?:endall|1)$/,
};

/** Filters that end with their longest input, unless they get `shortest=1`. */
const WITH_SHORTEST = words('overlay hstack vstack xstack blend alphamerge maskedmerge lut2 mergeplanes displace');

/**
 * An output that never ends: a picture with `loop`, an input with `stream_loop` -1, or a generated picture
 * or sound, if nothing limits its duration. A filter that may end the output suppresses the warning.
 */
const ENDLESS_OUTPUTS: Rule = {
  id: 'endless-outputs',
  finds: 'an output that never ends',
  plan({ options, opened: inputs }) {
    const isEnded = options.some(({ name }) => ENDING_OPTIONS.has(name.name));
    if (isEnded || inputs.some(({ duration }) => duration !== undefined)) return [];
    const filters = outputFilters(options);
    if (filters.some(endsOutput)) return [];
    const isShortest = options.some(({ key }) => key === 'shortest');
    // Filters can make a stream that ends.
    if (isShortest && filters.some(isLimitedSource)) return [];
    const isUsed = (index: number): boolean => mayReachOutput(index, options, filters);
    const endless = inputs.findIndex((input, index) => isEndlessInput(input) && isUsed(index));
    const input = inputs[endless];
    const filter = input === undefined ? filters.find(isEndlessFilter) : undefined;
    if (input === undefined && filter === undefined) return [];
    const hasOther = inputs.some((one, index) => index !== endless && !isEndlessInput(one) && isUsed(index));
    if (isShortest && (hasOther || endless < 0)) return [];
    const repeated = input === undefined ? undefined : repeatedTogether(inputs, isUsed, isShortest);
    if (repeated !== undefined) return [repeated];
    const reason =
      filter === undefined ? `the input ${quoted(input?.source.path ?? '')}` : `the filter "${filter.name}"`;
    const isSound = filter !== undefined && (AUDIO_SOURCES.has(filter.name) || /^a(?:pad|loop)$/.test(filter.name));
    const graph = options.find(({ graphs }) => graphs !== undefined);
    const ended = graph && endedGraph(graph, isSound);
    return {
      field: (ended === undefined ? input?.source.field : undefined) ?? graph?.field ?? '/parameters',
      code: 'ENDLESS',
      message: isShortest
        ? `The output never ends: ${reason} has no end, and "shortest" finds no other stream that ends.`
        : `The output never ends: ${reason} has no end, and nothing limits the duration.`,
      fix: ended ?? loopedSequence(input) ?? (hasOther ? END_WITH_OTHER : END_AFTER_TIME),
    };
  },
};

/** The filters without those chains that `nullsink` discards: their length does not matter. */
const outputFilters = (options: readonly ArgvOption[]): readonly GraphFilter[] =>
  options.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap(({ chains }) => chains.filter(isWritten).flat()));

const SINKS: ReadonlySet<string> = words('nullsink anullsink');

const isWritten = (chain: GraphChain): boolean =>
  !SINKS.has(chain.at(-1)?.name ?? '') || chain.some(({ outputs }) => outputs.length > 0);

const END_WITH_OTHER: Edits = {
  ...orElse(addIn('parameters', 'shortest', ''), '"t" there with the seconds'),
  note: '"shortest" ends the output with its shortest stream.',
};
const END_AFTER_TIME = 'Send "t": "10" in the "parameters" of the request for 10 seconds.';

/**
 * Several inputs with one `stream_loop` in the `parameters` of the request, which applies to each of them. On a command line
 * of ffmpeg, it applies to the input after it.
 */
function repeatedTogether(
  inputs: readonly ArgvInput[],
  isUsed: (index: number) => boolean,
  isShortest: boolean,
): Warning | undefined {
  const shared = inputs.map(({ options }) => options.findLast(({ key }) => key === 'stream_loop'));
  const [first] = shared;
  const [value = ''] = first?.values ?? [];
  const isShared = shared.every(
    (one) => one !== undefined && !one.field.startsWith('/inputs/') && one.field === first?.field,
  );
  const isPlain = inputs.every(
    ({ source, options }) =>
      source.sequence === undefined && !options.some(({ field }) => field.startsWith('/inputs/')),
  );
  if (first === undefined || !isShared || !isPlain || inputs.length < 2 || !inputs.every((_one, at) => isUsed(at)))
    return undefined;
  if (!inputs.every(isEndlessInput)) return undefined;
  const [one, ...others] = inputs.map(({ source }) => source.path);
  const sent = sendIn('request', 'inputs', [{ input: one, parameters: { stream_loop: value } }, ...others]);
  return {
    field: first.field,
    code: 'ENDLESS',
    message: `The output never ends: "stream_loop" in "parameters" repeats every input for ever, so none of them ends.`,
    fix: {
      ...withMore(isShortest ? sent : withMore(sent, SHORTEST), { do: 'remove', name: sentName(first) }),
      why: `only ${quoted(one ?? '')} is then repeated`,
    },
  };
}

const SHORTEST: Edit = { do: 'send', name: 'shortest', value: '', in: 'parameters' };

/** The fix for pictures of a sequence that "loop" shows again and again: without it, they are shown once. */
function loopedSequence(input: ArgvInput | undefined): string | undefined {
  const loop = input?.options.findLast(({ key }) => key === 'loop');
  return input?.source.sequence === undefined || loop === undefined
    ? undefined
    : 'Leave "loop" out to show each picture of the sequence once, or send "t" in the "parameters" of the request with the seconds that the output lasts.';
}

const isEndlessFilter = (filter: GraphFilter): boolean => isEndlessExtension(filter) || isUnlimited(filter);

/** Whether a filter without an input ends: `color=d=5`. */
const isLimitedSource = (filter: GraphFilter): boolean =>
  (VIDEO_SOURCES.has(filter.name) || AUDIO_SOURCES.has(filter.name)) && !isEndlessFilter(filter);

/** Whether a filter goes on for ever after the end of its input. */
function isEndlessExtension(filter: GraphFilter): boolean {
  if (repeatsNothing(filter)) return false;
  const { name, options } = filter;
  const isNegative = (wanted: string): boolean =>
    options.some(({ key, value }) => key === wanted && value.startsWith('-'));
  if (name === 'apad') return !options.some(({ key = '' }) => /^(?:whole|pad)_(?:len|dur)$/.test(key));
  return name === 'tpad' ? isNegative('stop') : (name === 'loop' || name === 'aloop') && isNegative('loop');
}

const endsOutput = ({ name, options }: GraphFilter): boolean =>
  ENDING_FILTERS.has(name) || options.some(({ key = '', value }) => ENDING_VALUES[key]?.test(value) === true);

/** Whether a stream of the input gets into the output or into a filtergraph. Without a `map`, each input may. */
function mayReachOutput(index: number, options: readonly ArgvOption[], filters: readonly GraphFilter[]): boolean {
  const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
  if (maps.length === 0) return true;
  const names = [...maps, ...filters.flatMap((filter) => filter.inputs)];
  return names.some((text) => Number(/^(\d+)(?![^:?])/.exec(text)?.[1] ?? Number.NaN) === index);
}

/** The fix that ends the filters which wait for their longest input. Undefined if there is no such filter. */
function endedGraph(option: ArgvOption, isSound: boolean): Edits | undefined {
  const { graphs = [] } = option;
  const [graph] = graphs;
  if (graphs.length !== 1 || graph === undefined || isGraphError(graph)) return undefined;
  const waits = ({ name }: GraphFilter): boolean => (isSound ? name === 'amix' : WITH_SHORTEST.has(name));
  const filters = graph.chains.flat();
  if (!filters.some(waits)) return undefined;
  // Nothing that these filters join ends: all of it comes from sources.
  const isLabelled = filters.every((filter) => !waits(filter) || filter.inputs.length > 1);
  if (isLabelled && !filters.some(({ inputs }) => inputs.some((label) => /^\d/.test(label))) && !isSimple(option))
    return undefined;
  const ending = isSound ? UNTIL_SHORTEST_SOUND : UNTIL_SHORTEST;
  const meant = changeFilters(graph, (filter) => [
    waits(filter) ? { ...filter, options: [...filter.options, ending] } : filter,
  ]);
  return sendOption(sentName(option), printGraph(meant));
}

const isSimple = ({ name }: ArgvOption): boolean => name.name === 'filter';

const UNTIL_SHORTEST = { key: 'shortest', value: '1' } as const;
const UNTIL_SHORTEST_SOUND = { key: 'duration', value: 'shortest' } as const;

/** The largest `size`: of frames for `loop`, of samples for `aloop`. */
const LARGEST = { loop: '32767', aloop: '2147483647' } as const;

const isLoop = (name: string): name is keyof typeof LARGEST => name === 'loop' || name === 'aloop';

/** Whether a filter `loop` or `aloop` repeats nothing, because it has no `size`, which is then 0. */
function repeatsNothing({ name, options }: GraphFilter): boolean {
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
const LOOP_WITHOUT_SIZE: Rule = {
  id: 'loop-without-size',
  finds: 'the filter `loop` or `aloop` without `size`, which repeats nothing',
  about: words('loop aloop'),
  writtenGraph(graph, { options, opened: inputs }) {
    const { checked } = graph;
    const idle = checked.chains.flat().find((filter) => repeatsNothing(filter) && asksForLoops(filter));
    if (idle === undefined) return [];
    const unit = idle.name === 'loop' ? 'frames' : 'samples';
    return {
      code: 'NO_EFFECT',
      message: `The filter "${idle.name}" repeats nothing without "size", the number of ${unit} to repeat.`,
      fix:
        repeatedFilm(graph, options, inputs) ??
        repeatedInput(graph, inputs) ??
        sendGraph(graph, withSizes(graph, inputs)),
    };
  },
};

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

export const ENDLESS_OUTPUT_RULES: readonly Rule[] = [ENDLESS_OUTPUTS, LOOP_WITHOUT_SIZE];
