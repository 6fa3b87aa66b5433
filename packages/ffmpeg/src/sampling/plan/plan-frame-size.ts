import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { CAPTIONS } from '../../filtergraph/speech.ts';
import { type ArgvOption, isVideoFilter, serviceOption, videoValue } from '../../plan/request/argv-option.ts';
import { QUALITY_SCALES } from '../choosers/scales.ts';
import { isOfVideo, SAMPLED_ENCODER, type SizedVideo } from './checks.ts';
import { appendFilters, atFrameRate, inPixelFormat, TO_SIZE, unlinked } from './graphs.ts';
import {
  graphOf,
  inspectingArgv,
  planSamples,
  type SampledPlan,
  sizedOptions,
  unknownEnds,
  withGraph,
  withoutContainer,
} from './plan-samples.ts';

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
  const graph = appendFilters(graphOf(options), [...TO_SIZE, SQUARE_PIXELS], catalogue);
  if (graph === undefined) errors.push(unknownEnds(options, 'frameSize'));
  return graph === undefined ? options : withGraph(options, graph);
}

/** Options of the bit rate, and those that the samples have otherwise. */
const NOT_IN_SAMPLES: ReadonlySet<string> = new Set(
  'b maxrate minrate bufsize rc_init_occupancy crf qp pass passlogfile nal-hrd cbr r'.split(' '),
);

/** Presets that are as fast as that of the samples. */
const FAST_PRESETS: ReadonlySet<string> = new Set(['ultrafast', 'superfast', 'veryfast']);

/**
 * Plans how the run chooses the frame size of an output.
 *
 * @param unscaled The options of the output before `withScale`.
 */
export function planFrameSize(
  { parts: all, span, catalogue }: SampledPlan,
  { bitsPerSecond, none, videoMap }: SizedVideo,
  unscaled: readonly ArgvOption[],
): PlannedFrameSize {
  // Samples do not read the captions, which are the last input.
  const parts = { ...all, inputs: all.inputs.filter(({ source }) => source.logical !== CAPTIONS) };
  const own = graphOf(unscaled);
  const rate = videoValue(unscaled, 'r');
  const graph = rate === undefined ? own : appendFilters(own, atFrameRate(rate), catalogue);
  const maps = videoMap === undefined ? [] : [videoMap];
  const scale = QUALITY_SCALES[SAMPLED_ENCODER];
  const sized = scale && sizedOptions(graph, scale, catalogue);
  // Assumes that a quick preset prefers nearly the same size as a slow one: both lose in all sizes.
  const isFast = FAST_PRESETS.has(videoValue(parts.output, 'preset') ?? '');
  const isLeftOut = (option: ArgvOption): boolean =>
    isOfVideo(option) && (NOT_IN_SAMPLES.has(option.name.name) || (!isFast && option.name.name === 'preset'));
  const shared = parts.output.filter((option) => !isVideoFilter(option) && option.key !== 'map' && !isLeftOut(option));
  const samples =
    none === undefined && sized
      ? planSamples(
          { parts, span, catalogue },
          {
            ...{ metric: 'ssim', encoder: SAMPLED_ENCODER, scale, graph, maps, isSized: true },
            cut: inPixelFormat(videoValue(unscaled, 'pix_fmt')),
            options: [
              ...[...sized, ...withoutContainer(shared)],
              ...(isFast ? [] : [serviceOption('preset:v', ['veryfast'])]),
            ],
          },
        )
      : undefined;
  return {
    bitsPerSecond,
    inspect: inspectingArgv(parts, maps, own),
    samples: samples ?? { none: none ?? 'Samples of this graph cannot be compared' },
  };
}
