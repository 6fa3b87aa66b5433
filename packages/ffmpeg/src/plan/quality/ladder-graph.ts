import { LADDER_PLACEHOLDERS, ladderSampleFile, ladderScoresFile } from '@telecine/contract/domain/ladder.ts';
import { QUALITY_PLACEHOLDERS, type QualityMetric } from '@telecine/contract/domain/quality.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphChain, printGraph } from '../../filtergraph/graph.ts';
import { LADDER_VALUES } from '../../quality/ladder.ts';
import { METRIC_FILTERS } from './metric.ts';
import { appendFilters, LABELS, labelled, paired, SOURCE_FIRST, unlinked } from './quality-graphs.ts';

const { width, height, sourceWidth, sourceHeight } = LADDER_PLACEHOLDERS;

/** The filter that makes the frames of a rung. */
export const TO_RUNG: GraphChain = [unlinked('scale', { w: width, h: height })];

/** Scales an encoded video up, as players do. */
const TO_SOURCE = unlinked('scale', { w: sourceWidth, h: sourceHeight, flags: 'bicubic' });

const comparedLabel = (number: number): string => `quality-compared${number}`;

/** The options by which a metric writes the score of each frame into a file. */
const scoresIn = (metric: QualityMetric, file: string): Readonly<Record<string, string>> =>
  metric === 'vmaf' ? { log_path: file, log_fmt: 'json' } : { stats_file: file };

/**
 * The graph that compares several encoded samples with their source, which passes through the filters of the client. undefined: only
 * ffmpeg knows which ends of the client's graph are open.
 *
 * @param cut What happens to the frames between the filters of the client and the encoder.
 */
export function comparingSizesGraph(
  graph: Graph | undefined,
  cut: GraphChain,
  metric: QualityMetric,
  catalogue: Catalogue,
): string | undefined {
  const { sourceFrames, referenceTime, encodedTime } = QUALITY_PLACEHOLDERS;
  const numbers = Array.from({ length: LADDER_VALUES }, (_, number) => number);
  const references = numbers.map((number) => `${LABELS.reference}${number}`);
  const split = { ...unlinked('split', { outputs: LADDER_VALUES }), outputs: references };
  const reference = [...cut, unlinked('trim', { end_frame: sourceFrames }), ...paired(referenceTime, metric), split];
  const filtered = appendFilters(graph, reference, catalogue);
  if (filtered === undefined) return undefined;
  const comparisons = numbers.flatMap((number): readonly GraphChain[] => {
    const movie = unlinked('movie', { filename: `file:${ladderSampleFile(number)}` });
    const result = `${LABELS.encoded}${number}`;
    const inputs = [result, references[number] ?? ''];
    const compared = {
      ...unlinked(METRIC_FILTERS[metric], scoresIn(metric, ladderScoresFile(number))),
      inputs: SOURCE_FIRST.has(metric) ? inputs.toReversed() : inputs,
      outputs: [comparedLabel(number)],
    };
    return [labelled([movie, TO_SOURCE, ...paired(encodedTime, metric)], result), [compared]];
  });
  // A graph for one stream has one open end. ffmpeg 7 aborts if another one leads to a `nullsink` and outlasts the input.
  const joined = { ...unlinked('streamselect', { inputs: LADDER_VALUES, map: 0 }), inputs: numbers.map(comparedLabel) };
  return printGraph({ ...filtered, chains: [...filtered.chains, ...comparisons, [joined]] });
}
