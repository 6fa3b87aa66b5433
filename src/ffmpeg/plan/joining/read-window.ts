import type { MediaStream } from '../../../domain/media-info.ts';
import type { ProbedInput } from '../../../domain/probed-input.ts';
import { framesIn, secondsOfFrames } from '../../filtergraph/crossfades.ts';
import { type ArgvOption, serviceOption } from '../request/argv-option.ts';
import type { Clip } from './clip.ts';
import type { CutFrames } from './cut-graph.ts';

/** What ffmpeg reads of the input of a cut, and the parts counted from there. */
interface ReadWindow {
  /** `-ss` and `-t` of the input. Empty: it is read as a whole. */
  readonly options: readonly ArgvOption[];
  readonly frames: CutFrames;
}

/** Seconds that are read after the last part: filters need the frame that ends it. */
const AFTER_LAST = 1;

/** Seconds that are decoded before the first part: decoders of pictures and sounds need frames before the one that they show. */
const BEFORE_FIRST = 10;

/**
 * Containers whose index tells where a time is, and how many pictures a film has. In others, ffmpeg may begin after the time, and a film
 * may have a gap.
 */
const INDEXED: ReadonlySet<string> = new Set(['mov', 'mp4']);

/** Options with which a seek changes the times that filters get. */
const CHANGES_TIMES: ReadonlySet<string> = new Set(['copyts', 'start_at_zero', 'seek_timestamp']);

/** How far a rate can be from the base rate of a film whose frames all last equally long. */
const RATE_ERROR = 0.001;

/** How far pictures can be from the frames of the cut, in frames: at half a frame, rounding decides. */
const MAX_PHASE = 0.25;

/**
 * Limits what ffmpeg reads to what the parts need. Without an end, the filter that discards the rest of the film would get all of it, and
 * so would the one that discards what is before the first part.
 */
export function limitReading(clip: Clip, frames: CutFrames, options: readonly ArgvOption[]): ReadWindow {
  const { parts, rate } = frames;
  const isFixed = [...options, ...clip.input.options].some(({ key }) => CHANGES_TIMES.has(key));
  const from = isFixed ? 0 : seekFrame(clip, frames);
  const to = parts.at(-1)?.to;
  const end = to === undefined ? undefined : secondsOfFrames(to, rate) + AFTER_LAST;
  // Where the film may end earlier, its last picture must not be held until then.
  const isBefore = end !== undefined && (clip.seconds === undefined ? clip.picture === undefined : end < clip.seconds);
  const start = secondsOfFrames(from, rate);
  const held = isBefore && clip.picture !== undefined ? to : frames.held;
  return {
    options: [
      ...(from === 0 ? [] : [serviceOption('ss', [print(start)])]),
      ...(isBefore ? [serviceOption('t', [print(end - start)])] : []),
    ],
    frames: {
      ...frames,
      parts: parts.map((part) => ({ from: part.from - from, ...(part.to !== undefined && { to: part.to - from }) })),
      // The last picture of a varying rate can begin long before the part ends.
      ...(held !== undefined && { held: held - from }),
    },
  };
}

/** The frame from which the film can be read, so that all later frames are as if it were read from its start. 0: its start. */
function seekFrame({ media, picture, sound }: Clip, { parts: [first], rate, held }: CutFrames): number {
  if (media === undefined || first === undefined || !media.format.names.some((name) => INDEXED.has(name))) return 0;
  // The picture that is held can be before the parts.
  if (held !== undefined) return 0;
  const [film, song] = [picture, sound].map(
    (one) => one && media.streams.find(({ index }) => `${index}` === one.stream),
  );
  if (picture !== undefined && !isSteady(film, media, rate.frames / rate.per)) return 0;
  const from = Math.max(0, first.from - framesIn(BEFORE_FIRST, rate));
  // ffmpeg fails if a stream has nothing after the seek.
  const seconds = secondsOfFrames(from, rate) + MIN_REST;
  const endOf = ({ startSeconds = 0, durationSeconds = 0 }: MediaStream): number =>
    startSeconds - (media.format.startSeconds ?? 0) + durationSeconds;
  return [film, song].every((stream) => stream === undefined || endOf(stream) > seconds) ? from : 0;
}

/** Seconds of a stream that there must be after a seek, so that it has a frame there. */
const MIN_REST = 1;

/** Whether a film has all its pictures at the frames of the cut, without gaps: with one, ffmpeg begins after it. */
function isSteady(film: MediaStream | undefined, { format }: ProbedInput, own: number): boolean {
  const { frameRate = 0, baseFrameRate = frameRate, startSeconds = 0, frameCount, durationSeconds } = film ?? {};
  if ([frameRate, baseFrameRate].some((one) => Math.abs(one / own - 1) > RATE_ERROR)) return false;
  const phase = (startSeconds - (format.startSeconds ?? 0)) * own;
  if (Math.abs(phase - Math.round(phase)) > MAX_PHASE) return false;
  if (frameCount === undefined || durationSeconds === undefined) return false;
  return Math.abs(frameCount - durationSeconds * baseFrameRate) <= 1;
}

const print = (seconds: number): string => `${Number(seconds.toFixed(6))}`;
