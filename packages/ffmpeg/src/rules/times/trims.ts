import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { type Edits, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { wordSet } from '../../allowlist/words.ts';
import { changeFilters, type GraphFilter, keepsFrameTimes, printGraph, walkOf } from '../../filtergraph/graph.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type FileContext, type Rules, type RunFindings, unequalLengths } from '../contexts.ts';
import { addChainFix, followedBy, newFilter } from '../facts/graph-fixes.ts';
import { optionValue, secondsIn } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { sendGraph, type WrittenGraph } from '../facts/written-graphs.ts';

/**
 * Formats in which players show a still frame or play silence until the first timestamp (tested with ffmpeg 5.1). Other formats have no
 * timestamps (MP3, WAV, GIF), or players start at the first timestamp (MPEG-TS, Ogg).
 */
const TIMED = wordSet(
  'mp4 mov ipod 3gp 3g2 f4v psp matroska webm avi mpeg dvd vob svcd vcd hls dash segment flv opus image2',
);

/** Options by which the request itself moves the start, or that select only some frames. */
const MOVES_START = /^(?:ss|copyts|start_at_zero|avoid_negative_ts|frames|fps_mode|vsync|output_ts_offset)$/;

/** When a trim starts, in seconds. `later`: after a number of frames or samples. undefined: at 0, or not a trim. */
type Start = number | 'later' | undefined;

function startOf(filter: GraphFilter): Start {
  if (filter.name !== 'trim' && filter.name !== 'atrim') return undefined;
  const start = parseDuration(optionValue(filter, 'start', 'starti') ?? '0') ?? 0;
  if (start > 0) return start;
  const count = optionValue(filter, 'start_frame', 'start_pts', 'start_sample') ?? '0';
  return (readPlainNumber(count) ?? 0) > 0 ? 'later' : undefined;
}

/** Returns a function that tells if frames keep their times from a filter to the end of the graph, or to a `concat`. */
function timeKeeping({ checked }: WrittenGraph): (filter: GraphFilter) => boolean {
  const users = new Map<string, { readonly next: GraphFilter; readonly pad: number }>();
  const following = new Map<GraphFilter, GraphFilter>();
  for (const chain of checked.chains)
    for (const [at, next] of chain.entries()) {
      const before = chain[at - 1];
      if (before !== undefined) following.set(before, next);
      for (const [pad, label] of next.inputs.entries()) if (!users.has(label)) users.set(label, { next, pad });
    }
  const known = new Map<GraphFilter, boolean>();
  const keepsTimes = (filter: GraphFilter): boolean => {
    const found = known.get(filter);
    if (found !== undefined) return found;
    // Ends the recursion in a graph with a cycle, which other checks reject.
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
        // An `overlay` takes the times of its first input.
        const isMain = next.name === 'overlay' && pad === 0;
        return (isMain || keepsFrameTimes(next)) && keepsTimes(next);
      });
    known.set(filter, keeps);
    return keeps;
  };
  return keepsTimes;
}

/** Returns `ss` and `t` that replace a `trim` in `vf` and cut the audio too. undefined: the graph has other filters or options. */
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

/** Returns the graph in which times count from 0 after each trim in `late`. */
function withResets({ written, checked }: WrittenGraph, late: ReadonlySet<GraphFilter>) {
  const chains = written.chains.map((chain, row) => {
    const named = checked.chains[row] ?? [];
    const resets = new Map(
      named.flatMap((one, at): readonly (readonly [number, GraphFilter])[] =>
        late.has(one) ? [[placeOfReset(named, at, startOf(one)), reset(one.name === 'trim')]] : [],
      ),
    );
    return chain.flatMap((filter, column): readonly GraphFilter[] => {
      const next = resets.get(column);
      return next === undefined ? [filter] : followedBy(filter, next);
    });
  });
  return { ...written, chains };
}

/** The maximum number of filters after a trim that are checked. */
const MAX_FOLLOWING = 100;

/** Returns the index of the filter after which times can count from 0: the trim, or a later filter that needs the times of the input. */
function placeOfReset(chain: readonly GraphFilter[], at: number, start: Start): number {
  const rest = chain.slice(at + 1, at + 1 + MAX_FOLLOWING);
  const end = rest.findIndex((one) => !keepsFrameTimes(one) || one.outputs.length > 1);
  return at + 1 + (end < 0 ? rest : rest.slice(0, end)).findLastIndex((one) => needsSourceTimes(one, start));
}

