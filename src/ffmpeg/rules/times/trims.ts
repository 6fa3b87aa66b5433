import { type Edits, sendMembers, sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type Graph, type GraphChain, type GraphFilter, keepsFrameTimes, printGraph } from '../../filtergraph/graph.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { parseDuration } from '../../values/duration.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass } from '../facts/finished-pass.ts';
import { type ArgvGraph, type MediaFacts, optionValue, secondsIn } from '../facts/media-facts.ts';
import type { WrittenGraph } from '../facts/written-graphs.ts';

/**
 * Formats in which an output that does not start at 0 stands still or is silent until then, as tried with ffmpeg 5.1. Others
 * have no times (MP3, WAV, GIF), or players start at the first one (MPEG-TS, Ogg).
 */
const TIMED: ReadonlySet<string> = new Set(
  'mp4 mov ipod 3gp 3g2 f4v psp matroska webm avi mpeg dvd vob svcd vcd hls dash segment flv opus image2'.split(' '),
);

/** Options that cut or move the start themselves, or that take only some frames. */
const MOVES_START = /^(?:ss|copyts|start_at_zero|avoid_negative_ts|frames|fps_mode|vsync|output_ts_offset)$/;

const START_TIMES = new Set(['start', 'starti']);
const START_COUNTS = new Set(['start_frame', 'start_pts', 'start_sample']);

/** Where a filter `trim` or `atrim` starts, in seconds. `later`: after a count of frames. undefined: at the beginning. */
function startOf({ name, options }: GraphFilter): number | 'later' | undefined {
  if (name !== 'trim' && name !== 'atrim') return undefined;
  const start = parseDuration(options.findLast(({ key = '' }) => START_TIMES.has(key))?.value ?? '0') ?? 0;
  if (start > 0) return start;
  const count = options.findLast(({ key = '' }) => START_COUNTS.has(key))?.value;
  return count !== undefined && (readPlainNumber(count) ?? 0) > 0 ? 'later' : undefined;
}

/** Filters whose output starts when their first input does. */
const FOLLOWS_FIRST: ReadonlySet<string> = new Set(['overlay']);

/** A filter that another one feeds, and by which of its inputs. */
interface Fed {
  readonly next: GraphFilter;
  readonly pad: number;
}

/** Returns whether the times of a filter reach the end of the graph, or a filter that joins parts, unchanged. */
function timeKeeping({ chains }: Graph): (filter: GraphFilter) => boolean {
  const users = new Map<string, Fed>();
  const following = new Map<GraphFilter, GraphFilter>();
  for (const chain of chains)
    for (const [at, next] of chain.entries()) {
      const before = chain[at - 1];
      if (before !== undefined) following.set(before, next);
      for (const [pad, label] of next.inputs.entries()) if (!users.has(label)) users.set(label, { next, pad });
    }
  const known = new Map<GraphFilter, boolean>();
  const keepsTimes = (filter: GraphFilter): boolean => {
    const found = known.get(filter);
    if (found !== undefined) return found;
    // For a graph that is a ring, which the checks reject.
    known.set(filter, false);
    const after = following.get(filter);
    const nexts = [
      ...filter.outputs.flatMap((label) => users.get(label) ?? []),
      ...(after === undefined ? [] : [{ next: after, pad: after.inputs.length }]),
    ];
    const keeps =
      nexts.length === 0 ||
      nexts.some(({ next, pad }) => {
        if (next.name === 'concat') return true;
        const isMain = FOLLOWS_FIRST.has(next.name) && pad === 0;
        return (isMain || keepsFrameTimes(next)) && keepsTimes(next);
      });
    known.set(filter, keeps);
    return keeps;
  };
  return keepsTimes;
}

/** How many filters behind a trim are looked at. */
const MAX_FOLLOWING = 100;

/**
 * Warns about `trim` and `atrim` from a later start without `setpts`: what they let pass keeps its times, so the output
 * stands still, or is silent, until then. The same gap is before a part that `concat` joins.
 */
const TRIM_WITHOUT_SETPTS: Rule = {
  id: 'trim-without-setpts',
  finds:
    'the filter `trim` or `atrim` from a later start without `setpts`, so that the output begins with a still or silent part',
  about: ['trim', 'atrim'],
  writtenGraph(graph, { options, muxer }) {
    if (!TIMED.has(muxer) || options.some(({ name, side }) => side !== 'input' && MOVES_START.test(name.name)))
      return [];
    // Where other options cut, or the sound is cut by itself, the trim is told alone.
    const keepsWhole =
      muxer === 'image2' || options.some(({ key }) => /^(?:an|t|to)$|^filter(?::a|_complex)/.test(key));
    const part = keepsWhole ? undefined : wholePart(graph);
    return lateTrimsOf(graph).map((warning) => (part === undefined ? warning : { ...warning, fix: part }));
  },
};

