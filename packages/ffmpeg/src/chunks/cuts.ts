import type { Chunk, ChunkedRun, ChunkOutput, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { STEP } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';
import type { SourceFrames, SourceStream } from './source-frames.ts';

/** No chunk is shorter than this share of the wanted length, except at the end. */
const LEAST_SHARE = 0.6;

/** How many frames before and after a cut have regular times, so that decoding times rise across the cut. */
const REGULAR_FRAMES = 4;

/**
 * Cuts a source at its key frames, near multiples of a length. Every frame belongs to one chunk. Returns the reason if the source cannot be cut.
 */
export function* cutAtKeyFrames(
  planned: ChunkTemplates,
  source: SourceFrames,
  seconds: number,
): InSteps<ChunkedRun | WholeReason> {
  const { micros, video, sourceMicros } = source;
  const hasRest: boolean[] = [];
  for (const [at, output] of planned.outputs.entries()) {
    const has = hasOtherStreams(output, source, planned.hasSegments);
    if (typeof has !== 'boolean')
      return planned.outputs.length === 1 ? has : { whole: `Output ${at + 1}: ${has.whole}` };
    hasRest.push(has);
  }
  if (planned.hasSegments && !(yield* hasConstantRate(micros)))
    return { whole: 'The frame rate of the input varies, and segments have a constant one.' };
  const starts = yield* chooseStarts(source, seconds * 1e6);
  if (starts.length === 1)
    return { whole: 'The input is too short for two chunks, or has no key frame at which it can be cut.' };
  const chunks: Chunk[] = [];
  for (const [index, first] of starts.entries()) {
    yield;
    const end = starts[index + 1];
    const startMicros = micros[first] ?? 0;
    const endMicros = end === undefined ? Number.POSITIVE_INFINITY : (micros[end] ?? 0);
    const keyFrameMicros = keyFramesBetween(
      planned.keyFrameSeconds ?? Number.POSITIVE_INFINITY,
      startMicros,
      Math.min(endMicros, micros[micros.length - 1] ?? 0),
      micros[0] ?? 0,
    );
    if (keyFrameMicros.length > MAX_KEY_FRAMES)
      return { whole: `"force_key_frames" asks for more than ${MAX_KEY_FRAMES} key frames in one chunk.` };
    chunks.push({
      ...{ index, startMicros },
      ...(end !== undefined && { lengthMicros: endMicros - startMicros }),
      cutMicros: index === 0 ? 0 : Math.round(((micros[first - 1] ?? 0) + startMicros) / 2),
      ...(keyFrameMicros.length > 0 && { keyFrameMicros }),
      frames: (end ?? micros.length) - first,
      ...(index > 0 &&
        planned.warmUpSeconds !== undefined && {
          warmUpFrames: first - positionOf(micros, startMicros - planned.warmUpSeconds * 1e6),
        }),
    });
  }
  const { disposition, timecode } = video;
  return { chunks, hasRest, sourceMicros, disposition, ...(timecode !== undefined && { timecode }) };
}

/** How many frames tell the usual distance. */
const RATE_FRAMES = 24;

/** Whether all frames are about as far apart as the first ones. Containers round times, so that distances differ a little. */
function* hasConstantRate(micros: ArrayLike<number>): InSteps<boolean> {
  const count = Math.min(RATE_FRAMES, micros.length - 1);
  const usual = ((micros[count] ?? 0) - (micros[0] ?? 0)) / Math.max(1, count);
  for (let frame = 1; frame < micros.length; frame++) {
    if (frame % STEP === 0) yield;
    const distance = (micros[frame] ?? 0) - (micros[frame - 1] ?? 0);
    if (Math.abs(distance - usual) > usual / 4) return false;
  }
  return true;
}

/** The numbers of the first frames of the chunks. */
function* chooseStarts({ micros, keyMicros }: SourceFrames, length: number): InSteps<readonly number[]> {
  const last = micros[micros.length - 1] ?? 0;
  const starts = [0];
  for (;;) {
    yield;
    const from = micros[starts.at(-1) ?? 0] ?? 0;
    const target = from + length;
    let best: number | undefined;
    for (let key = positionOf(keyMicros, from + length * LEAST_SHARE); key < keyMicros.length; key++) {
      if (key % STEP === 0) yield;
      const time = keyMicros[key] ?? 0;
      if (last - time < length * LEAST_SHARE) break;
      const frame = positionOf(micros, time);
      const isNearer = best === undefined || Math.abs(time - target) < Math.abs((micros[best] ?? 0) - target);
      if (isNearer && isRegular(micros, frame)) best = frame;
      if (best !== undefined && time >= target) break;
    }
    if (best === undefined) return starts;
    starts.push(best);
  }
}

/** The position of a time in sorted times. */
function positionOf(sorted: ArrayLike<number>, time: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * True if the frames around a cut are about evenly spaced. An encoder with B-frames sends the first frames of a chunk earlier, by the distance
 * of these frames.
 */
function isRegular(micros: ArrayLike<number>, at: number): boolean {
  const distances: number[] = [];
  for (let frame = Math.max(1, at - REGULAR_FRAMES); frame < Math.min(micros.length, at + REGULAR_FRAMES); frame++)
    distances.push((micros[frame] ?? 0) - (micros[frame - 1] ?? 0));
  return Math.max(...distances) <= Math.min(...distances) * 2.2;
}

/** The most requested key frames of a chunk. ffmpeg gets their times as one argument, which has at most 128 KiB. */
const MAX_KEY_FRAMES = 8000;

/** The requested key frames after one time and up to another, in microseconds. ffmpeg counts `t` from the first frame. */
function keyFramesBetween(everySeconds: number, from: number, to: number, firstFrame: number): readonly number[] {
  const every = everySeconds * 1e6;
  const numberAfter = (micros: number): number => Math.max(1, Math.floor((micros - firstFrame) / every) + 1);
  const [first, end] = [numberAfter(from), numberAfter(to)];
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => Math.round(firstFrame + (first + at) * every));
}

/** Whether an output has other streams than videos, or why that is not known. */
function hasOtherStreams(
  { maps, excluded, rest }: ChunkOutput,
  { streams, video }: SourceFrames,
  hasSegments: boolean,
): boolean | WholeReason {
  const isExcluded = ({ type }: SourceStream): boolean => (excluded as readonly string[]).includes(type);
  const others = streams.filter((stream) => stream.type !== 'video' && !isExcluded(stream));
  if (maps.length > 0) {
    const byMap = maps.map((map) => (map.startsWith('[') ? [video] : selectedBy(map, streams)));
    const missing = maps.find((map, at) => byMap[at]?.length === 0 && !map.endsWith('?'));
    if (missing !== undefined) return { whole: `"map" ${missing} selects no stream.` };
    const selected = byMap.flat().filter((one) => !isExcluded(one));
    if (selected.some(({ isCover }) => isCover)) return { whole: '"map" selects a cover image.' };
    if (selected[0]?.index !== video.index) return { whole: 'The video is not the first stream that "map" selects.' };
    const lastVideo = selected.findLastIndex(({ index }) => index === video.index);
    // Segments name their streams by kind and number.
    if (!hasSegments && selected.slice(0, lastVideo).some(({ type }) => type !== 'video'))
      return { whole: '"map" selects a video after another stream. Select the videos first.' };
    if (hasSegments && selected.some(({ type }) => type === 'subtitle')) return { whole: SUBTITLES };
    return rest !== undefined && selected.some(({ type }) => type !== 'video');
  }
  if (hasSegments && others.some(({ type }) => type === 'subtitle')) return { whole: SUBTITLES };
  if (rest === undefined || others.length === 0) return false;
  if (others.some(({ type }) => type === 'audio')) return true;
  return { whole: 'The input has subtitles or data and no audio. Send "sn" and "dn" to leave them out, or "map".' };
}

const SUBTITLES = 'The input has subtitles. Send "sn" to leave them out of the segments.';

const KINDS: Readonly<Record<string, string>> = {
  ...{ v: 'video', V: 'video', a: 'audio', s: 'subtitle', d: 'data', t: 'attachment' },
};

/** The streams that a map selects, in the order of the source. */
function selectedBy(map: string, streams: readonly SourceStream[]): readonly SourceStream[] {
  const [, kind, number] = /^0(?::([vVasdt]|\d+)(?::(\d+))?)?\??$/.exec(map) ?? [];
  if (kind === undefined) return streams;
  if (/^\d+$/.test(kind)) return streams.filter(({ index }) => index === Number(kind));
  const ofKind = streams.filter(({ type, isCover }) => type === KINDS[kind] && !(kind === 'V' && isCover));
  return number === undefined ? ofKind : ofKind.slice(Number(number), Number(number) + 1);
}
