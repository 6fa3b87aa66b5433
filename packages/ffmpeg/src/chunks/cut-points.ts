import type {
  Chunk,
  ChunkedRun,
  ChunkOutput,
  ChunkTemplates,
  ForcedKeyFrames,
  FrameRateMode,
  JoinedStreams,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { STEP } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';
import { bytesOfChunk } from './chunk-bytes.ts';
import { firstAfter, firstPosition, lowerBound } from './first-position.ts';
import { type ForcedNumbers, forcedNumbers, fractionOf, microsOfFrame, type Rate } from './forced-key-frames.ts';
import { type FrameSlots, frameSlots } from './frame-slots.ts';
import { NEIGHBOURS } from './framewise-filters.ts';
import { clockOf } from './read-clock.ts';
import { MAX_FRAMES, microsOf, type SourceIndex, type SourceStream } from './source-index.ts';
import { selectedBy } from './stream-maps.ts';

/** How long chunks shall be, in seconds. */
export interface ChunkLength {
  readonly seconds: number;
  /** No chunk is shorter, except at the end. Default: half of the wanted length. */
  readonly minSeconds?: number;
  /** The last `span` seconds are cut into chunks of this length. Absent: all are alike. */
  readonly end?: { readonly span: number; readonly seconds: number };
}

/** A cut that was begun before all frames were listed. */
export interface CutProgress {
  /**
   * Where the chunks begin that were cut before, and the next one, in microseconds from the start of the file. Empty or absent:
   * none was.
   */
  readonly begun?: readonly number[];
  /** If the index has only the beginning of the source: about where its last frame is, in seconds from the start of the file. */
  readonly endSeconds?: number;
}

/**
 * How much of a list that goes on does not decide about cuts: packets come in the order of decoding, and a chunk needs the
 * bytes after its last frame. In seconds and in frames.
 */
const UNDECIDED = { seconds: 10, frames: 200 };

/** How far from the wanted length a better cut may be, as a share of this length. */
const TOLERANCE = 0.4;

/** How many frames before and after a cut have regular times, so that decoding times rise across the cut. */
const REGULAR_FRAMES = 8;

/**
 * Chooses where to cut. Every frame belongs to one chunk. A chunk begins at a key frame of the source near the wanted length, or else at
 * another frame, for which the frames since the key frame are decoded once more. Returns the reason if the source cannot be cut.
 * Works in steps, because a source can have millions of frames. With `endSeconds`, returns only the chunks whose ends are certain, so that
 * the same chunks, and more, result from a longer list.
 */
export function* cutChunks(
  planned: ChunkTemplates,
  source: SourceIndex,
  length: ChunkLength,
  { begun = [], endSeconds }: CutProgress = {},
): InSteps<ChunkedRun | WholeReason> {
  const outputs: JoinedStreams[] = [];
  for (const [at, output] of planned.outputs.entries()) {
    const streams = streamsOf(output, source);
    if ('whole' in streams)
      return planned.outputs.length === 1 ? streams : { whole: `Output ${at + 1}: ${streams.whole}` };
    outputs.push(streams);
  }
  const clock = clockOf(planned, source);
  if ('whole' in clock) return clock;
  const { index, ofChunks, ofRests } = clock;
  if (planned.readsNeighbours && index.format === 'mpegts')
    return { whole: 'A filter needs the frames before a cut, which cannot be decoded alone in a transport stream.' };
  const languages = rejectLanguages(planned.outputs, index);
  if (languages !== undefined) return languages;
  const { ticks, durations, timeBase, video, keys } = index;
  const tick = timeBase[0] / timeBase[1];
  const seconds = yield* inSeconds(ticks, tick);
  const lengths = yield* inSeconds(durations, tick);
  const slotsFor = (modes: readonly FrameRateMode[]) => slotsOf(modes, seconds, lengths, video);
  const slots = yield* slotsFor(planned.frameRateModes);
  if (slots.length === 0) return { whole: 'The frame rate of the input is not known.' };
  const rates = ratesOf(video);
  const isConstant = planned.cutsAtKeyFrames || planned.frameRateModes.every((mode) => mode === 'cfr');
  const rate = isConstant && rates.length === 1 ? fractionOf(rates[0] ?? 0) : undefined;
  if (planned.cutsAtKeyFrames && rate === undefined)
    return { whole: 'The frame rate of the input is not certain, so the times of the segments are not known.' };
  // Segments have a constant rate, even if another output of the same chunks has not.
  const numbered = planned.cutsAtKeyFrames ? yield* slotsFor(['cfr']) : slots;
  const keyFrames = yield* keyFramesOf(planned, { seconds, slots: numbered, rate, end: (seconds.at(-1) ?? 0) + tick });
  if ('whole' in keyFrames) return keyFrames;
  const first = begun.length === 0 ? [0] : begun.map((micros) => frameAt(micros, index));
  if (first.includes(undefined)) return { whole: 'The input has other frames than when its first chunks were cut.' };
  const decided = first.filter((at) => at !== undefined);
  const context = { seconds, keys, slots, index, planned, length, keyFrames };
  const starts = yield* chooseStarts({ ...context, decided, ...(endSeconds !== undefined && { endSeconds }) });
  if (starts.length === 1 && endSeconds === undefined)
    return { whole: 'The input is too short for two chunks, or has no frame at which it can be cut.' };
  const probesFar = planned.families.some(({ argv }) =>
    argv.some((word) => word === '-probesize' || word === '-analyzeduration'),
  );
  const complete = endSeconds === undefined ? starts : starts.slice(0, -1);
  const chunks: Chunk[] = [];
  for (const [number, start] of complete.entries()) {
    const end = starts[number + 1];
    const frames = framesBetween(slots, start, end ?? seconds.length);
    const isKnown = frames !== undefined && (number > 0 || !index.beginsWithoutKeyFrame);
    const before = number === 0 ? undefined : ticks[start - 1];
    // Only the number of frames shows whether bytes were missing.
    const from = planned.readsNeighbours && number > 0 ? start - NEIGHBOURS : start;
    const bytes =
      index.positions && isKnown && !probesFar
        ? bytesOfChunk(index.format, index.positions, { from, to: end ?? seconds.length, seconds })
        : undefined;
    const keyFrameMicros = keyFrames.requested(number === 0 ? undefined : start, end);
    if ('whole' in keyFrameMicros) return keyFrameMicros;
    yield;
    chunks.push({
      index: number,
      startMicros: microsOf(ticks[start] ?? 0, timeBase),
      ...(from < start && { decodeMicros: microsOf(ticks[from] ?? 0, timeBase) }),
      cutMicros:
        before === undefined ? 0 : Math.round((microsOf(before, timeBase) + microsOf(ticks[start] ?? 0, timeBase)) / 2),
      ...(end !== undefined && { lengthMicros: microsOf((ticks[end] ?? 0) - (ticks[start] ?? 0), timeBase) }),
      ...(ofChunks !== 0 && { offsetMicros: ofChunks }),
      ...(keyFrameMicros.length > 0 && { keyFrameMicros }),
      ...(isKnown && { frames }),
      ...(bytes && { bytes }),
      beginsAtKeyFrame: keys[start] === 1,
    });
  }
  return {
    chunks,
    outputs: outputs.map((streams, at) => withOffset(streams, ofRests[at] ?? 0)),
    disposition: video.disposition,
    ...(video.timecode !== undefined && { timecode: video.timecode }),
    withoutLanguage: (['video', 'audio'] as const).filter(
      (kind) => !index.streams.some(({ type, hasLanguage }) => type === kind && hasLanguage),
    ),
  };
}

const withOffset = (streams: JoinedStreams, offsetMicros: number): JoinedStreams =>
  streams.hasRest && offsetMicros !== 0 ? { ...streams, offsetMicros } : streams;

function* inSeconds(ticks: ArrayLike<number>, tick: number): InSteps<Float64Array> {
  const seconds = new Float64Array(ticks.length);
  for (let at = 0; at < seconds.length; at++) {
    seconds[at] = (ticks[at] ?? 0) * tick;
    if (at % STEP === 0) yield;
  }
  return seconds;
}

/** Rejects segments if only some audio streams have a language: the join gives all of them one, or removes it from all. */
function rejectLanguages(outputs: readonly ChunkOutput[], { streams }: SourceIndex): WholeReason | undefined {
  const hasAudio = outputs.some(({ hasManifest, excluded }) => hasManifest && !excluded.includes('audio'));
  const known = new Set(streams.flatMap(({ type, hasLanguage }) => (type === 'audio' ? [hasLanguage] : [])));
  return hasAudio && known.size > 1 ? { whole: 'Only some audio streams of the input have a language.' } : undefined;
}

/** The frame at a time in microseconds from the start of the file. undefined: there is none. */
function frameAt(micros: number, { ticks, timeBase }: Pick<SourceIndex, 'ticks' | 'timeBase'>): number | undefined {
  const microsAt = (at: number): number => microsOf(ticks[at] ?? 0, timeBase);
  // The start of a chunk may be the sum of two rounded times.
  const frame = firstPosition(ticks.length, (at) => microsAt(at) >= micros - 1);
  return frame < ticks.length && microsAt(frame) <= micros + 1 ? frame : undefined;
}

interface CutContext {
  readonly seconds: Float64Array;
  readonly keys: ArrayLike<number>;
  readonly slots: readonly FrameSlots[];
  readonly index: SourceIndex;
  readonly planned: ChunkTemplates;
  readonly length: ChunkLength;
  readonly keyFrames: KeyFrames;
  /** The numbers of the frames with which the chunks that are already cut begin, and of the frame with which the next chunk begins. */
  readonly decided: readonly number[];
  /** See `CutProgress`. */
  readonly endSeconds?: number;
}

type Cutting = Omit<CutContext, 'length' | 'decided' | 'endSeconds'>;

/** The numbers of the first frames of the chunks. */
function* chooseStarts({ length, decided, endSeconds, ...context }: CutContext): InSteps<readonly number[]> {
  const { seconds, keys } = context;
  const last = endSeconds ?? seconds.at(-1) ?? 0;
  const certain =
    endSeconds === undefined
      ? last
      : Math.min((seconds.at(-1) ?? 0) - UNDECIDED.seconds, seconds.at(-UNDECIDED.frames) ?? 0);
  const starts = [...decided];
  for (;;) {
    const from = seconds[starts.at(-1) ?? 0] ?? 0;
    const wanted = length.end !== undefined && last - from <= length.end.span ? length.end.seconds : length.seconds;
    const minSeconds = Math.min(length.minSeconds ?? wanted / 2, wanted);
    // Make the last chunk longer rather than add a tiny one.
    if (last - from < wanted + minSeconds) return starts;
    const target = from + wanted;
    const [earliest, latest] = [
      Math.max(from + minSeconds, target - wanted * TOLERANCE),
      Math.min(last - minSeconds, target + wanted * TOLERANCE),
    ];
    if (latest > certain) return starts;
    let best: { readonly at: number; readonly cost: number } | undefined;
    for (let at = lowerBound(seconds, earliest); at < seconds.length && (seconds[at] ?? 0) <= latest; at++) {
      if (at % STEP === 0) yield;
      if (!canCut(at, context)) continue;
      // Another second of distance weighs less than frames that are decoded twice, or a key frame that the whole conversion would not have.
      const cost =
        Math.abs((seconds[at] ?? 0) - target) + (keys[at] === 1 ? 0 : 1000) + (context.keyFrames.has(at) ? 0 : 500);
      if (best === undefined || cost < best.cost) best = { at, cost };
    }
    best ??= yield* nextCut(lowerBound(seconds, latest), Math.min(last - minSeconds, certain), context);
    if (best === undefined) return starts;
    starts.push(best.at);
  }
}

/** The first frame from `from` on at which the source can be cut. undefined: there is none before `end`. */
function* nextCut(from: number, end: number, context: Cutting): InSteps<{ at: number; cost: number } | undefined> {
  for (let at = from; at < context.seconds.length && (context.seconds[at] ?? 0) <= end; at++) {
    if (canCut(at, context)) return { at, cost: 0 };
    if (at % STEP === 0) yield;
  }
  return undefined;
}

function canCut(at: number, { seconds, keys, slots, index, planned, keyFrames }: Cutting): boolean {
  if (planned.cutsAtKeyFrames && !keyFrames.has(at)) return false;
  if (planned.readsNeighbours && at < NEIGHBOURS) return false;
  if (slots.some(({ canBegin }) => canBegin[at] !== 1)) return false;
  // ffmpeg begins to read a transport stream at any packet, and decodes correctly only from the next key frame on.
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

/** The key frames that the whole conversion has for certain. */
interface KeyFrames {
  /** True if the whole conversion has a key frame at a frame, or if nothing is known of its key frames. */
  has(frame: number): boolean;
  /**
   * The times of the requested key frames after a frame and before another one, in microseconds from the start of the file, or a reason if
   * a chunk cannot have so many. undefined: from the start, or to the end.
   */
  requested(after: number | undefined, before: number | undefined): readonly number[] | WholeReason;
}

interface KeyFrameContext {
  readonly seconds: Float64Array;
  /** The numbers of the frames of the source in the output, by each assumption. */
  readonly slots: readonly FrameSlots[];
  /** The constant rate of the output. undefined: it has none. */
  readonly rate: Rate | undefined;
  /** The end of the last frame in seconds. */
  readonly end: number;
}

function* keyFramesOf(
  {
    keyFrameDistance,
    forcedKeyFrames,
    cutsAtKeyFrames,
  }: Pick<ChunkTemplates, 'keyFrameDistance' | 'forcedKeyFrames' | 'cutsAtKeyFrames'>,
  { seconds, slots, rate, end }: KeyFrameContext,
): InSteps<KeyFrames | WholeReason> {
  const numberOf = (frame: number): number => slots[0]?.written[frame] ?? frame;
  const isCertain = (frame: number): boolean => slots.every(({ written }) => written[frame] === numberOf(frame));
  if (forcedKeyFrames === undefined)
    return {
      has: (frame) => keyFrameDistance === undefined || (isCertain(frame) && numberOf(frame) % keyFrameDistance === 0),
      requested: () => [],
    };
  if (rate !== undefined) {
    // Across a gap, a constant rate repeats a frame without bound.
    if ((end * rate[0]) / rate[1] > MAX_FRAMES)
      return { whole: `At a constant frame rate, the output would have more than ${MAX_FRAMES} frames.` };
    const count = numberOf(seconds.length);
    const forced = yield* forcedNumbers(forcedKeyFrames, rate, count);
    if (cutsAtKeyFrames && !forced.areCertain)
      return { whole: 'Releases of ffmpeg begin segments at different frames for the times in "force_key_frames".' };
    const byNumber = keyFramesByNumber(forced, { rate, numberOf, count });
    return { ...byNumber, has: (frame) => isCertain(frame) && byNumber.has(frame) };
  }
  const timeOf = (frame: number): number => seconds[frame] ?? 0;
  return {
    has: (frame) => isForced(forcedKeyFrames, seconds, frame),
    requested: (after, before) =>
      requestedKeyFrames(forcedKeyFrames, {
        first: timeOf(0),
        from: after === undefined ? Number.NEGATIVE_INFINITY : timeOf(after),
        to: before === undefined ? end : timeOf(before),
      }),
  };
}

/** The requested key frames at a constant rate. The output then begins at zero, and its frames have the times of their numbers. */
function keyFramesByNumber(
  { numbers }: ForcedNumbers,
  {
    rate,
    numberOf,
    count,
  }: { readonly rate: Rate; readonly numberOf: (frame: number) => number; readonly count: number },
): KeyFrames {
  const has = (number: number): boolean => numbers[lowerBound(numbers, number)] === number;
  return {
    has: (frame) => has(numberOf(frame)),
    requested: (after, before) =>
      timesBetween(
        after === undefined ? 0 : lowerBound(numbers, numberOf(after) + 1),
        lowerBound(numbers, before === undefined ? count : numberOf(before)),
        (at) => microsOfFrame(numbers[at] ?? 0, rate),
      ),
  };
}

/** The requested key frames after `from` and before `to`, in microseconds. `first`: the time of the first frame, from which intervals count. */
function requestedKeyFrames(
  forced: ForcedKeyFrames,
  { first, from, to }: { readonly first: number; readonly from: number; readonly to: number },
): readonly number[] | WholeReason {
  if ('seconds' in forced) {
    const { seconds } = forced;
    return timesBetween(firstAfter(seconds, from), lowerBound(seconds, to), (at) =>
      Math.round((seconds[at] ?? 0) * 1e6),
    );
  }
  const { everySeconds } = forced;
  return timesBetween(
    Math.max(0, from === Number.NEGATIVE_INFINITY ? 0 : Math.floor((from - first) / everySeconds + 1e-6) + 1),
    Math.ceil((to - first) / everySeconds - 1e-6),
    (at) => Math.round((first + at * everySeconds) * 1e6),
  );
}

/** The most requested key frames of a chunk. ffmpeg gets their times as one argument, which has at most 128 KiB. */
const MAX_KEY_FRAMES = 8000;

/** The times in microseconds from one position of a list on, and before another. */
const timesBetween = (
  from: number,
  to: number,
  microsAt: (position: number) => number,
): readonly number[] | WholeReason =>
  to - from > MAX_KEY_FRAMES
    ? { whole: `"force_key_frames" asks for more than ${MAX_KEY_FRAMES} key frames in one chunk.` }
    : Array.from({ length: Math.max(0, to - from) }, (_, at) => microsAt(from + at));

/** True if the whole conversion has a key frame at this frame by request. */
function isForced(forced: ForcedKeyFrames, seconds: Float64Array, at: number): boolean {
  const [first = 0, before = 0, time = 0] = [seconds[0], seconds[at - 1], seconds[at]];
  if ('seconds' in forced)
    return (forced.seconds[firstAfter(forced.seconds, before)] ?? Number.POSITIVE_INFINITY) <= time;
  const count = (moment: number): number => Math.floor((moment - first) / forced.everySeconds + 1e-6);
  return count(time) > count(before);
}

/** What ffmpeg does with the frames, by each rate and mode that it may choose. Empty: no rate is known. */
function* slotsOf(
  modes: readonly FrameRateMode[],
  seconds: Float64Array,
  durations: Float64Array,
  video: SourceStream,
): InSteps<readonly FrameSlots[]> {
  const all: FrameSlots[] = [];
  for (const mode of modes)
    for (const rate of ratesOf(video))
      for (const usesDurations of [true, false])
        all.push(yield* frameSlots(seconds, durations, { rate, usesDurations, mode }));
  return all;
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

/** The streams of an output, or the reason why the conversion runs whole. */
function streamsOf(output: ChunkOutput, source: SourceIndex): JoinedStreams | WholeReason {
  const { maps, excluded, rest, copiesAudio, extension, hasManifest } = output;
  const { streams, format } = source;
  const isExcluded = ({ type }: SourceStream): boolean => (excluded as readonly string[]).includes(type);
  const others = streams.filter((stream) => stream.type !== 'video' && !isExcluded(stream));
  const copiesOpus = copiesAudio && others.some(({ type, codec }) => type === 'audio' && codec === 'opus');
  if (copiesOpus && extension === 'mkv')
    return { whole: 'Copied Opus audio in Matroska is not known to keep its time.' };
  if (copiesAudio && (extension === 'mkv') !== (format === 'matroska') && others.some(({ type }) => type === 'audio'))
    return { whole: 'Audio that is copied to another kind of container is not known to keep its time.' };
  if (maps.length > 0) return mappedStreams(output, source, isExcluded);
  if (rest === undefined || others.length === 0) return { hasRest: false };
  const has = (wanted: string): boolean => others.some(({ type }) => type === wanted);
  if (hasManifest && has('subtitle')) return { whole: SUBTITLES };
  return !has('audio') && (has('subtitle') || has('data'))
    ? {
        whole: 'The input has subtitles or data and no audio, so that the streams of the output are not known.',
      }
    : { hasRest: has('audio') };
}

const SUBTITLES = 'The input has subtitles. Send "sn" to leave them out of the segments.';

function mappedStreams(
  { maps, rest, fromGraph, hasManifest }: ChunkOutput,
  { streams, video }: SourceIndex,
  isExcluded: (stream: SourceStream) => boolean,
): JoinedStreams | WholeReason {
  // A label of a filtergraph is made from the video, so it counts as the video.
  const selected = maps
    .flatMap((map) => (map.startsWith('[') ? [video] : selectedBy(map, streams)))
    .filter((stream) => !isExcluded(stream));
  if (selected.some(({ isCover }) => isCover)) return { whole: '"map" selects a cover image.' };
  if (fromGraph && streams.some(({ isCover }) => isCover))
    return { whole: 'The filtergraph may read the cover image of the input.' };
  if (!selected.some(({ index }) => index === video.index)) return { whole: '"map" does not select the video.' };
  if (selected[0]?.index !== video.index) return { whole: 'The video is not the first stream of the output.' };
  if (selected.some(({ type }) => type === 'data' || type === 'unknown'))
    return { whole: '"map" selects a data stream.' };
  if (hasManifest && selected.some(({ type }) => type !== 'video' && type !== 'audio')) return { whole: SUBTITLES };
  const order = selected.map(({ index }) => (index === video.index ? 'video' : 'rest'));
  const hasRest = rest !== undefined && order.includes('rest');
  const isSorted = order.lastIndexOf('video') < (order.includes('rest') ? order.indexOf('rest') : order.length);
  return { hasRest, ...(hasRest && !isSorted && { order }) };
}
