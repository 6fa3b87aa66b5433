import { type Edits, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import {
  changeFilters,
  type Graph,
  type GraphChain,
  type GraphFilter,
  keepsFrameTimes,
  printGraph,
  walkOf,
} from '../../filtergraph/graph.ts';
import { parseDuration } from '../../values/duration.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { FileContext, Rules, RunFindings } from '../contexts.ts';
import { followedBy, newFilter } from '../facts/graph-fixes.ts';
import { optionValue, secondsIn } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { sendGraph, type WrittenGraph } from '../facts/written-graphs.ts';

/**
 * Formats that show a still frame or silence before the first timestamp, if this is not 0. Tested with ffmpeg 5.1. Other formats have no
 * timestamps (MP3, WAV, GIF), or players start at the first one (MPEG-TS, Ogg).
 */
const TIMED: ReadonlySet<string> = new Set(
  'mp4 mov ipod 3gp 3g2 f4v psp matroska webm avi mpeg dvd vob svcd vcd hls dash segment flv opus image2'.split(' '),
);

/** Options that set or move the start themselves, or that select only some frames. */
const MOVES_START = /^(?:ss|copyts|start_at_zero|avoid_negative_ts|frames|fps_mode|vsync|output_ts_offset)$/;

/**
 * The start of a trim in seconds. `later`: the start is a number of frames. undefined: the trim starts at the beginning, or the filter is
 * not a trim.
 */
type Start = number | 'later' | undefined;

function startOf(filter: GraphFilter): Start {
  if (filter.name !== 'trim' && filter.name !== 'atrim') return undefined;
  const start = parseDuration(optionValue(filter, 'start', 'starti') ?? '0') ?? 0;
  if (start > 0) return start;
  const count = optionValue(filter, 'start_frame', 'start_pts', 'start_sample') ?? '0';
  return (readPlainNumber(count) ?? 0) > 0 ? 'later' : undefined;
}

/**
 * Returns a function that tells if the timestamps of a filter stay unchanged up to the end of the graph, or up to a filter that joins
 * segments.
 */
function timeKeeping({ chains }: Graph): (filter: GraphFilter) => boolean {
  const users = new Map<string, { readonly next: GraphFilter; readonly pad: number }>();
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
    // Stops the recursion if a graph is a ring. The checks reject such a graph.
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
        // The output of an overlay starts at the time of its first input.
        const isMain = next.name === 'overlay' && pad === 0;
        return (isMain || keepsFrameTimes(next)) && keepsTimes(next);
      });
    known.set(filter, keeps);
    return keeps;
  };
  return keepsTimes;
}

/** Returns options that cut video and audio, in place of a trim of the video. undefined: the graph has other filters. */
function cutsOfBoth({ option, checked }: WrittenGraph): Edits | undefined {
  const [only, ...others] = checked.chains.flat();
  if (only?.name !== 'trim' || others.length > 0 || !/^filter:v/.test(option.key)) return undefined;
  const [start, end, duration] = ['start', 'end', 'duration'].map((key) => parseDuration(optionValue(only, key) ?? ''));
  const isKnown = only.options.every(({ key = '' }) => /^(?:start|end|duration)$/.test(key));
  if (!isKnown || start === undefined) return undefined;
  const length = duration ?? (end === undefined ? undefined : end - start);
  if (length === undefined) return sendOption('ss', `${start}`);
  return length > 0 ? sendMembers({ ss: `${start}`, t: `${Number(length.toFixed(6))}` }) : undefined;
}

/** Returns the graph in which times count from 0 after each of these trims. */
function withResets({ written, checked }: WrittenGraph, late: ReadonlySet<GraphFilter>): Graph {
  const chains = written.chains.map((chain, row) => {
    const named = checked.chains[row] ?? [];
    const resets = new Map(
      named.flatMap((one, at): readonly (readonly [number, GraphFilter])[] =>
        late.has(one) ? [[placeOfReset(named, at, startOf(one)), reset(one.name === 'trim')]] : [],
      ),
    );
    return chain.flatMap((filter, column): GraphChain => {
      const next = resets.get(column);
      return next === undefined ? [filter] : followedBy(filter, next);
    });
  });
  return { ...written, chains };
}

