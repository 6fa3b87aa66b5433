import type { Span } from '@telecine/contract/domain/plan.ts';
import { QUALITY_PLACEHOLDERS, type QualityMetric, SCORES_FILE } from '@telecine/contract/domain/quality.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { surroundGraph } from '../../filtergraph/embed-graph.ts';
import { filterWith, type Graph, type GraphChain, type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { METRIC_FILTERS } from './metric.ts';

export const unlinked = (name: string, options: Readonly<Record<string, string | number>> = {}): GraphFilter => ({
  ...filterWith(name, options),
  inputs: [],
  outputs: [],
  at: 0,
});

/** The labels of the parts of a comparison. */
export const LABELS = { reference: 'quality-reference', encoded: 'quality-encoded' };

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

/** The metrics whose filter gets the source first. The filters of the others get the encoded video first. */
export const SOURCE_FIRST: ReadonlySet<QualityMetric> = new Set(['xpsnr']);

const METRIC_OPTIONS: Readonly<Record<QualityMetric, Readonly<Record<string, string>>>> = {
  ssim: { stats_file: SCORES_FILE },
  xpsnr: { stats_file: SCORES_FILE },
  vmaf: { log_path: SCORES_FILE, log_fmt: 'json' },
};

/** Gives both videos the times by which frames are paired. XPSNR also needs a frame rate, which `setpts` may remove. */
export const paired = (time: string, metric: QualityMetric): GraphChain => [
  unlinked('settb', { expr: 'AVTB' }),
  unlinked('setpts', { expr: time }),
  ...(metric === 'xpsnr' ? atFrameRate(QUALITY_PLACEHOLDERS.frameRate) : []),
];

/**
 * The graph that compares a video with its source, which passes through the filters of the client. It writes the score of each frame into
 * `SCORES_FILE`. undefined: only ffmpeg knows which ends of the client's graph are open.
 *
 * @param cut What happens to the frames between the filters of the client and the encoder.
 * @param file The encoded video.
 */
export function comparingGraph(
  graph: Graph | undefined,
  cut: GraphChain,
  file: string,
  metric: QualityMetric,
  catalogue: Catalogue,
): string | undefined {
  const { sourceFrames, referenceTime, encodedTime } = QUALITY_PLACEHOLDERS;
  // A source such as an image that is repeated never ends.
  const reference = [...cut, unlinked('trim', { end_frame: sourceFrames }), ...paired(referenceTime, metric)];
  const filtered = appendFilters(graph, labelled(reference, LABELS.reference), catalogue);
  if (filtered === undefined) return undefined;
  const encoded = [unlinked('movie', { filename: `file:${file}` }), ...paired(encodedTime, metric)];
  const { reference: source, encoded: result } = LABELS;
  const inputs = SOURCE_FIRST.has(metric) ? [source, result] : [result, source];
  const compared = { ...unlinked(METRIC_FILTERS[metric], METRIC_OPTIONS[metric]), inputs };
  return printGraph({ ...filtered, chains: [...filtered.chains, labelled(encoded, LABELS.encoded), [compared]] });
}

export const labelled = (chain: GraphChain, label: string): GraphChain =>
  chain.map((filter, index) => (index === chain.length - 1 ? { ...filter, outputs: [label] } : filter));