/** A trim of the picture alone, whose sound would stay whole: the options that cut both. undefined if other filters are there. */
function wholePart({ option, checked }: WrittenGraph): Edits | undefined {
  const [only, ...others] = checked.chains.flat();
  if (only?.name !== 'trim' || others.length > 0 || !/^filter:v/.test(option.key)) return undefined;
  const seconds = (key: string): number | undefined => {
    const value = only.options.findLast((one) => one.key === key)?.value;
    return value === undefined ? undefined : parseDuration(value);
  };
  const [start, end, duration] = ['start', 'end', 'duration'].map(seconds);
  const isKnown = only.options.every(({ key = '' }) => /^(?:start|end|duration)$/.test(key));
  if (!isKnown || start === undefined) return undefined;
  const length = duration ?? (end === undefined ? undefined : end - start);
  if (length === undefined) return sendOption('ss', `${start}`);
  return length > 0 ? sendMembers({ ss: `${start}`, t: `${Number(length.toFixed(6))}` }) : undefined;
}

function lateTrimsOf({ option, written, checked }: WrittenGraph): readonly Warning[] {
  const keepsTimes = timeKeeping(checked);
  const late = checked.chains.flat().filter((one) => startOf(one) !== undefined && keepsTimes(one));
  const [first] = late;
  if (first === undefined) return [];
  const isLate = new Set(late);
  const chains = written.chains.map((chain, row) => {
    const named = checked.chains[row] ?? [];
    const resets = new Map(
      named.flatMap((one, at): readonly (readonly [number, string])[] =>
        isLate.has(one) ? [[placeOfReset(named, at, startOf(one)), one.name]] : [],
      ),
    );
    return chain.flatMap((filter, column): GraphChain => {
      const trim = resets.get(column);
      return trim === undefined ? [filter] : fromZero(filter, trim);
    });
  });
  const names = [...new Set(late.map(({ name }) => `"${name}"`))];
  const effect = [
    ...(late.some(({ name }) => name === 'trim') ? ['the picture stands still'] : []),
    ...(late.some(({ name }) => name === 'atrim') ? ['the sound is silent'] : []),
  ];
  const start = startOf(first);
  const isOne = late.length === 1 || new Set(late.map(startOf)).size === 1;
  const until = isOne && typeof start === 'number' ? `for ${Number(start.toFixed(3))} s before it` : 'before it';
  return [
    {
      field: option.field,
      code: 'LATE_START',
      message: `${names.join(' and ')} keep${names.length === 1 ? 's' : ''} the times of the part, so ${effect.join(' and ')} ${until}.`,
      fix: sendOption(sentName(option), printGraph({ ...written, chains })),
    },
  ];
}

/** Behind which filter of its chain times can count from 0: the trim, or the last filter that needs those of the source. */
function placeOfReset(chain: GraphChain, at: number, start: number | 'later' | undefined): number {
  const rest = chain.slice(at + 1, at + 1 + MAX_FOLLOWING);
  const end = rest.findIndex((one) => !keepsFrameTimes(one) || one.outputs.length > 1);
  const last = (end < 0 ? rest : rest.slice(0, end)).findLastIndex((one) => hasTimesOfSource(one, start));
  return at + 1 + last;
}

/** A fade that begins before the part does counts from the start of the part, because else it would show nothing. */
function hasTimesOfSource({ name, options }: GraphFilter, start: number | 'later' = 0): boolean {
  if (name === 'subtitles' || name === 'ass' || options.some(({ key }) => key === 'enable')) return true;
  if (name !== 'fade' && name !== 'afade') return false;
  const begins = parseDuration(options.findLast(({ key = '' }) => /^(?:st|start_time)$/.test(key))?.value ?? '0') ?? 0;
  return start === 'later' ? begins > 0 : begins >= start;
}

/** The filter with one behind it that counts the times from 0. */
const fromZero = (filter: GraphFilter, trim: string): GraphChain => [
  { ...filter, outputs: [] },
  {
    inputs: [],
    name: trim === 'trim' ? 'setpts' : 'asetpts',
    options: [{ value: 'PTS-STARTPTS' }],
    outputs: filter.outputs,
    at: 0,
  },
];

/** Options that cut the whole output, so that the other stream is cut too. */
const CUTS = ['-shortest', '-t', '-to', '-ss', '-sseof', '-frames:v', '-an', '-vn'];

