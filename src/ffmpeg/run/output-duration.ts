import type { OutputStream } from '../../domain/job.ts';
import type { Plan } from '../../domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import type { ProgressBlock } from './progress.ts';

/** Demuxers of still images; the duration they report is that of one frame. */
const STILL = /^(image2|[a-z0-9]+_pipe)$/;

interface Cut {
  readonly start?: number;
  readonly duration?: number;
  readonly end?: number;
}

/** The requested duration in seconds. ffmpeg prefers `t` to `to`. */
function requestedDuration(cut: Cut): number | undefined {
  if (cut.duration !== undefined) return cut.duration;
  return cut.end === undefined ? undefined : Math.max(0, cut.end - (cut.start ?? 0));
}

/** Seconds of `available` that remain after `cut`; Infinity if both are open-ended. */
function durationAfterCut(available: number, cut: Cut): number {
  return Math.max(0, Math.min(available - (cut.start ?? 0), requestedDuration(cut) ?? Number.POSITIVE_INFINITY));
}

/**
 * Seconds of output that one pass of `plan` will write, from the durations of the inputs and the trim options;
 * undefined if these do not determine it (an input without a duration, a single still image). Ignores filters that
 * change the tempo.
 */
export function expectedSeconds(
  plan: Pick<Plan, 'inputs' | 'span'>,
  inputs: readonly InputReport[],
): number | undefined {
  const lengths = plan.inputs.map((planned, index) => {
    const report = inputs[index];
    const still = report !== undefined && STILL.test(report.demuxer) && planned.sequence === undefined;
    const reported = still ? undefined : report?.durationSeconds;
    return durationAfterCut(reported ?? Number.POSITIVE_INFINITY, plan.span.inputs[index] ?? {});
  });
  const known = lengths.filter(Number.isFinite);
  const available =
    known.length === 0 ? Number.POSITIVE_INFINITY : plan.span.shortest ? Math.min(...known) : Math.max(...known);
  const seconds = durationAfterCut(available, plan.span.output);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Muxers that write a still image or an animation, depending on the number of frames. */
const ANIMATIONS: ReadonlySet<string> = new Set(['gif', 'apng', 'avif']);

/**
 * Whether the main output file is a still image: a single one, or the first of a sequence. For an animated WebP ffmpeg 7
 * and later report one frame at 0 s, as for a still one.
 */
export const isStillImage = (muxer: string, frames: number): boolean =>
  muxer === 'image2' || muxer === 'webp' || (ANIMATIONS.has(muxer) && frames <= 1);

/** Frames that ffmpeg's last report may omit: the last frame and those delayed by B-frames. */
const MAX_UNREPORTED_FRAMES = 4;

/**
 * Seconds of a finished output, from ffmpeg's last report.
 *
 * For video the report gives the decode time of the last frame, which is before its presentation time and excludes its
 * duration; so the number of frames counts too. For subtitles alone the report gives the start of the last one, which is
 * not a duration. For segments it gives the total, but the first segment is the main output file.
 */
export function writtenSeconds(
  { outSeconds = 0, frame = 0 }: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined {
  if (!streams.some(({ type }) => type === 'video' || type === 'audio')) return undefined;
  if (muxer === 'segment' || isStillImage(muxer, frame)) return undefined;
  const fps = streams.find((stream) => stream.fps !== undefined)?.fps ?? 0;
  const byFrames = fps > 0 ? Math.min(frame / fps, outSeconds + MAX_UNREPORTED_FRAMES / fps) : 0;
  const seconds = Math.round(Math.max(outSeconds, byFrames) * 1e6) / 1e6;
  return seconds > 0 ? seconds : undefined;
}

/** Muxers that split the output into several files. */
const MANY_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);
/** Share of the expected duration. Less means a wrong report, or an input shorter than its header says. */
const PLAUSIBLE = 0.98;

/**
 * Whether the last report may be wrong: ffmpeg 7 reports the position of the stream that is furthest behind, and for
 * subtitles or a cover that is not the end.
 */
export function isDurationDoubtful(
  reported: number | undefined,
  expected: number | undefined,
  streams: readonly Pick<OutputStream, 'type' | 'disposition'>[],
  muxer: string,
): boolean {
  if (reported === undefined || MANY_FILES.has(muxer)) return false;
  const sparse = streams.some(
    ({ type, disposition }) => (type !== 'video' && type !== 'audio') || disposition?.includes('attached_pic'),
  );
  return sparse && (expected === undefined || reported < expected * PLAUSIBLE);
}