/** The maximum number of filters after a trim that are checked. */
const MAX_FOLLOWING = 100;

/** Returns the index of the filter after which times can count from 0: the trim, or the last filter that needs the times of the input. */
function placeOfReset(chain: GraphChain, at: number, start: Start): number {
  const rest = chain.slice(at + 1, at + 1 + MAX_FOLLOWING);
  const end = rest.findIndex((one) => !keepsFrameTimes(one) || one.outputs.length > 1);
  return at + 1 + (end < 0 ? rest : rest.slice(0, end)).findLastIndex((one) => needsSourceTimes(one, start));
}

/** If a fade begins before the trimmed part, its times count from the start of this part. Otherwise, the fade would have no effect. */
function needsSourceTimes(filter: GraphFilter, start: Start = 0): boolean {
  const { name } = filter;
  if (name === 'subtitles' || name === 'ass' || optionValue(filter, 'enable') !== undefined) return true;
  if (name !== 'fade' && name !== 'afade') return false;
  const begins = parseDuration(optionValue(filter, 'st', 'start_time') ?? '0') ?? 0;
  return start === 'later' ? begins > 0 : begins >= start;
}

const reset = (isVideo: boolean): GraphFilter => newFilter(isVideo ? 'setpts' : 'asetpts', [{ value: 'PTS-STARTPTS' }]);

/** Options that cut the whole output, and thus also the other stream. */
const CUTS = ['shortest', 't', 'to', 'ss', 'sseof', 'frames:v', 'an', 'vn'];

function unpairedTrim(context: FileContext): RunFindings {
  const { facts, pass } = context;
  const kinds = new Set(pass.outputStreams.map(({ type }) => type));
  if (!kinds.has('video') || !kinds.has('audio') || CUTS.some((name) => facts.has(name))) return undefined;
  if (new Set(pass.used.map(({ input }) => input)).size > 1) return undefined;
  const [trim, ...others] = filtersIn(facts, 'trim', 'atrim');
  if (trim === undefined || others.length > 0) return undefined;
  // The trim removes the whole stream, and another warning says so.
  const start = secondsIn(trim.option(...TIMES.start));
  const seconds = facts.secondsOfInput(pass.used[0]?.input ?? 0);
  if (start !== undefined && seconds !== undefined && start >= seconds) return undefined;
  const fix = trim.graph.key === 'filter_complex' ? complexFix(trim, context) : simpleFix(trim);
  const [cut, whole] = trim.name === 'trim' ? ['video', 'audio'] : ['audio', 'video'];
  if (fix === undefined) return undefined;
  return {
    key: trim.graph.key,
    code: 'UNEQUAL_LENGTHS',
    message: `The filter ${trim.name} cuts only the ${cut}, and the whole ${whole} is in the output.`,
    fix,
  };
}

function simpleFix({ facts, graph, filter }: PlacedFilter): Edits | undefined {
  const isVideo = filter.name === 'trim';
  const [own, other, shortName] = isVideo ? ['filter:v', 'filter:a', 'af'] : ['filter:a', 'filter:v', 'vf'];
  if (graph.key !== own) return undefined;
  const otherGraph = facts.graphs.find(({ key }) => key === other);
  const name = otherGraph === undefined ? shortName : facts.sentNameOf(otherGraph.key);
  const hasReset = graph.filters.some((one) => /^a?setpts$/.test(one.name));
  const fromZero = changeFilters(graph.graph, (one) =>
    one === filter && !hasReset ? followedBy(one, reset(isVideo)) : [one],
  );
  return sendMembers({
    [facts.sentNameOf(graph.key)]: printGraph(fromZero),
    [name]: `${printGraph({ chains: [otherTrim(filter)] })}${otherGraph === undefined ? '' : `,${printGraph(otherGraph.graph)}`}`,
  });
}