/** True if a filter needs the times of the input. A fade that starts before the trimmed part does not: it then has no effect. */
function needsSourceTimes(filter: GraphFilter, start: Start = 0): boolean {
  const { name } = filter;
  if (name === 'subtitles' || name === 'ass' || optionValue(filter, 'enable') !== undefined) return true;
  if (name !== 'fade' && name !== 'afade') return false;
  const begins = parseDuration(optionValue(filter, 'st', 'start_time') ?? '0') ?? 0;
  return start === 'later' ? begins > 0 : begins >= start;
}

const reset = (isVideo: boolean): GraphFilter => newFilter(isVideo ? 'setpts' : 'asetpts', [{ value: 'PTS-STARTPTS' }]);

/** Options that cut the whole output, or leave out one of the streams. */
const CUTS = ['shortest', 't', 'to', 'ss', 'sseof', 'frames:v', 'an', 'vn'];

function unpairedTrim(context: FileContext): RunFindings {
  const { facts, pass } = context;
  const kinds = new Set(pass.outputStreams.map(({ type }) => type));
  if (!kinds.has('video') || !kinds.has('audio') || CUTS.some((name) => facts.has(name))) return undefined;
  if (new Set(pass.used.map(({ input }) => input)).size > 1) return undefined;
  const [trim, ...others] = filtersIn(facts, 'trim', 'atrim');
  if (trim === undefined || others.length > 0) return undefined;
  // `nothing-written.ts` explains a trim that removes the whole stream.
  const start = secondsIn(trim.option(...TIMES.start));
  const seconds = facts.secondsOfInput(pass.used[0]?.input ?? 0);
  if (start !== undefined && seconds !== undefined && start >= seconds) return undefined;
  const fix = trim.graph.key === 'filter_complex' ? complexFix(trim, context) : simpleFix(trim);
  const [cut, whole] = trim.name === 'trim' ? ['video', 'audio'] : ['audio', 'video'];
  if (fix === undefined) return undefined;
  const message = `The filter ${trim.name} cuts only the ${cut}, and the whole ${whole} is in the output.`;
  return unequalLengths(message, fix, { key: trim.graph.key });
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

/** Returns the fix for a complex graph that cuts one stream of an input, while the request maps its other stream uncut. */
function complexFix({ facts, graph, filter }: PlacedFilter, { pass }: FileContext): Hint | undefined {
  const kind = filter.name === 'trim' ? 'audio' : 'video';
  const mapped = facts.usedOf(kind, pass.used).find(({ output }) => output !== undefined);
  if (mapped === undefined || mapped.copied) return undefined;
  const label = `${mapped.input}:${kind.charAt(0)}`;
  return addChainFix(facts, graph, label, printGraph({ chains: [otherTrim(filter)] }), 'cut');
}

/** The options of `trim` and `atrim` in seconds. Other options count frames or samples, which the other kind of stream does not have. */
const TIMES = { start: ['start', 'starti'], end: ['end', 'endi'], duration: ['duration', 'durationi'] } as const;

/** Returns the filters that cut audio like this `trim` cuts video, or video like this `atrim` cuts audio. */
function otherTrim(trim: GraphFilter): readonly [cut: GraphFilter, reset: GraphFilter] {
  const isVideo = trim.name === 'trim';
  const options = Object.entries(TIMES).flatMap(([key, names]) => {
    const value = optionValue(trim, ...names);
    return value === undefined ? [] : [{ key, value }];
  });
  return [{ ...trim, inputs: [], outputs: [], name: isVideo ? 'atrim' : 'trim', options }, reset(!isVideo)];
}

/** Returns the filters that cut audio like `trim` cuts its video. `from`, `to`: labels of their input and output. */
export function cutAudio(trim: GraphFilter, from: string, to: string): readonly GraphFilter[] {
  const [cut, toZero] = otherTrim(trim);
  return [
    { ...cut, inputs: [from] },
    { ...toZero, outputs: [to] },
  ];
}

export const TRIM_RULES: Rules = {
  /** Frames after a trim keep their times. Until the first frame, the output or the part for `concat` is still or silent. */
  'trim-without-setpts': {
    finds:
      'the filter `trim` or `atrim` from a later start without `setpts`, so that the output begins with a still or silent part',
    about: ['trim', 'atrim'],
    writtenGraph(graph, { options, muxer }) {
      if (!TIMED.has(muxer) || options.some(({ name, side }) => side !== 'input' && MOVES_START.test(name.name)))
        return [];
      const keepsTimes = timeKeeping(graph);
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
      // If other options cut the output, or the audio has its own filters, `ss` and `t` would cut twice.
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
