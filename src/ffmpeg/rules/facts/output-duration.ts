import type { OutputStream } from '../../../domain/job.ts';
import type { OutputPlan } from '../../../domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport } from '../../log/report.ts';

/** Matches the demuxers of still images, which report the duration of one frame. */
export const STILL = /^(image2|[a-z0-9]+_pipe)$/;

interface Cut {
  readonly start?: number;
  readonly duration?: number;
  readonly end?: number;
}

/** Returns the requested duration in seconds. If both `t` and `to` are set, ffmpeg uses `t`. */
export function requestedSeconds(cut: Cut): number | undefined {
  if (cut.duration !== undefined) return cut.duration;
  return cut.end === undefined ? undefined : Math.max(0, cut.end - (cut.start ?? 0));
}

/** Returns how many seconds of `available` remain after `cut`. Infinity if neither has an end. */
function durationAfterCut(available: number, cut: Cut): number {
  return Math.max(0, Math.min(available - (cut.start ?? 0), requestedSeconds(cut) ?? Number.POSITIVE_INFINITY));
}

/**
 * Computes the seconds of output that one pass of `plan` will write, from the durations of the inputs and the trim
 * options. Returns undefined if these do not determine it, for example with an input of unknown duration or a single
 * still image. Ignores filters that change the tempo.
 */
export function expectedSeconds(
  plan: Pick<OutputPlan, 'inputs' | 'span'>,
  inputs: readonly InputReport[],
): number | undefined {
  const { joined } = plan.span;
  const lengths = plan.inputs.map((planned, index) => {
    const report = inputs[index];
    const still = report !== undefined && STILL.test(report.demuxer) && planned.sequence === undefined;
    const reported = still ? undefined : report?.durationSeconds;
    return durationAfterCut(reported ?? Number.POSITIVE_INFINITY, plan.span.inputs[index] ?? {});
  });
  const known = joined === undefined ? lengths.filter(Number.isFinite) : [joined];
  const available =
    known.length === 0 ? Number.POSITIVE_INFINITY : plan.span.shortest ? Math.min(...known) : Math.max(...known);
  const seconds = durationAfterCut(available, plan.span.output);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Muxers that write a still image or an animation, depending on the number of frames. */
const ANIMATIONS: ReadonlySet<string> = new Set(['gif', 'apng', 'avif']);

/**
 * Whether the main output file is a still image, alone or the first of a sequence. Every WebP counts as one, because
 * ffmpeg 7 and later report one frame at 0 s for an animated WebP too.
 */
export const isStillImage = (muxer: string, frames: number): boolean =>
  muxer === 'image2' || muxer === 'webp' || (ANIMATIONS.has(muxer) && frames <= 1);

/** The most frames that ffmpeg's last report may omit: the last frame and those delayed by B-frames. */
const MAX_UNREPORTED_FRAMES = 4;

/**
 * Computes the duration of a finished output in seconds, from ffmpeg's last report.
 *
 * For video the report gives the decode time of the last frame, which is before its presentation time and excludes its
 * duration. So the number of frames is used too. For an output with only subtitles the report gives the start of the
 * last subtitle, which is not a duration. For segments it gives the total, but the main output file is the first
 * segment; see `mediaSeconds`.
 */
export const writtenSeconds = (
  block: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined => (muxer === 'segment' ? undefined : mediaSeconds(block, streams, muxer));

/** Computes the duration of all files of a finished output together, in seconds. */
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

/** Muxers that split the output into several files. */
const MANY_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);
/**
 * A reported duration below this share of the expected one is doubtful: either the report is wrong, or an input is
 * shorter than its header states.
 */
const PLAUSIBLE = 0.98;

/**
 * Whether the duration in the last report may be wrong. Since ffmpeg 7 it is the end of the stream that ends first: of
 * subtitles, a cover or a shorter sound.
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
