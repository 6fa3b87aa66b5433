import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { PlannedFrameSize, PlannedLadder, PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import { CAPTIONS } from '../../filtergraph/speech.ts';
import { optionArgs, outputArgs, sampleArgv } from '../../plan/argv.ts';
import {
  type ArgvOption,
  isVideoFilter,
  lastValue,
  serviceOption,
  videoValue,
} from '../../plan/request/argv-option.ts';
import { argvOfRungs, variantsOfRungs } from '../fill-argv.ts';
import { planSamples, type SampledPlan, unlinked, withFilters } from './plan-samples.ts';
import { isOfVideo, type Search } from './search.ts';

const { value: VALUE, width: WIDTH, height: HEIGHT } = QUALITY_PLACEHOLDERS;

const DEFAULT_SEGMENT_SECONDS = 2;
const LEAST_SEGMENT_SECONDS = 0.1;

const segmentSeconds = (options: readonly ArgvOption[]): number =>
  Math.max(LEAST_SEGMENT_SECONDS, parseDuration(lastValue('hls_time', options) ?? '') ?? DEFAULT_SEGMENT_SECONDS);

/**
 * Square pixels after scaling: even sides change the shape of a frame by less than 3 %, for which `scale` would set a pixel shape such as 1160:1161.
 * Anamorphic sources keep theirs. Those of video standards differ from 1 by at least 6 %.
 */
const SQUARE_PIXELS = unlinked('setsar', { sar: 'if(lt(abs(sar-1),0.03),1,sar)' });

/** The options of the output, with those that a search adds: the placeholder of a value or of a size, or the variants of a ladder. */
export function searchOptions(
  options: readonly ArgvOption[],
  search: Search,
  path: MediaPath,
  plan: Pick<SampledPlan, 'catalogue' | 'errors'>,
): readonly ArgvOption[] {
  const { member, scale } = search;
  if (member === 'frameSize')
    return withFilters(options, [unlinked('scale', { w: WIDTH, h: HEIGHT }), SQUARE_PIXELS], { ...plan, member });
  if (member === 'ladder') return [...options, ...variantOptions(options, search, path)];
  const needed = Object.entries(scale.needs ?? {}).map(([key, value]) => serviceOption(key, [value]));
  return [...options, ...needed, serviceOption(`${scale.option}:v`, [VALUE])];
}

/**
 * The options of HLS that a ladder needs besides those of the client: as many variants as rungs are possible, a complete playlist, and key
 * frames at the same times in all rungs.
 */
function variantOptions(
  options: readonly ArgvOption[],
  { maxRungs, audio }: Search,
  path: MediaPath,
): readonly ArgvOption[] {
  const unless = (names: readonly string[], added: ArgvOption): readonly ArgvOption[] =>
    options.some(({ name }) => names.includes(name.name)) ? [] : [added];
  const forced = `expr:gte(t,n_forced*${segmentSeconds(options)})`;
  return [
    ...unless(['hls_playlist_type', 'hls_list_size'], serviceOption('hls_playlist_type', ['vod'], true)),
    ...unless(['force_key_frames', 'g'], serviceOption('force_key_frames:v', [forced])),
    ...unless(['sc_threshold'], serviceOption('sc_threshold:v', ['0'])),
    ...(path.includes('%v') ? unless(['master_pl_name'], serviceOption('master_pl_name', ['master.m3u8'], true)) : []),
    serviceOption('var_stream_map', [variantsOfRungs(maxRungs, audio !== undefined)], true),
  ];
}

/** The options with the maps of a ladder: its video once, and its audio. */
export const withLadderMaps = (
  options: readonly ArgvOption[],
  { pass: { videoMap, audioMap }, isAudioOptional }: PlannedLadder,
): readonly ArgvOption[] => [
  ...options.filter(({ key }) => key !== 'map'),
  serviceOption('map', [videoMap, ...(audioMap === undefined ? [] : [`${audioMap}${isAudioOptional ? '?' : ''}`])]),
];

/** What a search adds to the plan of an output. */
export interface PlannedSearch {
  readonly quality?: PlannedQuality;
  readonly ladder?: PlannedLadder;
  /** Of a ladder: the pass that the plan shows. */
  readonly shown?: readonly string[];
  readonly frameSize?: PlannedFrameSize;
}

/**
 * Plans how the run searches. `plan.errors` has the reason if samples cannot be compared.
 *
 * @param inMemory The options of the output before its frames are moved to a device, and before they are scaled to a chosen size.
 */
export function planSearch(plan: SampledPlan, search: Search, inMemory: readonly ArgvOption[]): PlannedSearch {
  const { target, maxBitrate, maxSize, bitsPerSecond, none } = search;
  if (search.member === 'frameSize') {
    // Samples do not read the captions, which are the last input.
    const inputs = plan.parts.inputs.filter(({ source }) => source.logical !== CAPTIONS);
    const parts = { ...plan.parts, inputs };
    const options = { encoding: quickly(plan.parts.output, inMemory), inMemory };
    const { result: _, ...samples } = planSamples({ ...plan, parts }, search, options);
    return { frameSize: { bitsPerSecond, samples, ...(none !== undefined && { none }) } };
  }
  const { result, ...samples } = planSamples(plan, search, { encoding: plan.parts.output, inMemory });
  const sent = { samples, target, ...(maxBitrate !== undefined && { maxBitrate }) };
  if (search.member === 'ladder') return planLadder(plan, search, sent);
  return { quality: { ...sent, result, ...(maxSize !== undefined && { maxSize }) } };
}

/** Options of the bit rate, and those that the samples for a frame size have otherwise. */
const NOT_IN_SAMPLES: ReadonlySet<string> = new Set(
  'b maxrate minrate bufsize rc_init_occupancy crf qp pass passlogfile nal-hrd cbr'.split(' '),
);

/** Presets that are at least as fast as `veryfast`, which samples use. */
const FAST_PRESETS: ReadonlySet<string> = new Set(['ultrafast', 'superfast', 'veryfast']);

/** The options of samples for a frame size. Assumes that a quick preset prefers nearly the same size as a slow one: both lose in all sizes. */
function quickly(output: readonly ArgvOption[], unscaled: readonly ArgvOption[]): readonly ArgvOption[] {
  const isFast = FAST_PRESETS.has(videoValue(output, 'preset') ?? '');
  const isLeftOut = (option: ArgvOption): boolean =>
    isVideoFilter(option) ||
    (isOfVideo(option) && (NOT_IN_SAMPLES.has(option.name.name) || (!isFast && option.name.name === 'preset')));
  return [
    ...output.filter((option) => !isLeftOut(option)),
    ...unscaled.filter(isVideoFilter),
    ...(isFast ? [] : [serviceOption('preset:v', ['veryfast'])]),
  ];
}

/** Plans the rungs of a ladder, and the pass that writes them. */
function planLadder(
  { parts }: SampledPlan,
  { audio, scale, maxRungs, videoMap = '0:V:0' }: Search,
  sent: Pick<PlannedLadder, 'samples' | 'target' | 'maxBitrate'>,
): PlannedSearch {
  const { output } = parts;
  const shared = output.filter(
    (option) => !isVideoFilter(option) && option.key !== 'map' && option.key !== 'var_stream_map',
  );
  const filter = output.find((option) => isVideoFilter(option))?.values[0];
  const pass = {
    ...{ start: sampleArgv(parts, [], []), videoMap },
    ...(filter !== undefined && { filter }),
    ...(audio && { audioMap: audio.map }),
    end: [...optionArgs(shared), ...outputArgs({ ...parts, output: shared })],
  };
  const isSingleFile = /(?:^|\+)single_file(?:$|[+-])/.test(lastValue('hls_flags', output) ?? '');
  return {
    ladder: {
      ...{ ...sent, pass, maxRungs, segmentSeconds: segmentSeconds(output) },
      ...(isSingleFile && { isSingleFile: true as const }),
      ...(audio?.isOptional && { isAudioOptional: true as const }),
    },
    shown: argvOfRungs(pass, [{ s: `${WIDTH}x${HEIGHT}`, [scale.option]: VALUE }], true),
  };
}