const UNPAIRED_TRIM: Rule = {
  id: 'unpaired-trim',
  finds: '`trim` without `atrim`, or the other way round',
  /** `trim` cuts only the picture, and nothing cuts the sound of the same input, or the other way round. */
  filesAndRun({ facts, pass: { outputStreams, used } }) {
    const kinds = new Set(outputStreams.map(({ type }) => type));
    if (!kinds.has('video') || !kinds.has('audio')) return [];
    if (CUTS.some((name) => facts.argv.includes(name)) || new Set(used.map(({ input }) => input)).size > 1) return [];
    const [found, ...more] = facts.graphs.flatMap((graph) =>
      graph.filters.flatMap((filter) => (/^a?trim$/.test(filter.name) ? [{ graph, trim: filter }] : [])),
    );
    if (found === undefined || more.length > 0) return [];
    const { graph, trim } = found;
    // Nothing is left of the stream, and another warning says so.
    const start = secondsIn(optionValue(trim, ...TIMES.start));
    const seconds = facts.secondsOfInput(used[0]?.input ?? 0);
    if (start !== undefined && seconds !== undefined && start >= seconds) return [];
    const isPicture = trim.name === 'trim';
    const fix = graph.key === 'filter_complex' ? complexFix(facts, graph, trim, used) : simpleFix(facts, graph, trim);
    if (fix === undefined) return [];
    return {
      key: graph.key,
      code: 'UNEQUAL_LENGTHS',
      message: `The filter ${trim.name} cuts only the ${isPicture ? 'picture' : 'sound'}, and the whole ${isPicture ? 'sound' : 'picture'} is in the output.`,
      fix,
    };
  },
};

function simpleFix(facts: MediaFacts, graph: ArgvGraph, trim: GraphFilter): Edits | undefined {
  const isPicture = trim.name === 'trim';
  if (graph.key !== (isPicture ? 'filter:v' : 'filter:a')) return undefined;
  const other = facts.graphs.find(({ key }) => key === (isPicture ? 'filter:a' : 'filter:v'));
  const name = other === undefined ? (isPicture ? 'af' : 'vf') : facts.sentNameOf(other.key);
  const cut = `${otherTrim(trim, isPicture)}${other === undefined ? '' : `,${printGraph(other.graph)}`}`;
  return sendMembers({
    [facts.sentNameOf(graph.key)]: printGraph(countingFromZero(graph, trim, isPicture)),
    [name]: cut,
  });
}

/** A graph that cuts one stream of an input, of which the request maps another one as it is. */
function complexFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  trim: GraphFilter,
  used: FinishedPass['used'],
): string | undefined {
  const isPicture = trim.name === 'trim';
  const [kind, letter] = isPicture ? (['audio', 'a'] as const) : (['video', 'v'] as const);
  const mapped = used.find(
    ({ input, stream, output }) => output !== undefined && facts.inputStream(input, stream)?.type === kind,
  );
  if (mapped === undefined || mapped.copied) return undefined;
  const label = `[${mapped.input}:${letter}]`;
  return `Add ${JSON.stringify(`;${label}${otherTrim(trim, isPicture)}[cut]`)} to "${facts.sentNameOf(graph.key)}", and send "[cut]" in "map" instead of this stream.`;
}

const reset = (isPicture: boolean): GraphFilter => ({
  inputs: [],
  name: isPicture ? 'setpts' : 'asetpts',
  options: [{ value: 'PTS-STARTPTS' }],
  outputs: [],
  at: 0,
});

/** The graph with times that count from 0 after the cut. */
function countingFromZero({ graph, filters }: ArgvGraph, trim: GraphFilter, isPicture: boolean): Graph {
  if (filters.some(({ name }) => /^a?setpts$/.test(name))) return graph;
  const chains = graph.chains.map((chain) =>
    chain.flatMap((one) =>
      one === trim
        ? [
            { ...one, outputs: [] },
            { ...reset(isPicture), outputs: one.outputs },
          ]
        : [one],
    ),
  );
  return { ...graph, chains };
}

/** The options of both filters that are times. Frames and samples do not fit the other kind. */
const TIMES = { start: ['start', 'starti'], end: ['end', 'endi'], duration: ['duration', 'durationi'] } as const;

const otherTrim = (trim: GraphFilter, isPicture: boolean): string =>
  printGraph({ chains: [otherCut(trim, isPicture)] });

function otherCut(trim: GraphFilter, isPicture: boolean): readonly [cut: GraphFilter, reset: GraphFilter] {
  const options = Object.entries(TIMES).flatMap(([key, names]) => {
    const value = optionValue(trim, ...names);
    return value === undefined ? [] : [{ key, value }];
  });
  const cut = { ...trim, inputs: [], outputs: [], name: isPicture ? 'atrim' : 'trim', options };
  return [cut, reset(!isPicture)];
}

/** The filters that cut a sound as `trim` cuts its picture, from one label to another. */
export function cutSound(trim: GraphFilter, from: string, to: string): readonly GraphFilter[] {
  const [cut, toZero] = otherCut(trim, true);
  return [
    { ...cut, inputs: [from] },
    { ...toZero, outputs: [to] },
  ];
}

export const TRIM_RULES: readonly Rule[] = [TRIM_WITHOUT_SETPTS, UNPAIRED_TRIM];
