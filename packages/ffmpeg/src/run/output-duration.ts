import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';

/** Muxers that write a still image for one frame, and an animation for several frames. */
const ANIMATIONS: ReadonlySet<string> = new Set(['gif', 'apng', 'avif']);

/** True for still images, also numbered ones. Every WebP counts: since ffmpeg 7, the report has one frame at 0 s even for an animation. */
export const isStillImage = (muxer: string, frames: number): boolean =>
  muxer === 'image2' || muxer === 'webp' || (ANIMATIONS.has(muxer) && frames <= 1);

/** The last report of ffmpeg may lack this many frames: the final frame, and frames that wait for B-frames. */
const MAX_UNREPORTED_FRAMES = 4;

/**
 * Computes the duration of the main file of a finished output in seconds, from the last report of ffmpeg. undefined for the muxer
 * `segment`: the report has the total of all files, but the main file is only the first one.
 */
export const writtenSeconds = (
  block: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined => (muxer === 'segment' ? undefined : mediaSeconds(block, streams, muxer));

/**
 * Computes the total duration of all files of a finished output, in seconds. The report has the time at which the last frame starts, so the
 * number of frames is used too. undefined for subtitles alone: the report has only the start of the last one.
 */
export function mediaSeconds(
  { outSeconds = 0, frame = 0 }: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined {
  if (!streams.some(({ type }) => type === 'video' || type === 'audio')) return undefined;
  if (isStillImage(muxer, frame)) return undefined;
  const fps = streams.find((stream) => stream.fps !== undefined)?.fps ?? 0;
  const byFrames = fps > 0 ? Math.min(frame / fps, outSeconds + MAX_UNREPORTED_FRAMES / fps) : 0;
  const seconds = Math.round(Math.max(outSeconds, byFrames) * 1e6) / 1e6;
  return seconds > 0 ? seconds : undefined;
}

/**
 * True if the report may have other times than the file. With `copyts`, ffmpeg counts from its first report on. Since ffmpeg 7, the report has
 * the times before the bitstream filter `setts`, which sets those of packets.
 */
export const setsTimes = (argv: readonly string[]): boolean =>
  argv.includes('-copyts') || argv.some((arg, at) => /\bsetts\b/.test(arg) && /^-bsf(?::|$)/.test(argv[at - 1] ?? ''));

/** Audio files that keep no times: the silence before the first sample is lost, although the report counts it. */
const WITHOUT_TIMES: ReadonlySet<string> = new Set('mp3 adts ac3 eac3 wav w64 flac aiff au tta wv'.split(' '));

/** True if a file of this format may be shorter or longer than the report. `isOfOneStream`: the audio cannot begin after other streams. */
export const keepsNoTimes = (muxer: string, isOfOneStream: boolean): boolean =>
  // The report lacks the delay of the last frame.
  muxer === 'gif' || muxer === 'apng' || (WITHOUT_TIMES.has(muxer) && !isOfOneStream);

const MANY_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/** A reported duration below this share of the expected duration is wrong, or an input is shorter than its header states. */
const PLAUSIBLE = 0.98;

/** True if the reported duration may be wrong. Since ffmpeg 7, the report has the end of the stream that ends first, such as a cover. */
export function isDurationDoubtful(
  reported: number | undefined,
  expected: number | undefined,
  streams: readonly Pick<OutputStream, 'type' | 'disposition'>[],
  muxer: string,
): boolean {
  if (reported === undefined || streams.length < 2 || MANY_FILES.has(muxer)) return false;
  if (expected !== undefined) return reported < expected * PLAUSIBLE;
  return streams.some(
    ({ type, disposition }) => (type !== 'video' && type !== 'audio') || disposition?.includes('attached_pic'),
  );
}
