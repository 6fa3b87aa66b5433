import type { PlannedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, printGraph } from '../../filtergraph/graph.ts';
import { CAPTIONS } from '../../filtergraph/speech.ts';
import { QUALITY_SCALES } from '../../quality/search-scales.ts';
import { type ArgvParts, NULL_OUTPUT, sampleArgv } from '../argv.ts';
import { type ArgvOption, isVideoFilter, serviceOption, videoValue } from '../request/argv-option.ts';
import { SAMPLED_ENCODER, type SizedVideo } from './check-frame-size.ts';
import { comparingSizesGraph, TO_RUNG } from './ladder-graph.ts';
import { sampleEncodingArgv } from './plan-ladder.ts';
import {
  graphOf,
  hasEnd,
  inputWithVideo,
  packetsArgv,
  rangeOf,
  sampled,
  timelineStart,
  unknownEnds,
  VIDEO_ONLY,
  withGraph,
} from './plan-quality.ts';
import { appendFilters, atFrameRate, inPixelFormat, unlinked } from './quality-graphs.ts';
import { KEEPS_TIMES } from './sample-times.ts';
import { isOfVideo } from './search-checks.ts';

/**
 * Square pixels after scaling: even sides change the shape of a frame by less than 3 %, for which `scale` would set a pixel shape such as 1160:1161.
 * Anamorphic sources keep theirs. Those of video standards differ from 1 by at least 6 %.
 */
const SQUARE_PIXELS = unlinked('setsar', { sar: 'if(lt(abs(sar-1),0.03),1,sar)' });

/** The options of the output with filters that scale to the chosen size, after those of the client. */
export function withScale(
  options: readonly ArgvOption[],
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  const graph = appendFilters(graphOf(options), [...TO_RUNG, SQUARE_PIXELS], catalogue);
  if (graph === undefined) errors.push(unknownEnds(options, 'frameSize'));
  return graph === undefined ? options : withGraph(options, graph);
}

/** Options of the bit rate, and those that the samples have otherwise. */
const NOT_IN_SAMPLES: ReadonlySet<string> = new Set(
  'b maxrate minrate bufsize rc_init_occupancy crf qp pass passlogfile nal-hrd cbr r'.split(' '),
);

/** Presets that are as fast as that of the samples. */
const FAST_PRESETS: ReadonlySet<string> = new Set(['ultrafast', 'superfast', 'veryfast']);

/** What the argvs of a choice of the frame size are made of. */
export interface FrameSizeParts {
  readonly parts: ArgvParts;
  /** The options of the output before `withScale`. */
  readonly unscaled: readonly ArgvOption[];
  readonly span: Span;
  readonly sized: SizedVideo;
  readonly catalogue: Catalogue;
}

/** Plans how the run chooses the frame size of an output. */
export function planFrameSize({ parts: all, unscaled, span, sized, catalogue }: FrameSizeParts): PlannedFrameSize {
  // Samples do not read the captions, which are the last input.
  const parts = { ...all, inputs: all.inputs.filter(({ source }) => source.logical !== CAPTIONS) };
  const { bitsPerSecond, none, videoMap } = sized;
  const { output, inputs } = parts;
  const own = graphOf(unscaled);
  const rate = videoValue(unscaled, 'r');
  const graph = rate === undefined ? own : appendFilters(own, atFrameRate(rate), catalogue);
  const maps = videoMap === undefined ? [] : [videoMap];
  const filtered = (text: string): readonly ArgvOption[] => [
    ...maps.map((map) => serviceOption('map', [map])),
    serviceOption('filter:v', [text]),
    ...VIDEO_ONLY,
  ];
  const planned = {
    bitsPerSecond,
    inspect: sampleArgv(
      parts,
      [...filtered(own === undefined ? 'null' : printGraph(own)), serviceOption('frames:v', ['1'])],
      NULL_OUTPUT,
    ),
  };
  const scale = QUALITY_SCALES[SAMPLED_ENCODER];
  const graphs = sampleGraphs(graph, unscaled, catalogue);
  if (none !== undefined || scale === undefined || graphs === undefined)
    return { ...planned, samples: { none: none ?? 'Samples of this graph cannot be compared' } };
  const video = inputWithVideo(maps);
  const listed = inputs[video];
  const ofSamples = { ...parts, inputs: sampled(inputs) };
  const start = timelineStart(output, span, video);
  // Assumes that a quick preset prefers nearly the same size as a slow one: both lose in all sizes.
  const isFast = FAST_PRESETS.has(videoValue(output, 'preset') ?? '');
  const shared = [
    ...output.filter(
      (option) =>
        !isVideoFilter(option) &&
        option.key !== 'map' &&
        !(isOfVideo(option) && (NOT_IN_SAMPLES.has(option.name.name) || (!isFast && option.name.name === 'preset'))),
    ),
    ...(isFast ? [] : [serviceOption('preset:v', ['veryfast'])]),
  ];
  return {
    ...planned,
    samples: {
      ...{ metric: 'ssim', encoder: SAMPLED_ENCODER, scale, range: rangeOf(output, span, video) },
      ...(listed !== undefined && hasEnd(listed) && { packets: packetsArgv(parts, listed) }),
      encode: sampleEncodingArgv(ofSamples, { scale, videoMap, start }, shared, graphs.encoded),
      compare: sampleArgv(
        ofSamples,
        [...filtered(graphs.compared), serviceOption('fps_mode', ['passthrough']), ...KEEPS_TIMES],
        NULL_OUTPUT,
      ),
    },
  };
}

/** The graphs that make samples and compare them. undefined: only ffmpeg knows which ends of the client's graph are open. */
function sampleGraphs(graph: Graph | undefined, options: readonly ArgvOption[], catalogue: Catalogue) {
  const encoded = appendFilters(graph, TO_RUNG, catalogue);
  const inFormat = inPixelFormat(videoValue(options, 'pix_fmt'));
  const compared = comparingSizesGraph(graph, inFormat, 'ssim', catalogue);
  return encoded === undefined || compared === undefined ? undefined : { encoded, compared };
}
