import type { OutputStream } from '../../domain/job.ts';
import type { Plan } from '../../domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import type { ProgressBlock } from './progress.ts';

/** Demuxers that show one picture for as long as they are asked to; the duration they report is one frame's. */
const STILL = /^(image2|[a-z0-9]+_pipe)$/;

interface Cut {
  readonly start?: number;
  readonly duration?: number;
  readonly end?: number;
}

/** What a cut asks for, in seconds; ffmpeg lets `t` win over `to`. */
function asked(cut: Cut): number | undefined {
  if (cut.duration !== undefined) return cut.duration;
  return cut.end === undefined ? undefined : Math.max(0, cut.end - (cut.start ?? 0));
}

/** Seconds that `cut` leaves of `available`; Infinity where neither says. */
function leaves(available: number, cut: Cut): number {
  return Math.max(0, Math.min(available - (cut.start ?? 0), asked(cut) ?? Number.POSITIVE_INFINITY));
}

/**
 * Seconds of output that one pass of `plan` will write, as far as the inputs' own durations and the trimming
 * tell; undefined where they do not (a live pipe, a lone still picture). Filters that change the tempo are not
 * seen.
 */
export function expectedSeconds(
  plan: Pick<Plan, 'inputs' | 'span'>,
  inputs: readonly InputReport[],
): number | undefined {
  const lengths = plan.inputs.map((planned, index) => {
    const report = inputs[index];
    const still = report !== undefined && STILL.test(report.demuxer) && planned.sequence === undefined;
    const reported = still ? undefined : report?.durationSeconds;
    return leaves(reported ?? Number.POSITIVE_INFINITY, plan.span.inputs[index] ?? {});
  });
  const known = lengths.filter(Number.isFinite);
  const available =
    known.length === 0 ? Number.POSITIVE_INFINITY : plan.span.shortest ? Math.min(...known) : Math.max(...known);
  const seconds = leaves(available, plan.span.output);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Muxers that write a lone picture or an animation, by the number of frames. */
const ANIMATIONS: ReadonlySet<string> = new Set(['gif', 'apng', 'avif']);

/**
 * Whether the file that stands for the output is a picture: a lone one, or the first of a series. Of an animated WebP
 * the report tells one frame at 0 s, as of a still one (ffmpeg 7 on).
 */
export const isStillImage = (muxer: string, frames: number): boolean =>
  muxer === 'image2' || muxer === 'webp' || (ANIMATIONS.has(muxer) && frames <= 1);

/** Frames that a video may be longer than ffmpeg's last report: the last one, and those that B-frames keep back. */
const MOST_FRAMES_SHORT = 4;

/**
 * Seconds of a finished output by ffmpeg's last report. For video that report goes by the time at which the last
 * frame is to be decoded, which comes before it is shown and says nothing of how long; so frames count too. Of
 * subtitles alone the report tells when the last begins, which is no length; of segments, how long all are together,
 * and not the first, which stands for the output.
 */
export function writtenSeconds(
  { outSeconds = 0, frame = 0 }: Pick<ProgressBlock, 'outSeconds' | 'frame'>,
  streams: readonly Pick<OutputStream, 'type' | 'fps'>[],
  muxer: string,
): number | undefined {
  if (!streams.some(({ type }) => type === 'video' || type === 'audio')) return undefined;
  if (muxer === 'segment' || isStillImage(muxer, frame)) return undefined;
  const fps = streams.find((stream) => stream.fps !== undefined)?.fps ?? 0;
  const byFrames = fps > 0 ? Math.min(frame / fps, outSeconds + MOST_FRAMES_SHORT / fps) : 0;
  const seconds = Math.round(Math.max(outSeconds, byFrames) * 1e6) / 1e6;
  return seconds > 0 ? seconds : undefined;
}

/** Muxers of which one file holds the whole output. */
const MANY_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);
/** Of what was expected; less is an input that was shorter than it says, or a report that is wrong. */
const PLAUSIBLE = 0.98;

/**
 * Whether a last report is not to be believed: ffmpeg 7 tells how far the stream that is furthest behind has come, and
 * of subtitles or a cover that is not the end.
 */
export function isDurationDoubtful(
  told: number | undefined,
  expected: number | undefined,
  streams: readonly Pick<OutputStream, 'type' | 'disposition'>[],
  muxer: string,
): boolean {
  if (told === undefined || MANY_FILES.has(muxer)) return false;
  const sparse = streams.some(
    ({ type, disposition }) => (type !== 'video' && type !== 'audio') || disposition?.includes('attached_pic'),
  );
  return sparse && (expected === undefined || told < expected * PLAUSIBLE);
}