/** Returns the fix for a graph that cuts one stream of an input, if the request maps the other stream without a cut. */
function complexFix({ facts, graph, filter }: PlacedFilter, { pass }: FileContext): Hint | undefined {
  const kind = filter.name === 'trim' ? 'audio' : 'video';
  const mapped = facts.usedOf(kind, pass.used).find(({ output }) => output !== undefined);
  if (mapped === undefined || mapped.copied) return undefined;
  const added = `;[${mapped.input}:${kind.charAt(0)}]${printGraph({ chains: [otherTrim(filter)] })}[cut]`;
  return `Add ${JSON.stringify(added)} to "${facts.sentNameOf(graph.key)}", and send "[cut]" in "map" instead of this stream.`;
}

/**
 * The options of `trim` and `atrim` for times. Options for frames or samples are missing, because they do not fit the other kind of stream.
 */
const TIMES = { start: ['start', 'starti'], end: ['end', 'endi'], duration: ['duration', 'durationi'] } as const;

/** Returns the filters that cut audio in the way that `trim` cuts video, or the reverse. */
function otherTrim(trim: GraphFilter): readonly [cut: GraphFilter, reset: GraphFilter] {
  const isVideo = trim.name === 'trim';
  const options = Object.entries(TIMES).flatMap(([key, names]) => {
    const value = optionValue(trim, ...names);
    return value === undefined ? [] : [{ key, value }];
  });
  return [{ ...trim, inputs: [], outputs: [], name: isVideo ? 'atrim' : 'trim', options }, reset(!isVideo)];
}

/** Returns the filters that cut audio in the way that `trim` cuts its video. `from`, `to`: their input and output labels. */
export function cutAudio(trim: GraphFilter, from: string, to: string): readonly GraphFilter[] {
  const [cut, toZero] = otherTrim(trim);
  return [
    { ...cut, inputs: [from] },
    { ...toZero, outputs: [to] },
  ];
}

export const TRIM_RULES: Rules = {
  /**
   * The frames after a trim keep their times. So the output shows a still frame or silence until then. A part that `concat` joins has the
   * same gap before it.
   */
  'trim-without-setpts': {
    finds:
      'the filter `trim` or `atrim` from a later start without `setpts`, so that the output begins with a still or silent part',
    about: ['trim', 'atrim'],
    writtenGraph(graph, { options, muxer }) {
      if (!TIMED.has(muxer) || options.some(({ name, side }) => side !== 'input' && MOVES_START.test(name.name)))
        return [];
      const keepsTimes = timeKeeping(graph.checked);
      const late = walkOf(graph.checked).filters.filter((one) => startOf(one) !== undefined && keepsTimes(one));
      if (late.length === 0) return [];
      const names = [...new Set(late.map(({ name }) => name))];
      const effect = [
        ...(names.includes('trim') ? ['the video stands still'] : []),
        ...(names.includes('atrim') ? ['the audio is silent'] : []),
      ];
      const [start, ...starts] = new Set(late.map(startOf));
      const until =
        starts.length === 0 && typeof start === 'number' ? `for ${Number(start.toFixed(3))} s before it` : 'before it';
      // If other options cut the output, or the audio has its own cut, the fix changes only the trim.
      const isCut = muxer === 'image2' || options.some(({ key }) => /^(?:an|t|to)$|^filter(?::a|_complex)/.test(key));
      return {
        code: 'LATE_START',
        message: `${names.map((name) => `"${name}"`).join(' and ')} keep${names.length === 1 ? 's' : ''} the times of the part, so ${effect.join(' and ')} ${until}.`,
        fix: (isCut ? undefined : cutsOfBoth(graph)) ?? sendGraph(graph, withResets(graph, new Set(late))),
      };
    },
  },

  'unpaired-trim': {
    finds: '`trim` without `atrim`, or the other way round',
    filesAndRun: unpairedTrim,
  },
};
