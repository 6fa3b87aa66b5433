import type {
  Chunk,
  ChunkedRun,
  ChunkTemplates,
  ForcedKeyFrames,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { bytesOfChunk } from './chunk-bytes.ts';
import { type FrameSlots, frameSlots } from './frame-slots.ts';
import { microsOf, type SourceIndex, type SourceStream } from './source-index.ts';

/** How long chunks shall be, in seconds. */
export interface ChunkLength {
  readonly seconds: number;
  /** No chunk is shorter, except at the end. Default: half of the wanted length. */
  readonly minSeconds?: number;
  /** The last `span` seconds are cut into chunks of this length. Absent: all are alike. */
  readonly end?: { readonly span: number; readonly seconds: number };
}

/** How far from the wanted length a better cut may be, as a share of this length. */
const TOLERANCE = 0.4;

/** How many frames before and after a cut have regular times, so that decoding times rise across the cut. */
const REGULAR_FRAMES = 8;

/**
 * Chooses where to cut. Every frame belongs to one chunk. A chunk begins at a key frame of the source near the wanted length, or else at
 * another frame, for which the frames since the key frame are decoded once more. Returns the reason if the source cannot be cut.
 */
export function cutChunks(planned: ChunkTemplates, index: SourceIndex, length: ChunkLength): ChunkedRun | WholeReason {
  const rest = restOf(planned, index);
  if (typeof rest === 'object') return rest;
  const { ticks, durations, timeBase, video, keys } = index;
  const tick = timeBase[0] / timeBase[1];
  const seconds = Float64Array.from(ticks, (time) => time * tick);
  const slots = slotsOf(
    planned,
    seconds,
    Float64Array.from(durations, (time) => time * tick),
    video,
  );
  if (slots === undefined) return { whole: 'The frame rate of the input is not known.' };
  // In a transport stream, ffmpeg counts times from the start of the streams that it reads, unless there is an offset. One microsecond is less
  // than half a tick.
  const offsetMicros = index.format === 'mpegts' && index.streams.length > 1 ? 1 : undefined;
  const starts = chooseStarts({ seconds, keys, slots, index, planned, length });
  if (starts.length === 1)
    return { whole: 'The input is too short for two chunks, or has no frame at which it can be cut.' };
  const probesFar = planned.chunk.some((word) => word === '-probesize' || word === '-analyzeduration');
  const chunks = starts.map((start, number): Chunk => {
    const end = starts[number + 1];
    const frames = framesBetween(slots, start, end ?? seconds.length);
    const isKnown = frames !== undefined && (number > 0 || !index.beginsWithoutKeyFrame);
    const before = number === 0 ? undefined : ticks[start - 1];
    // Only the number of frames shows whether bytes were missing.
    const bytes =
      index.positions && isKnown && !probesFar
        ? bytesOfChunk(index.format, index.positions, { from: start, to: end ?? seconds.length, seconds, keys })
        : undefined;
    const keyFrameMicros = requestedKeyFrames(planned.forcedKeyFrames, {
      first: seconds[0] ?? 0,
      from: number === 0 ? Number.NEGATIVE_INFINITY : (seconds[start] ?? 0),
      to: end === undefined ? (seconds.at(-1) ?? 0) + tick : (seconds[end] ?? 0),
    });
    return {
      index: number,
      startMicros: microsOf(ticks[start] ?? 0, timeBase),
      cutMicros:
        before === undefined ? 0 : Math.round((microsOf(before, timeBase) + microsOf(ticks[start] ?? 0, timeBase)) / 2),
      ...(end !== undefined && { lengthMicros: microsOf((ticks[end] ?? 0) - (ticks[start] ?? 0), timeBase) }),
      ...(offsetMicros !== undefined && { offsetMicros }),
      ...(keyFrameMicros.length > 0 && { keyFrameMicros }),
      ...(isKnown && { frames }),
      ...(bytes && { bytes }),
      beginsAtKeyFrame: keys[start] === 1,
    };
  });
  return {
    chunks,
    ...(offsetMicros !== undefined && { offsetMicros }),
    hasRest: rest,
    disposition: video.disposition,
    ...(video.timecode !== undefined && { timecode: video.timecode }),
  };
}

interface CutContext {
  readonly seconds: Float64Array;
  readonly keys: ArrayLike<number>;
  readonly slots: readonly FrameSlots[];
  readonly index: SourceIndex;
  readonly planned: ChunkTemplates;
  readonly length: ChunkLength;
}

/** The numbers of the first frames of the chunks. */
function chooseStarts({ seconds, keys, slots, index, planned, length }: CutContext): readonly number[] {
  const last = seconds.at(-1) ?? 0;
  const starts = [0];
  for (;;) {
    const from = seconds[starts.at(-1) ?? 0] ?? 0;
    const wanted = length.end !== undefined && last - from <= length.end.span ? length.end.seconds : length.seconds;
    const minSeconds = Math.min(length.minSeconds ?? wanted / 2, wanted);
    // The last chunk may be longer rather than tiny.
    if (last - from < wanted + minSeconds) return starts;
    const target = from + wanted;
    const [earliest, latest] = [
      Math.max(from + minSeconds, target - wanted * TOLERANCE),
      Math.min(last - minSeconds, target + wanted * TOLERANCE),
    ];
    let best: { readonly at: number; readonly cost: number } | undefined;
    for (let at = lowerBound(seconds, earliest); at < seconds.length && (seconds[at] ?? 0) <= latest; at++) {
      if (!canCut(at, { seconds, keys, slots, index })) continue;
      const cost = costOf(at, (seconds[at] ?? 0) - target, { keys, planned, slots, seconds });
      if (best === undefined || cost < best.cost) best = { at, cost };
    }
    best ??= nextCut(lowerBound(seconds, latest), last - minSeconds, { seconds, keys, slots, index });
    if (best === undefined) return starts;
    starts.push(best.at);
  }
}

/** The first frame from `from` on at which the source can be cut. undefined: there is none before `end`. */
function nextCut(from: number, end: number, context: Pick<CutContext, 'seconds' | 'keys' | 'slots' | 'index'>) {
  for (let at = from; at < context.seconds.length && (context.seconds[at] ?? 0) <= end; at++)
    if (canCut(at, context)) return { at, cost: 0 };
  return undefined;
}

function canCut(
  at: number,
  { seconds, keys, slots, index }: Pick<CutContext, 'seconds' | 'keys' | 'slots' | 'index'>,
): boolean {
  if (slots.some(({ canBegin }) => canBegin[at] !== 1)) return false;
  // Reading a transport stream begins anywhere, so its decoder is right from the next key frame on.
  if (index.format === 'mpegts' && keys[at] !== 1) return false;
  return isRegular(seconds, at);
}

/**
 * True if the frames around a cut are about evenly spaced. An encoder with B-frames sends the first frames of a chunk earlier, by the distance
 * of these frames.
 */
function isRegular(seconds: Float64Array, at: number): boolean {
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (
    let frame = Math.max(1, at - REGULAR_FRAMES + 1);
    frame < Math.min(seconds.length, at + REGULAR_FRAMES);
    frame++
  ) {
    const distance = (seconds[frame] ?? 0) - (seconds[frame - 1] ?? 0);
    if (distance < shortest) shortest = distance;
    if (distance > longest) longest = distance;
  }
  return longest <= shortest * 2.2;
}

function costOf(
  at: number,
  distance: number,
  { keys, planned, slots, seconds }: Pick<CutContext, 'keys' | 'planned' | 'slots' | 'seconds'>,
): number {
  const written = slots[0]?.written[at] ?? at;
  const { keyFrameDistance, forcedKeyFrames } = planned;
  const continues =
    keyFrameDistance === undefined
      ? forcedKeyFrames === undefined || isForced(forcedKeyFrames, seconds, at)
      : written % keyFrameDistance === 0;
  // Another second of distance weighs less than frames that are decoded twice, or a key frame that the whole would not have.
  return Math.abs(distance) + (keys[at] === 1 ? 0 : 1000) + (continues ? 0 : 500);
}

/** The requested key frames after `from` and before `to`, in microseconds. `first`: the time of the first frame, from which intervals count. */
function requestedKeyFrames(
  forced: ForcedKeyFrames | undefined,
  { first, from, to }: { readonly first: number; readonly from: number; readonly to: number },
): readonly number[] {
  if (forced === undefined) return [];
  if ('seconds' in forced)
    return forced.seconds.filter((time) => time > from && time < to).map((time) => Math.round(time * 1e6));
  const { everySeconds } = forced;
  const begin = Math.max(
    0,
    from === Number.NEGATIVE_INFINITY ? 0 : Math.floor((from - first) / everySeconds + 1e-6) + 1,
  );
  const count = Math.max(0, Math.ceil((to - first) / everySeconds - 1e-6) - begin);
  return Array.from({ length: count }, (_, at) => Math.round((first + (begin + at) * everySeconds) * 1e6));
}

/** True if the whole conversion has a key frame at this frame by request. */
function isForced(forced: ForcedKeyFrames, seconds: Float64Array, at: number): boolean {
  const [first = 0, before = 0, time = 0] = [seconds[0], seconds[at - 1], seconds[at]];
  if ('seconds' in forced) return forced.seconds.some((one) => one > before && one <= time);
  const count = (moment: number): number => Math.floor((moment - first) / forced.everySeconds + 1e-6);
  return count(time) > count(before);
}

/** What ffmpeg does with the frames, by each rate and mode that it may choose. undefined: no rate is known. */
function slotsOf(
  { frameRateModes }: ChunkTemplates,
  seconds: Float64Array,
  durations: Float64Array,
  video: SourceStream,
): readonly FrameSlots[] | undefined {
  const rates = ratesOf(video);
  if (rates.length === 0) return undefined;
  return frameRateModes.flatMap((mode) =>
    rates.flatMap((rate) =>
      [true, false].map((usesDurations) => frameSlots(seconds, durations, { rate, usesDurations, mode })),
    ),
  );
}

/** Codecs whose frames consist of two fields. For them, ffmpeg may take the rate from the headers of the video, which ffprobe does not print. */
const WITH_FIELDS: ReadonlySet<string> = new Set(['h264', 'mpeg2video', 'mpeg1video']);

/** The rates that ffmpeg may choose for the encoder (`av_guess_frame_rate`). */
function ratesOf({ realRate, averageRate, codec }: SourceStream): readonly number[] {
  if (realRate === undefined) return averageRate === undefined ? [] : [averageRate];
  if (averageRate === undefined) return [realRate];
  if (averageRate < 70 && realRate > 210) return [averageRate];
  const isUneven = Math.abs(1 - averageRate / realRate) > 0.1;
  return WITH_FIELDS.has(codec) && isUneven ? [realRate, realRate / 2] : [realRate];
}

/** The number of frames in the output. undefined: it depends on the rate that ffmpeg assumes. */
function framesBetween(slots: readonly FrameSlots[], start: number, end: number): number | undefined {
  const counts = new Set(slots.map(({ written }) => (written[end] ?? 0) - (written[start] ?? 0)));
  return counts.size === 1 ? [...counts][0] : undefined;
}

/** The first position with a time of at least `time`. */
function lowerBound(seconds: Float64Array, time: number): number {
  let [low, high] = [0, seconds.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seconds[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const KINDS: Readonly<Record<string, string>> = {
  v: 'video',
  V: 'video',
  a: 'audio',
  s: 'subtitle',
  d: 'data',
  t: 'attachment',
};

/** Whether the output has other streams than the video, or the reason why the conversion runs whole. */
function restOf(
  { maps, excluded, rest, copiesAudio, extension }: ChunkTemplates,
  { streams, video, format }: SourceIndex,
): boolean | WholeReason {
  const isExcluded = ({ type }: SourceStream): boolean => (excluded as readonly string[]).includes(type);
  const others = streams.filter((stream) => stream.type !== 'video' && !isExcluded(stream));
  const covers = streams.filter(({ isCover }) => isCover);
  const copiesOpus = copiesAudio && others.some(({ type, codec }) => type === 'audio' && codec === 'opus');
  if (copiesOpus && extension === 'mkv')
    return { whole: 'Copied Opus audio in Matroska is not known to keep its time.' };
  if (copiesAudio && (extension === 'mkv') !== (format === 'matroska') && others.some(({ type }) => type === 'audio'))
    return { whole: 'Audio that is copied to another kind of container is not known to keep its time.' };
  if (maps.length === 0) {
    if (rest === undefined || others.length === 0) return false;
    if (others.some(({ type }) => type === 'audio')) return true;
    if (others.some(({ type }) => type === 'subtitle' || type === 'data'))
      return {
        whole: 'The input has subtitles or data and no audio, so that the streams of the output are not known.',
      };
    return false;
  }
  const selected = maps.flatMap((map) => selectedBy(map, streams).filter((stream) => !isExcluded(stream)));
  if (covers.length > 0 && selected.some(({ isCover }) => isCover)) return { whole: '"map" selects a cover image.' };
  if (!selected.some(({ index }) => index === video.index)) return { whole: '"map" does not select the video.' };
  if (selected[0]?.index !== video.index) return { whole: 'The video is not the first stream of the output.' };
  if (selected.some(({ type }) => type === 'data' || type === 'unknown'))
    return { whole: '"map" selects a data stream.' };
  return rest !== undefined && selected.length > 1;
}

/** The streams that a map selects, in the order of the source. */
function selectedBy(map: string, streams: readonly SourceStream[]): readonly SourceStream[] {
  const [, kind, number] = /^0(?::([vVasdt]|\d+)(?::(\d+))?)?\??$/.exec(map) ?? [];
  if (kind === undefined) return streams;
  if (/^\d+$/.test(kind)) return streams.filter(({ index }) => index === Number(kind));
  const ofKind = streams.filter(({ type, isCover }) => type === KINDS[kind] && !(kind === 'V' && isCover));
  return number === undefined ? ofKind : ofKind.slice(Number(number), Number(number) + 1);
}
