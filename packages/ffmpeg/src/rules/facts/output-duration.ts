import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport } from '../../log/report.ts';
import { STILL, secondsAfterCut } from '../../values/cuts.ts';

/**
 * Computes the seconds that one pass of `plan` will write, from the durations of the inputs and the trim options. Ignores filters that
 * change the tempo. undefined if an input has no known duration, or is a still image.
 */
export function expectedSeconds(
  plan: Pick<OutputPlan, 'inputs' | 'span'>,
  inputs: readonly InputReport[],
): number | undefined {
  const { joined } = plan.span;
  const lengths = plan.inputs.map(({ sequence }, index) => {
    const { demuxer = '', durationSeconds = Number.POSITIVE_INFINITY } = inputs[index] ?? {};
    const isStill = STILL.test(demuxer) && sequence === undefined;
    return secondsAfterCut(isStill ? Number.POSITIVE_INFINITY : durationSeconds, plan.span.inputs[index] ?? {});
  });
  const known = joined === undefined ? lengths.filter(Number.isFinite) : [joined];
  const available =
    known.length === 0 ? Number.POSITIVE_INFINITY : plan.span.shortest ? Math.min(...known) : Math.max(...known);
  const seconds = secondsAfterCut(available, plan.span.output);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Muxers that write a still image or an animation, depending on the number of frames. */
const ANIMATIONS: ReadonlySet<string> = new Set(['gif', 'apng', 'avif']);

/**
 * Whether the main output file is a still image, alone or the first of a sequence. Every WebP counts as one: since ffmpeg 7, the report
 * says one frame at 0 s for an animated one too.
 */
export const isStillImage = (muxer: string, frames: number): boolean =>
  muxer === 'image2' || muxer === 'webp' || (ANIMATIONS.has(muxer) && frames <= 1);

/** The most frames that ffmpeg's last report may omit: the last frame and the frames that B-frames delay. */
const MAX_UNREPORTED_FRAMES = 4;

/**
 * Computes the duration of a finished output in seconds, from ffmpeg's last report. undefined for segments: the report has their total,
 * and the main output file is the first one.
 */
export const writtenSeconds = (
  block: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined => (muxer === 'segment' ? undefined : mediaSeconds(block, streams, muxer));

/**
 * Computes the duration of all files of a finished output together, in seconds. For video, the report has the decode time of the last
 * frame, without its duration, so the number of frames counts too. For subtitles alone, it has the start of the last one, which is not a
 * duration.
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

/** Whether a bitstream filter sets the times of packets. Since ffmpeg 7, the last report has the times before it. */
export const setsTimes = (argv: readonly string[]): boolean =>
  argv.some((arg, at) => /\bsetts\b/.test(arg) && /^-bsf(?::|$)/.test(argv[at - 1] ?? ''));

const MANY_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/** Below this share of the expected duration, either the report is wrong, or an input is shorter than its header states. */
const PLAUSIBLE = 0.98;

/** Whether the last report may have a wrong duration. Since ffmpeg 7, it has the end of the stream that ends first, such as a cover. */
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
