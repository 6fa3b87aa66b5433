import { CUT_LIMITS, type Cut } from '@telecine/contract/domain/cut.ts';
import type { MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { ProbedInput, Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { frameRateOf, framesIn, limitCrossfades, secondsOfFrames, totalFrames } from '../../filtergraph/crossfades.ts';
import { isDeep } from '../../filtergraph/video-colours.ts';
import { type ArgvOption, hasKey, readTrim, serviceOption } from '../request/argv-option.ts';
import { type Clip, type JoinContext, unknownLength } from './clip.ts';
import { type CutFrames, type KeptFrames, printCutGraph } from './cut-graph.ts';
import type { CutParts } from './cut-ranges.ts';
import { chooseTarget, filterJoined, type JoinedStreams, NOTHING_TO_JOIN, withJoinedGraph } from './plan-join.ts';
import { usualRate } from './target-format.ts';

/** Plans parts that are decoded, cut at frames and encoded. undefined: the graph cannot be built; `errors` has the reason. */
export function encodeParts(
  { ranges, clip, warnings }: CutParts,
  cut: Cut,
  context: JoinContext,
): Omit<JoinedStreams, 'join'> | undefined {
  const { options, errors } = context;
  const target = chooseTarget([clip], context);
  if (target.video === undefined && target.audio === undefined) {
    errors.push({
      ...NOTHING_TO_JOIN,
      field: clip.input.source.field,
      message: 'The input has no video or audio that the output can contain.',
    });
    return undefined;
  }
  const rate =
    target.video === undefined
      ? { frames: target.audio?.sampleRate ?? 1, per: 1 }
      : frameRateOf(options.some(({ key }) => RATE.test(key)) ? target.video.framesPerSecond : ownRate(clip));
  if (cut.crossfade !== undefined && ranges.length > 1 && ranges.at(-1)?.end === undefined) {
    const unknown = unknownLength(clip);
    if (unknown !== undefined) errors.push(unknown);
  }
  const { video, audio, ...rest } = clip;
  const used: Clip = {
    ...rest,
    ...(target.video && video && { video }),
    ...(target.audio && audio && { audio }),
  };
  const shorter: Warning[] = [];
  const frames = toFrames({ ranges, clip: used }, cut, rate, shorter);
  const reading = limitReading(used, frames, options);
  const graph = filterJoined(printCutGraph(clip, target, reading.frames), target, context);
  if (graph === undefined) return undefined;
  if (Buffer.byteLength(graph.text) > MAX_ARGUMENT) errors.push(tooLong(frames));
  const heavy = heavyCrossfade(used, frames, context);
  if (heavy !== undefined) errors.push(heavy);
  const joined =
    ranges.every(({ end }) => end !== undefined) || clip.media !== undefined ? lengthOf(frames) : undefined;
  return {
    inputs: [{ ...clip.input, options: [...clip.input.options, ...reading.options] }],
    options: withJoinedGraph(graph, target, [
      // Drop the chapters of the input, because their times do not fit the output.
      ...(hasKey(options, 'map_chapters') ? [] : [serviceOption('map_chapters', ['-1'])]),
      ...options,
    ]),
    span: { inputs: [{}], output: readTrim(options), shortest: false, ...(joined !== undefined && { joined }) },
    warnings: [...warnings, ...shorter],
  };
}

/** The maximum length of one argument that Linux passes to a program, in bytes. */
const MAX_ARGUMENT = 128 * 1024 - 1;

const tooLong = ({ parts: { length }, crossfades }: CutFrames): FieldError => ({
  field: '/cut',
  code: 'TOO_MANY',
  message: `The output has ${length} parts, and the graph that makes them is longer than the ${MAX_ARGUMENT} bytes that ffmpeg can get.${
    crossfades.length > 0 ? ` With a crossfade, ${CUT_LIMITS.fadedRanges} parts are allowed.` : ''
  }`,
});

const RATE = /^r(?::[vV](?::0)?)?$/;

/** The highest frame rate to believe. A higher average rate comes from the container, not from the video. */
const MAX_AVERAGE = 480;
const MAX_BASE = 120;

/**
 * The frame rate of a video. If the durations of its frames vary, the rate of the shortest. A base rate of twice the average is ignored: it
 * is usually the rate of fields.
 */
export function ownRate({ video, media }: Pick<Clip, 'video' | 'media'>): number {
  const { rate = 25, stream = '' } = video ?? {};
  const { baseFrameRate: base = 0 } = media?.streams.find(({ index }) => `${index}` === stream) ?? {};
  const isField = Math.abs(base / rate - 2) < 0.02;
  const chosen = base > rate && base <= MAX_BASE && !isField ? base : rate;
  return usualRate(chosen > MAX_AVERAGE ? 25 : chosen);
}

/**
 * Converts the parts to whole frames. Without crossfades, a part that starts at or before the end of the previous part is joined to it.
 * With crossfades, such a part starts at that end, and is left out if nothing remains.
 */
function toFrames(
  { ranges, clip }: Pick<CutParts, 'ranges' | 'clip'>,
  cut: Cut,
  rate: CutFrames['rate'],
  warnings: Warning[],
): CutFrames {
  const { crossfade: asked = 0 } = cut;
  const { end, videoEnd } = endOf(clip);
  const last = end === undefined ? undefined : Math.max(1, framesIn(end, rate));
  const most = last ?? Number.POSITIVE_INFINITY;
  const parts: KeptFrames[] = [];
  for (const { start, end: stop } of ranges) {
    const before = parts.at(-1);
    const own = Math.min(framesIn(start, rate), most - 1);
    const to = stop === undefined ? last : Math.max(own + 1, Math.min(framesIn(stop, rate), most));
    if (before?.to !== undefined && own <= before.to && asked === 0) {
      parts[parts.length - 1] = { from: before.from, ...(to !== undefined && { to: Math.max(to, before.to) }) };
      continue;
    }
    const from = Math.max(own, before?.to ?? 0);
    if (to === undefined || to > from) parts.push({ from, ...(to !== undefined && { to }) });
  }
  const held =
    last !== undefined &&
    end !== undefined &&
    videoEnd < end &&
    parts.some(({ to = last }) => to > framesIn(videoEnd, rate))
      ? last
      : undefined;
  const common = { rate, ...(held !== undefined && { held }) };
  if (asked === 0 || parts.length < 2) return { ...common, parts, crossfades: [] };
  const known = parts.map(({ from, to }) => ({ from, to: to ?? from + framesIn(ASSUMED_SECONDS, rate) }));
  const lengths = known.map(({ from, to }) => to - from);
  const crossfades = limitCrossfades(
    lengths,
    lengths.map((_, index) => (index === 0 ? 0 : framesIn(asked, rate))),
  );
  if (clip.media !== undefined && parts.at(-1)?.to !== undefined)
    warnings.push(...shorterFades(cut, known, crossfades, rate));
  return { ...common, parts: known, crossfades };
}

/** The maximum size of the frames that wait for a crossfade: in bytes, and as a share of the memory that ffmpeg may use. */
const MAX_WAITING_BYTES = 2 * 2 ** 30;
const WAITING_SHARE = 0.5;

/**
 * The error for a crossfade that needs too much memory: the end of a part waits as raw frames until the start of the next part is decoded.
 * undefined: the frames fit, or their size is unknown.
 */
function heavyCrossfade(
  { video }: Clip,
  { crossfades, rate }: CutFrames,
  { memory = Number.POSITIVE_INFINITY }: Pick<JoinContext, 'memory'>,
): FieldError | undefined {
  if (video?.width === undefined || video.height === undefined) return undefined;
  const { pixelFormat = '' } = video;
  const samples = /444|rgb|gbr|bgr/.test(pixelFormat) ? 3 : pixelFormat.includes('422') ? 2 : 1.5;
  const alpha = /yuva|rgba|bgra|argb|abgr|gbrap/.test(pixelFormat) ? 1 : 0;
  const bytes = video.width * video.height * (samples + alpha) * (isDeep(pixelFormat) ? 2 : 1);
  const longest = Math.max(0, ...crossfades);
  const fitting = Math.floor(Math.min(MAX_WAITING_BYTES, memory * WAITING_SHARE) / bytes);
  if (longest <= fitting) return undefined;
  return {
    field: '/cut/crossfade',
    code: 'OUT_OF_RANGE',
    message: `A crossfade of ${secondsOfFrames(longest, rate)} s keeps ${longest} frames of ${video.width}x${video.height} in memory; ${fitting} are allowed.`,
    nearest: { bound: Math.floor(secondsOfFrames(fitting, rate) * 100) / 100, others: 'less' },
  };
}

/** Warns about crossfades that are shorter than requested because a part is short. */
function shorterFades(
  { crossfade: asked = 0 }: Cut,
  parts: readonly Required<KeptFrames>[],
  crossfades: readonly number[],
  rate: CutFrames['rate'],
): readonly Warning[] {
  const short = crossfades.flatMap((frames, index) =>
    index > 0 && frames < framesIn(asked, rate) ? [{ frames, at: parts[index]?.from ?? 0 }] : [],
  );
  const [first] = short;
  if (first === undefined) return [];
  const times =
    short.length === 1
      ? 'The crossfade'
      : `${short.length} of ${parts.length - 1} crossfades are shorter than ${asked} s. The one`;
  return [
    {
      field: '/cut/crossfade',
      code: 'SHORTER_CROSSFADE',
      message: `${times} to the part from ${secondsOfFrames(first.at, rate)} s takes ${secondsOfFrames(first.frames, rate)} s instead of ${asked} s: a crossfade takes at most half of a part.`,
    },
  ];
}

const ASSUMED_SECONDS = 10;

/** When the input and its video end, in seconds. The last frame is repeated if the audio is longer. `end` undefined: unknown. */
function endOf({ media, seconds, ...streams }: Clip): { readonly end: number | undefined; readonly videoEnd: number } {
  // Do not estimate an unknown end: an end that is too early would cut off media.
  if (media === undefined || seconds === undefined) return { end: undefined, videoEnd: 0 };
  const { startSeconds: begin = 0 } = media.format;
  const endOfStream = (name: string | undefined): number => {
    const { durationSeconds: own, startSeconds = 0 } = media.streams.find(({ index }) => `${index}` === name) ?? {};
    return own === undefined ? seconds : Math.min(own + startSeconds - begin, seconds);
  };
  const [videoEnd, audioEnd] = [streams.video, streams.audio].map((one) => one && endOfStream(one.stream));
  const longest = Math.max(videoEnd ?? 0, audioEnd ?? 0) || seconds;
  // Ignore audio that is only a little longer than the video: it is padding of the encoder.
  return videoEnd !== undefined && longest - videoEnd < PADDED
    ? { end: videoEnd, videoEnd }
    : { end: longest, videoEnd: videoEnd ?? longest };
}

/** How many seconds audio may be longer than the video and still count as padding, which is not heard. */
const PADDED = 0.1;

const lengthOf = ({ parts, rate, crossfades }: CutFrames): number | undefined => {
  const frames = parts.map(({ from, to }) => (to === undefined ? undefined : to - from));
  return frames.some((one) => one === undefined)
    ? undefined
    : secondsOfFrames(
        totalFrames(frames.map((one = 0, index) => ({ frames: one, crossfade: crossfades[index] ?? 0 }))),
        rate,
      );
};

/** The part of the input that ffmpeg reads for a cut. `frames` count from its start. */
interface ReadWindow {
  /** `-ss` and `-t` of the input. Empty: ffmpeg reads the whole input. */
  readonly options: readonly ArgvOption[];
  readonly frames: CutFrames;
}

/** How many seconds to read after the last part: filters need the frame after its end. */
const AFTER_LAST = 1;

/** How many seconds to decode before the first part: to decode a frame, decoders need earlier frames. */
const BEFORE_FIRST = 10;

/** Containers with an index. In other containers, ffmpeg may seek to a later time than requested, and the video may have a gap. */
const INDEXED: ReadonlySet<string> = new Set(['mov', 'mp4']);

/** Options that change which times the filters see after a seek (`ss`). */
const CHANGES_TIMES: ReadonlySet<string> = new Set(['copyts', 'start_at_zero', 'seek_timestamp']);

/** By which fraction the average and the base frame rate of a video may differ from the rate of the cut. */
const RATE_ERROR = 0.001;

/** How far frames of the input may be from frames of the cut, in frames. At half a frame, rounding would be arbitrary. */
const MAX_PHASE = 0.25;

/** Limits reading to what the parts need, so that ffmpeg does not decode frames that the filters only discard. */
function limitReading(clip: Clip, frames: CutFrames, options: readonly ArgvOption[]): ReadWindow {
  const { parts, rate } = frames;
  const isFixed = [...options, ...clip.input.options].some(({ key }) => CHANGES_TIMES.has(key));
  const from = isFixed ? 0 : seekFrame(clip, frames);
  const to = parts.at(-1)?.to;
  const end = to === undefined ? undefined : secondsOfFrames(to, rate) + AFTER_LAST;
  // The video may end before the last part ends. Its last frame is then repeated only until the part ends.
  const isBefore = end !== undefined && (clip.seconds === undefined ? clip.video === undefined : end < clip.seconds);
  const start = secondsOfFrames(from, rate);
  const held = isBefore && clip.video !== undefined ? to : frames.held;
  return {
    options: [
      ...(from === 0 ? [] : [serviceOption('ss', [print(start)])]),
      ...(isBefore ? [serviceOption('t', [print(end - start)])] : []),
    ],
    frames: {
      ...frames,
      parts: parts.map((part) => ({ from: part.from - from, ...(part.to !== undefined && { to: part.to - from }) })),
      // Keep `held`: with a variable rate, the last frame can begin long before the end of the part.
      ...(held !== undefined && { held: held - from }),
    },
  };
}

/** The frame at which ffmpeg can start reading and still give the same frames. 0: only the start of the input is safe. */
function seekFrame({ media, video, audio }: Clip, { parts: [first], rate, held }: CutFrames): number {
  if (media === undefined || first === undefined || !media.format.names.some((name) => INDEXED.has(name))) return 0;
  // Start at 0, because the frame to repeat can be before the parts.
  if (held !== undefined) return 0;
  const [videoStream, audioStream] = [video, audio].map(
    (one) => one && media.streams.find(({ index }) => `${index}` === one.stream),
  );
  if (video !== undefined && !isSteady(videoStream, media, rate.frames / rate.per)) return 0;
  const from = Math.max(0, first.from - framesIn(BEFORE_FIRST, rate));
  // ffmpeg fails if a stream has no frame after a seek.
  const seconds = secondsOfFrames(from, rate) + MIN_REST;
  const endOf = ({ startSeconds = 0, durationSeconds = 0 }: MediaStream): number =>
    startSeconds - (media.format.startSeconds ?? 0) + durationSeconds;
  return [videoStream, audioStream].every((stream) => stream === undefined || endOf(stream) > seconds) ? from : 0;
}

/** How many seconds a stream must last after a seek, so that it has at least one frame. */
const MIN_REST = 1;

/** True if a video has frames at all times of the cut's frames. After a seek into a gap, ffmpeg would skip to its end. */
function isSteady(videoStream: MediaStream | undefined, { format }: ProbedInput, own: number): boolean {
  const { frameRate = 0, baseFrameRate = frameRate, startSeconds = 0, frameCount, durationSeconds } = videoStream ?? {};
  if ([frameRate, baseFrameRate].some((one) => Math.abs(one / own - 1) > RATE_ERROR)) return false;
  const phase = (startSeconds - (format.startSeconds ?? 0)) * own;
  if (Math.abs(phase - Math.round(phase)) > MAX_PHASE) return false;
  if (frameCount === undefined || durationSeconds === undefined) return false;
  return Math.abs(frameCount - durationSeconds * baseFrameRate) <= 1;
}

const print = (seconds: number): string => `${Number(seconds.toFixed(6))}`;
