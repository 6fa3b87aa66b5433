import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { addIn, type Edit, type Edits, orElse, sendIn, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { wordSet } from '../../allowlist/words.ts';
import { changeFilters, type GraphFilter, isGraphError, printGraph, walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, readTrim, sentName } from '../../plan/request/argv-option.ts';
import { isImageExtension, isVideoExtension } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import {
  AUDIO_SOURCES,
  ENDING_OPTIONS,
  isEndlessInput,
  isUnlimited,
  VIDEO_SOURCES,
} from '../../plan/request/sources.ts';
import { readPlainNumber } from '../../values/number.ts';
import { quoted } from '../../values/value-error.ts';
import { noEffect, type Rules } from '../contexts.ts';
import { optionValue } from '../facts/media-facts.ts';
import { sendGraph, type WrittenGraph, withFilters } from '../facts/written-graphs.ts';

/** Filters that end with the shortest of their inputs, or after a number of frames or seconds. */
const ENDING_FILTERS = wordSet(
  'trim atrim amerge join sidechaincompress sidechaingate afir amultiply axcorrelate asdr interleave',
);

/** Values of filter options with which a filter ends together with one of its inputs. */
const ENDING_VALUES: Readonly<Record<string, RegExp>> = {
  shortest: /^(?:1|true|yes|y|on|enabled?)$/i,
  duration: /^(?:shortest|first|[12])$/,
  eof_action: /^(?:endall|1)$/,
};

const endsOutput = ({ name, options }: GraphFilter): boolean =>
  ENDING_FILTERS.has(name) || options.some(({ key = '', value }) => ENDING_VALUES[key]?.test(value) === true);

/** Filters that end with the longest of their inputs, unless they have `shortest=1`. */
const WITH_SHORTEST = wordSet('overlay hstack vstack xstack blend alphamerge maskedmerge lut2 mergeplanes displace');

/** Returns the filters whose frames reach an output. A chain that ends in `nullsink` reaches no output. */
const outputFilters = (options: readonly ArgvOption[]): readonly GraphFilter[] =>
  options.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap(({ chains }) => chains.filter(isWritten).flat()));

const isWritten = (chain: readonly GraphFilter[]): boolean =>
  !/^a?nullsink$/.test(chain.at(-1)?.name ?? '') || chain.some(({ outputs }) => outputs.length > 0);

const END_WITH_OTHER: Edits = {
  ...orElse(addIn('parameters', 'shortest', ''), '"t" there with the seconds'),
  note: '"shortest" ends the output with its shortest stream.',
};
const END_AFTER_TIME = 'Send "t": "10" in the "parameters" of the request for 10 seconds.';

