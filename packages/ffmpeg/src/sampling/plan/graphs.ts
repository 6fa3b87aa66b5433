import type { Span } from '@telecine/contract/domain/plan.ts';
import { QUALITY_PLACEHOLDERS, type QualityMetric } from '@telecine/contract/domain/quality.ts';
import { type Comparison, scoresFile } from '@telecine/contract/domain/sampling.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { surroundGraph } from '../../filtergraph/embed-graph.ts';
import { filterWith, type Graph, type GraphChain, type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { METRIC_FILTERS } from './metric.ts';

const { width, height, sourceWidth, sourceHeight, number, sourceFrames, referenceTime, encodedTime, frameRate } =
  QUALITY_PLACEHOLDERS;

export const unlinked = (name: string, options: Readonly<Record<string, string | number>> = {}): GraphFilter => ({
  ...filterWith(name, options),
  inputs: [],
  outputs: [],
  at: 0,
});

/** Appends filters to the graph of a video. undefined: only ffmpeg knows which ends of the graph are open. */
export const appendFilters = (graph: Graph | undefined, filters: GraphChain, catalogue: Catalogue): Graph | undefined =>
  surroundGraph(graph, { behind: [filters] }, catalogue);

/**
 * A `trim` that keeps the frames which the output has: ffmpeg applies `ss`, `t` and `to` of an output after all filters of the output. ffmpeg
 * counts `t` from the start of the output. The option `duration` of `trim` counts from the first frame, which may be later.
 */
export function trimming({ start, duration, end }: Span['output']): GraphChain {
  const last = duration === undefined ? end : inMicroseconds((start ?? 0) + duration);
  const options = { ...(start !== undefined && { start }), ...(last !== undefined && { end: last }) };
  return Object.keys(options).length === 0 ? [] : [unlinked('trim', options)];
}

/** Rounds seconds to the precision of ffmpeg, so that a difference such as 60.2 - 60 is printed as 0.2. */
export const inMicroseconds = (seconds: number): number => Number(seconds.toFixed(6));

/** Converts frames to the pixel format that the encoder gets. */
export const inPixelFormat = (pixelFormat: string | undefined): GraphChain =>
  pixelFormat === undefined ? [] : [unlinked('format', { pix_fmts: pixelFormat.replace(/^\+/, '') })];

export const atSize = (size: string): GraphChain => [unlinked('scale', { size })];

export const atFrameRate = (rate: string): GraphChain => [unlinked('fps', { fps: rate })];

/** The filter that makes the frames of a rung, of a sample, or of an output with a chosen size. */
export const TO_SIZE: GraphChain = [unlinked('scale', { w: width, h: height })];

/** Scales an encoded video up, as players do. */
const TO_SOURCE = unlinked('scale', { w: sourceWidth, h: sourceHeight, flags: 'bicubic' });

/** Gives both videos the times by which frames are paired. XPSNR also needs a frame rate, which `setpts` may remove. */
const paired = (time: string, metric: QualityMetric): GraphChain => [
  unlinked('settb', { expr: 'AVTB' }),
  unlinked('setpts', { expr: time }),
  ...(metric === 'xpsnr' ? atFrameRate(frameRate) : []),
];

const SCORES = scoresFile(number);

/** The options by which a metric writes the score of each frame. */
const METRIC_OPTIONS: Readonly<Record<QualityMetric, Readonly<Record<string, string>>>> = {
  ssim: { stats_file: SCORES },
  xpsnr: { stats_file: SCORES },
  vmaf: { log_path: SCORES, log_fmt: 'json' },
};

/** What is compared: the source behind the filters of the client, and an encoded video. */
export interface ComparedVideo {
  readonly graph: Graph | undefined;
  /** What happens to the frames between the filters of the client and the encoder. */
  readonly cut: GraphChain;
  readonly file: string;
  readonly isSized: boolean;
}

/** The filters of a comparison. undefined: only ffmpeg knows which ends of the client's graph are open. */
export function comparingFilters(
  { graph, cut, file, isSized }: ComparedVideo,
  metric: QualityMetric,
  catalogue: Catalogue,
): Pick<Comparison, 'source' | 'each'> | undefined {
  // A source such as an image that is repeated never ends.
  const reference = [...cut, unlinked('trim', { end_frame: sourceFrames }), ...paired(referenceTime, metric)];
  const source = appendFilters(graph, labelled(reference, 'quality-reference'), catalogue);
  if (source === undefined) return undefined;
  const [encoded, original] = [`quality-encoded${number}`, `quality-reference${number}`];
  const movie = unlinked('movie', { filename: `file:${file}` });
  const compared = {
    ...unlinked(METRIC_FILTERS[metric], METRIC_OPTIONS[metric]),
    // XPSNR gets the source first, the others the encoded video.
    inputs: metric === 'xpsnr' ? [original, encoded] : [encoded, original],
    outputs: [`quality-compared${number}`],
  };
  const chains = [
    labelled([movie, ...(isSized ? [TO_SOURCE] : []), ...paired(encodedTime, metric)], encoded),
    [compared],
  ];
  return { source: printGraph(source), each: printGraph({ chains }) };
}

const labelled = (chain: GraphChain, label: string): GraphChain =>
  chain.map((filter, index) => (index === chain.length - 1 ? { ...filter, outputs: [label] } : filter));
