import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import { type Comparison, type FrameSize, SOURCE_LABEL } from '@telecine/contract/domain/sampling.ts';
import { METRIC_FILTERS } from '../../catalogue/changed-catalogue.ts';
import { newFilter, printFilter } from '../../filtergraph/graph.ts';
import { NULL_OUTPUT } from '../../plan/argv.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { runStep } from './run-step.ts';

/** Encoded videos, and how their frames are paired with those of their source. */
interface ComparedVideos {
  readonly files: readonly string[];
  /** How many frames from the start are scored. */
  readonly frames: number;
  /** The run that encoded them. */
  readonly pass: Pass;
  /** The size of the source, if theirs is another one. They are scaled up to it, as players do. */
  readonly size?: FrameSize | undefined;
  /** The time of the source at which they begin. Absent: they are samples, whose source keeps the times of the whole. */
  readonly start?: number;
}

const DEFAULT_FPS = 25;

export const videoOf = ({ firstOutput }: Pass) => firstOutput.report.streams?.find(({ type }) => type === 'video');

export const fpsOf = (pass: Pass): number => videoOf(pass)?.fps ?? DEFAULT_FPS;

/**
 * The graph that compares videos with their source. Frames are paired by their numbers: containers round times, and a pair of different frames
 * would have a low score. If ffmpeg dropped or repeated frames to keep the frame rate, they are paired by time, with half a frame of tolerance.
 */
export function comparingGraph(
  source: string,
  metric: QualityMetric,
  { files, frames, pass, size, start }: ComparedVideos,
): string {
  const { droppedFrames = 0, repeatedFrames = 0 } = pass.lastBlock ?? {};
  const fps = fpsOf(pass);
  const frameRate = Math.max(1, Math.round(fps));
  const byNumber = `N/(${frameRate}*TB)`;
  const half = (0.5 / fps).toFixed(6);
  const [ofSource, ofVideo] =
    droppedFrames + repeatedFrames === 0
      ? [byNumber, byNumber]
      : repeatedFrames > 0 && start !== undefined
        ? // The first frame may be a repeated one, so start times do not pair frames. After a repeated one, frames are written up to half a frame late.
          [`PTS-${start}/TB-${(0.25 / fps).toFixed(6)}/TB`, 'PTS-STARTPTS']
        : [`PTS-STARTPTS-${half}/TB`, 'PTS-STARTPTS'];
  // XPSNR needs a frame rate, which `setpts` may remove.
  const timed = (times: string): string => `settb=AVTB,setpts=${times}${metric === 'xpsnr' ? `,fps=${frameRate}` : ''}`;
  const scaled = size === undefined ? '' : `scale=${size.width}:${size.height}:flags=bicubic,`;
  const labels = (name: string): string => files.map((_, at) => `[quality-${name}${at}]`).join('');
  // ffmpeg counts the dropped frames of all videos together. A source such as an image that is repeated never ends.
  const end = frames + Math.ceil(droppedFrames / files.length);
  const graph = [`[${SOURCE_LABEL}]trim=end_frame=${end},${timed(ofSource)},split=${files.length}${labels('source')}`];
  for (const [at, file] of files.entries()) {
    const movie = printFilter(newFilter('movie', { filename: `file:${file}` }));
    const [original, video] = [`[quality-source${at}]`, `[quality-video${at}]`];
    // XPSNR gets the source first, the others the encoded video.
    const pair = metric === 'xpsnr' ? original + video : video + original;
    graph.push(
      `${movie},trim=end_frame=${frames},${scaled}${timed(ofVideo)}${video}`,
      `${pair}${METRIC_FILTERS[metric]}=shortest=1[quality-compared${at}]`,
    );
  }
  // A graph for one stream has one open end. ffmpeg 7 aborts if another one leads to a `nullsink` and outlasts the input.
  const joined = files.length === 1 ? 'null' : `streamselect=inputs=${files.length}:map=0`;
  return [source, ...graph, `${labels('compared')}${joined}`].join(';');
}

/** The mean score that each filter logs at its end: vf_ssim.c (5.1 to 8), vf_xpsnr.c (7.1 to 8), vf_libvmaf.c (5.1 to 8). */
const SCORES: Readonly<Record<QualityMetric, RegExp>> = {
  ssim: /^\[Parsed_ssim_(\d{1,4}) .{0,40} SSIM .{0,150} All:(\d\.\d{1,9})/,
  xpsnr: /^\[Parsed_xpsnr_(\d{1,4}) .{0,40} XPSNR {1,4}[a-z]: {0,4}(\d{1,4}\.\d{1,6}|inf)(.{0,100})/,
  vmaf: /^\[Parsed_libvmaf_(\d{1,4}) .{0,40} VMAF score: (\d{1,3}\.\d{1,9})/,
};

/** The score of equal frames, in dB. XPSNR calls it infinite. */
const EQUAL_DB = 100;

/** Luma counts six times as much as each plane of chroma, as in the tests of JVET. */
const LUMA_WEIGHT = 6;

/** The scores of videos in the last lines of a log, in their order. */
export function readScores(metric: QualityMetric, log: string): readonly number[] {
  const found = log.split('\n').flatMap((line) => {
    const [, number, luma = '', planes = ''] = SCORES[metric].exec(line) ?? [];
    if (number === undefined) return [];
    const chroma = [...planes.matchAll(/ {1,4}[a-z]: {0,4}(\d{1,4}\.\d{1,6}|inf)/g)].map(([, text = '']) => text);
    const scores = [luma, ...chroma].map((text) => (text === 'inf' ? EQUAL_DB : Math.min(EQUAL_DB, Number(text))));
    const [ofLuma = 0] = scores;
    const surplus = scores.reduce((sum, score) => sum + score - ofLuma, 0);
    return [{ number: Number(number), score: ofLuma + surplus / (LUMA_WEIGHT + chroma.length) }];
  });
  return found.toSorted((a, b) => a.number - b.number).map(({ score }) => score);
}

/** Compares videos with their source, and returns the mean score of each. Throws `JobFailed`. */
export async function compareVideos(
  c: PreparedRun,
  { start, source }: Comparison,
  metric: QualityMetric,
  videos: ComparedVideos,
  state: RunState,
  onFrame?: (frame: number) => void,
): Promise<readonly number[]> {
  const graph = comparingGraph(source, metric, videos);
  const argv = [...start, '-filter:v', graph, '-fps_mode', 'passthrough', ...NULL_OUTPUT];
  const { lastLines } = await runStep(c, argv, state, ({ frame = 0 }) => onFrame?.(frame));
  const scores = readScores(metric, lastLines);
  if (scores.length !== videos.files.length) throw new JobFailed(NO_SCORE, lastLines);
  return scores;
}

const NO_SCORE: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'ffmpeg compared an encoded video with its source, but wrote no score.',
  fix: 'Send another "metric", such as "ssim", or a fixed "crf" instead.',
};
