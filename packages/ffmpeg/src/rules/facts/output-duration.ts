import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport } from '../../log/report.ts';
import { STILL, secondsAfterCut } from '../../values/cuts.ts';

/**
 * Computes the seconds that one pass of `plan` will write, from the durations of the inputs and the trim options. Ignores filters that
 * change the tempo. undefined: an input has an unknown duration, or is a still image.
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

/** Muxers that write a still image for one frame, and an animation for several frames. */
const ANIMATIONS: ReadonlySet<string> = new Set(['gif', 'apng', 'avif']);

/**
 * True if the main output file is a still image, alone or the first of a sequence. Every WebP counts as one: since ffmpeg 7, the report
 * contains one frame at 0 s even for an animation.
 */
export const isStillImage = (muxer: string, frames: number): boolean =>
  muxer === 'image2' || muxer === 'webp' || (ANIMATIONS.has(muxer) && frames <= 1);

/** The maximum number of frames that the last report of ffmpeg may lack: the last frame, and frames that B-frames delay. */
const MAX_UNREPORTED_FRAMES = 4;

/**
 * Computes the duration of a finished output in seconds, from the last report of ffmpeg. undefined: the output has segments. The report has
 * the total of all segments, but the main output file is only the first one.
 */
export const writtenSeconds = (
  block: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined => (muxer === 'segment' ? undefined : mediaSeconds(block, streams, muxer));

/**
 * Computes the total duration of all files of a finished output, in seconds. For video, the report has the decode time of the last frame
 * without the duration of this frame, so the number of frames matters too. For subtitles alone, the report has only the start of the last
 * subtitle.
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

/** True if a bitstream filter sets the times of packets. Since ffmpeg 7, the last report has the times before this filter. */
export const setsTimes = (argv: readonly string[]): boolean =>
  argv.some((arg, at) => /\bsetts\b/.test(arg) && /^-bsf(?::|$)/.test(argv[at - 1] ?? ''));

const MANY_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/** If the reported duration is below this share of the expected one, the report is wrong, or an input is shorter than its header states. */
const PLAUSIBLE = 0.98;

/**
 * True if the last report may have a wrong duration. Since ffmpeg 7, the report has the end of the stream that ends first, such as a cover.
 */
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
