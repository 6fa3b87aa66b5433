import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import { type Comparison, type FrameSize, SOURCE_LABEL } from '@telecine/contract/domain/sampling.ts';
import { METRIC_FILTERS } from '../../catalogue/changed-source.ts';
import { filterWith, newFilter, printFilter } from '../../filtergraph/graph.ts';
import { NULL_OUTPUT } from '../../plan/argv.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { readScratch, runStep } from './run-step.ts';
import { readMeanScore } from './scores.ts';

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

/** The filter that measures a metric, and writes the scores to a file. */
const measuring = (metric: QualityMetric, file: string): string =>
  `${METRIC_FILTERS[metric]}=${metric === 'vmaf' ? `log_path=${file}:log_fmt=json` : `stats_file=${file}`}`;

const DEFAULT_FPS = 25;

export const videoOf = ({ firstOutput }: Pass) => firstOutput.report.streams?.find(({ type }) => type === 'video');

export const fpsOf = (pass: Pass): number => videoOf(pass)?.fps ?? DEFAULT_FPS;

/** The scratch file with the score of each frame. */
const scoresFile = (number: number): string => `pass/scores-${number}.log`;

/**
 * The graph that compares videos with their source. Frames are paired by their numbers: containers round times, and a pair of different frames
 * would have a low score. If ffmpeg dropped or repeated frames to keep the frame rate, they are paired by time, with half a frame of tolerance.
 */
export function comparingGraph(
  source: string,
  metric: QualityMetric,
  { files, pass, size, start }: Pick<ComparedVideos, 'files' | 'pass' | 'size' | 'start'>,
): string {
  const { frame = 0, droppedFrames = 0, repeatedFrames = 0 } = pass.lastBlock ?? {};
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
  const end = frame + Math.ceil(droppedFrames / files.length);
  const graph = [`[${SOURCE_LABEL}]trim=end_frame=${end},${timed(ofSource)},split=${files.length}${labels('source')}`];
  for (const [at, file] of files.entries()) {
    const movie = printFilter({ ...newFilter('movie'), ...filterWith('movie', { filename: `file:${file}` }) });
    const [original, video] = [`[quality-source${at}]`, `[quality-video${at}]`];
    // XPSNR gets the source first, the others the encoded video.
    const pair = metric === 'xpsnr' ? original + video : video + original;
    graph.push(
      `${movie},${scaled}${timed(ofVideo)}${video}`,
      `${pair}${measuring(metric, scoresFile(at))}[quality-compared${at}]`,
    );
  }
  // A graph for one stream has one open end. ffmpeg 7 aborts if another one leads to a `nullsink` and outlasts the input.
  const joined = files.length === 1 ? 'null' : `streamselect=inputs=${files.length}:map=0`;
  return [source, ...graph, `${labels('compared')}${joined}`].join(';');
}

/** Compares videos with their source, and returns the mean score of each. */
export async function compareVideos(
  c: PreparedRun,
  { start, source }: Comparison,
  metric: QualityMetric,
  videos: ComparedVideos,
  state: RunState,
  onFrame?: (frame: number) => void,
): Promise<readonly number[] | Failed> {
  const graph = comparingGraph(source, metric, videos);
  const argv = [...start, '-filter:v', graph, '-fps_mode', 'passthrough', ...NULL_OUTPUT];
  const step = await runStep(c, argv, state, ({ frame = 0 }) => onFrame?.(frame));
  if (!step.ok) return step;
  const scores: number[] = [];
  for (const number of videos.files.keys()) {
    const path = join(c.dir, scoresFile(number));
    const score = await readScratch(c, () => readMeanScore(path, metric, videos.frames, c.signal));
    if (typeof score === 'object') return score;
    if (score === undefined) return { ok: false, failure: NO_SCORE, raw: step.pass.lastLines };
    await rm(path, { force: true });
    scores.push(score);
  }
  return scores;
}

const NO_SCORE: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'ffmpeg compared an encoded video with its source, but wrote no score.',
  fix: 'Send another "metric", such as "ssim", or a fixed "crf" instead.',
};