/** Warns about a `stream_loop` for the whole request: it applies to all inputs. On a command line, it applies only to the next input. */
function repeatedTogether(inputs: readonly ArgvInput[], isUsed: (index: number) => boolean, isShortest: boolean) {
  const shared = inputs.map(({ options }) => options.findLast(({ key }) => key === 'stream_loop'));
  const [first] = shared;
  const isShared = shared.every((one) => one?.field === first?.field && one?.field.startsWith('/inputs/') === false);
  const isPlain = inputs.every(
    ({ source, options }) =>
      source.sequence === undefined && !options.some(({ field }) => field.startsWith('/inputs/')),
  );
  const areAllEndless = inputs.every((input, at) => isUsed(at) && isEndlessInput(input));
  if (first === undefined || !isShared || !isPlain || inputs.length < 2 || !areAllEndless) return undefined;
  const [one, ...others] = inputs.map(({ source }) => source.path);
  const own = { input: one, parameters: { stream_loop: first.values[0] ?? '' } };
  const sent = sendIn('request', 'inputs', [own, ...others]);
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

/** Returns the fix for an image sequence with `loop`, without which ffmpeg shows each image once. undefined: another input. */
function loopedSequence(input: ArgvInput | undefined): string | undefined {
  const loop = input?.options.findLast(({ key }) => key === 'loop');
  return input?.source.sequence === undefined || loop === undefined
    ? undefined
    : 'Leave "loop" out to show each image of the sequence once, or send "t" in the "parameters" of the request with the seconds that the output lasts.';
}

const isEndlessFilter = (filter: GraphFilter): boolean => isEndlessExtension(filter) || isUnlimited(filter);

const isLimitedSource = (filter: GraphFilter): boolean =>
  (VIDEO_SOURCES.has(filter.name) || AUDIO_SOURCES.has(filter.name)) && !isEndlessFilter(filter);

function isEndlessExtension(filter: GraphFilter): boolean {
  const { name, options } = filter;
  if (name === 'apad') return !options.some(({ key = '' }) => /^(?:whole|pad)_(?:len|dur)$/.test(key));
  const isNegative = (wanted: string): boolean =>
    options.some(({ key, value }) => key === wanted && value.startsWith('-'));
  return name === 'tpad' ? isNegative('stop') : isLoop(name) && isNegative('loop') && !repeatsNothing(filter);
}

/** True if a stream of an input may reach the output or a filtergraph. Without a `map`, any stream may. */
function mayReachOutput(index: number, options: readonly ArgvOption[], filters: readonly GraphFilter[]): boolean {
  const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
  const names = [...maps, ...filters.flatMap((filter) => filter.inputs)];
  return maps.length === 0 || names.some((text) => Number(/^(\d+)(?![^:?])/.exec(text)?.[1] ?? Number.NaN) === index);
}

/** Returns the fix with `shortest=1` (`amix`: `duration=shortest`) in filters that wait for their longest input. undefined: none waits. */
function endedGraph(option: ArgvOption, isAudio: boolean): Edits | undefined {
  const [graph, ...others] = option.graphs ?? [];
  if (others.length > 0 || graph === undefined || isGraphError(graph)) return undefined;
  const waits = ({ name }: GraphFilter): boolean => (isAudio ? name === 'amix' : WITH_SHORTEST.has(name));
  const { filters, taken } = walkOf(graph);
  const waiting = filters.filter(waits);
  if (waiting.length === 0) return undefined;
  // If the filters join only generated streams, none of these streams ends.
  const areLabelled = waiting.every(({ inputs }) => inputs.length > 1);
  const readsInput = [...taken].some((label) => /^\d/.test(label)) || option.name.name === 'filter';
  if (areLabelled && !readsInput) return undefined;
  const ending = isAudio ? { key: 'duration', value: 'shortest' } : { key: 'shortest', value: '1' };
  const meant = changeFilters(graph, (filter) => [
    waits(filter) ? { ...filter, options: [...filter.options, ending] } : filter,
  ]);
  return sendOption(sentName(option), printGraph(meant));
}

/** The largest `size`: frames for `loop`, samples for `aloop`. */
const LARGEST = { loop: '32767', aloop: '2147483647' } as const;

const isLoop = (name: string): name is keyof typeof LARGEST => name === 'loop' || name === 'aloop';

/** True if a `loop` or `aloop` repeats nothing, because its `size` is 0, the default. */
const repeatsNothing = (filter: GraphFilter): boolean =>
  isLoop(filter.name) && readPlainNumber(optionValue(filter, 'size') ?? '0') === 0;

const asksForLoops = (filter: GraphFilter): boolean => readPlainNumber(optionValue(filter, 'loop') ?? '0') !== 0;

/** Filters that shorten the video: a loop after them repeats only a part of the file. */
const SHORTENING = /^(?:a?trim|a?select|a?reverse|thumbnail|tile|framestep)$/;

const hasStart = (loop: GraphFilter): boolean => optionValue(loop, 'start', 'time') !== undefined;
const isVideoFile = ({ source }: ArgvInput): boolean => isVideoExtension(extension(source.path));

/** Returns the fix that repeats the only input, a video, with `stream_loop` instead of `loop`. undefined: the result would differ. */
function repeatedVideo(
  { option, written, checked }: WrittenGraph,
  options: readonly ArgvOption[],
  [input, ...otherInputs]: readonly ArgvInput[],
): Edits | undefined {
  const [chain, ...otherChains] = written.chains;
  const at = chain?.findIndex(({ name }) => name === 'loop') ?? -1;
  const loop = checked.chains[0]?.[at];
  if (option.name.name !== 'filter' || input === undefined || chain === undefined || loop === undefined)
    return undefined;
  if (otherInputs.length + otherChains.length > 0 || !isVideoFile(input) || hasStart(loop)) return undefined;
  // `ss` or `t` of the input would cut it before `stream_loop` repeats it. `ss` or `t` of the output cut what `loop` has repeated.
  const hasPart =
    input.options.some(({ name }) => /^(?:ss|sseof|t|to|stream_loop)$/.test(name.name)) ||
    options.some(({ name }) => name.name === 'stream_loop');
  if (hasPart || chain.some(({ name }) => SHORTENING.test(name))) return undefined;
  const others = chain.filter((_one, place) => place !== at);
  const name = sentName(option);
  return withMore(
    sendOption('stream_loop', optionValue(loop, 'loop') ?? ''),
    others.length === 0
      ? { do: 'remove', name }
      : { do: 'send', name, value: printGraph({ ...written, chains: [others] }) },
  );
}

/** Returns the fix that repeats an input of a complex graph with `stream_loop` instead of `loop`. undefined: the result would differ. */
function repeatedInput({ option, written, checked }: WrittenGraph, inputs: readonly ArgvInput[]): Edits | undefined {
  const isIdle = (filter: GraphFilter): boolean => filter.name === 'loop' && repeatsNothing(filter);
  const number = checked.chains.findIndex((chain) => chain.some(isIdle));
  const [chain, named] = [written.chains[number], checked.chains[number]];
  const at = named?.findIndex(isIdle) ?? -1;
  const loop = named?.[at];
  // Matches the label of the first video of an input: `0:v`, `0:v:0`, `0`.
  const label = /^(\d+)(?::v(?::0)?)?$/.exec(chain?.[0]?.inputs[0] ?? '')?.[1];
  const input = label === undefined ? undefined : inputs[Number(label)];
  if (option.name.name !== 'filter_complex' || loop === undefined || chain === undefined || input === undefined)
    return undefined;
  if (!isVideoFile(input) || inputs.some((one) => one.options.length > 0) || hasStart(loop)) return undefined;
  if (chain.slice(0, at).some(({ name }) => SHORTENING.test(name))) return undefined;
  const loops = optionValue(loop, 'loop') ?? '';
  const sent = inputs.map((one) =>
    one === input ? { input: one.source.path, parameters: { stream_loop: loops } } : one.source.path,
  );
  const idle = chain[at];
  const meant = changeFilters(written, (one) => [one === idle ? { ...one, name: 'null', options: [] } : one]);
  return withMore(inputs.length === 1 ? sendOption('stream_loop', loops) : sendIn('request', 'inputs', sent), {
    do: 'send',
    name: sentName(option),
    value: printGraph(meant),
  });
}

/** Ordinary videos have at most this many frames per second. */
const MOST_FRAMES_PER_SECOND = 120;

/** Returns how many seconds reach a `loop`, which stores these frames in memory. undefined: no `trim` or option of the input limits it. */
function secondsBefore(loop: GraphFilter, { checked }: WrittenGraph, [input, ...others]: readonly ArgvInput[]) {
  const chain = checked.chains.find((one) => one.includes(loop)) ?? [];
  const ends = chain
    .slice(0, chain.indexOf(loop))
    .filter(({ name }) => name === 'trim')
    .flatMap(({ options }) => options.filter(({ key }) => key === 'end' || key === 'duration'))
    .flatMap(({ value }) => parseDuration(value) ?? []);
  const { start = 0, duration, end } = readTrim(input?.options ?? []);
  const ofInput = others.length > 0 ? undefined : (duration ?? (end === undefined ? undefined : end - start));
  const all = [...ends, ofInput ?? 0].filter((seconds) => seconds > 0);
  return all.length === 0 ? undefined : Math.min(...all);
}

/** Returns the graph with a `size` in each loop: 1 for an image, the number of frames before the loop if known, else the largest. */
function withSizes(graph: WrittenGraph, inputs: readonly ArgvInput[]) {
  const isImage =
    inputs.length === 1 &&
    inputs.every(({ source }) => source.sequence === undefined && isImageExtension(extension(source.path)));
  return withFilters(graph, (filter, named) => {
    if (!isLoop(filter.name) || !repeatsNothing(named)) return filter;
    const isVideo = filter.name === 'loop';
    const seconds = isVideo ? secondsBefore(named, graph, inputs) : undefined;
    const frames = seconds === undefined ? LARGEST[filter.name] : String(Math.ceil(seconds * MOST_FRAMES_PER_SECOND));
    const size = { key: 'size', value: isVideo && isImage ? '1' : frames };
    return { ...filter, options: [...named.options.filter(({ key }) => key !== 'size'), size] };
  });
}

export const ENDLESS_OUTPUT_RULES: Rules = {
  /** Finds an image with `loop`, an input with `stream_loop` -1 or a generated stream, if no option or filter ends the output. */
  'endless-outputs': {
    finds: 'an output that never ends',
    plan({ options, opened: inputs }) {
      const isEnded = options.some(({ name }) => ENDING_OPTIONS.has(name.name));
      const filters = outputFilters(options);
      if (isEnded || inputs.some(({ duration }) => duration !== undefined) || filters.some(endsOutput)) return [];
      const isShortest = options.some(({ key }) => key === 'shortest');
      // With `shortest`, a generated stream of limited length ends the output.
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
      const isAudio = filter !== undefined && (AUDIO_SOURCES.has(filter.name) || /^a(?:pad|loop)$/.test(filter.name));
      const graph = options.find(({ graphs }) => graphs !== undefined);
      const ended = graph && endedGraph(graph, isAudio);
      return {
        field: (ended === undefined ? input?.source.field : undefined) ?? graph?.field ?? '/parameters',
        code: 'ENDLESS',
        message: `The output never ends: ${reason} has no end, and ${isShortest ? '"shortest" finds no other stream that ends' : 'nothing limits the duration'}.`,
        fix: ended ?? loopedSequence(input) ?? (hasOther ? END_WITH_OTHER : END_AFTER_TIME),
      };
    },
  },

  /** For a whole video, the fix uses `stream_loop`: the filter would store all frames in memory. */
  'loop-without-size': {
    finds: 'the filter `loop` or `aloop` without `size`, which repeats nothing',
    about: wordSet('loop aloop'),
    writtenGraph(graph, { options, opened }) {
      const idle = walkOf(graph.checked).filters.find((filter) => repeatsNothing(filter) && asksForLoops(filter));
      if (idle === undefined) return [];
      return noEffect(
        `The filter "${idle.name}" repeats nothing without "size", the number of ${idle.name === 'loop' ? 'frames' : 'samples'} to repeat.`,
        repeatedVideo(graph, options, opened) ??
          repeatedInput(graph, opened) ??
          sendGraph(graph, withSizes(graph, opened)),
      );
    },
  },
};
