import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type ArgvParts, sampleArgv } from '../../plan/argv.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  mapsOf,
  mayBeAudio,
  mayBeVideo,
  serviceFlags,
  serviceOption,
  videoValue,
} from '../../plan/request/argv-option.ts';
import { constantRateContainer, isRateMode, rateModeOf, sentRateMode } from '../../plan/request/frame-rate-modes.ts';
import type { SearchedVideo } from './checks.ts';
import { appendFilters, atFrameRate, atSize, inPixelFormat, trimming } from './graphs.ts';
import {
  graphOf,
  inputWithVideo,
  planComparison,
  planSamples,
  type SampledPlan,
  unknownEnds,
  VIDEO_ONLY,
  withGraph,
} from './plan-samples.ts';

const isOfVideo =
  (wanted: 'r' | 's') =>
  ({ name: { name, specifier = 'v' } }: ArgvOption): boolean =>
    name === wanted && /^[vV](?::0)?$/.test(specifier);

/**
 * The options with which the output is encoded: the encoder gets the placeholder of its value, and `s` and `r` become filters, so that the
 * frames that the encoder gets can be compared. Appends an error if ffmpeg alone knows how the filters are linked.
 */
export function qualityOptions(
  options: readonly ArgvOption[],
  { scale, member }: Pick<SearchedVideo, 'scale' | 'member'>,
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  const lastOf = (name: 'r' | 's') => options.findLast(isOfVideo(name))?.values[0];
  const [size, rate] = [lastOf('s'), lastOf('r')];
  const kept = options.filter((option) => !isOfVideo('r')(option) && !isOfVideo('s')(option));
  // The order of ffmpeg: it changes the size before the frame rate.
  const added = [...(size === undefined ? [] : atSize(size)), ...(rate === undefined ? [] : atFrameRate(rate))];
  const graph = added.length === 0 ? undefined : appendFilters(graphOf(kept), added, catalogue);
  if (added.length > 0 && graph === undefined) errors.push(unknownEnds(options, member));
  const needed = Object.entries(scale.needs ?? {}).map(([key, value]) => serviceOption(key, [value]));
  return [
    ...(graph === undefined ? kept : withGraph(kept, graph)),
    ...needed,
    serviceOption(`${scale.option}:v`, [QUALITY_PLACEHOLDERS.value]),
  ];
}

/** False if the maps select no audio. */
function mayHaveAudio(options: readonly ArgvOption[]): boolean {
  const maps = mapsOf(options);
  return !hasKey(options, 'an') && (maps.length === 0 || maps.some(mayBeAudio));
}

/** The values of `map` for the video alone. */
const videoMaps = (options: readonly ArgvOption[]): readonly string[] =>
  mapsOf(options)
    .filter((map) => mayBeVideo(map.replace(/^-/, '')))
    .map((map) => map.replace(/^(-?\d+)(\??)$/, '$1:v$2'));

/**
 * Plans how the run finds the value of the quality option, and how it measures the result. undefined: `errors` has the reason.
 *
 * @param inMemory The options of the output before its frames are moved to a device.
 */
export function planQuality(
  plan: SampledPlan,
  { metric, target, encoder, scale }: SearchedVideo,
  inMemory: readonly ArgvOption[],
  errors: FieldError[],
): PlannedQuality | undefined {
  const { parts, span } = plan;
  const { output, muxer, logical } = parts;
  const maps = videoMaps(output);
  const isConstant = sentRateMode(output, 0) === 'cfr';
  // A sample must never get `cfr`, also by a specifier that only ffmpeg can match: it would repeat its first frame for all the time before it.
  const setsModeOfWhole = (option: ArgvOption): boolean =>
    isRateMode(option) && (isConstant || rateModeOf(option.values[0] ?? '') === 'cfr');
  const graph = graphOf(inMemory);
  const inFormat = inPixelFormat(videoValue(inMemory, 'pix_fmt'));
  const samples = planSamples(plan, {
    ...{ metric, encoder, scale, maps, graph, cut: inFormat, isSized: false },
    options: output.filter((option) => !setsModeOfWhole(option)),
    container: {
      arguments: isConstant ? constantRateContainer(muxer) : ['-f', muxer],
      suffix: /\.[a-z0-9]{1,10}$/.exec(logical)?.[0] ?? '',
    },
  });
  // The time of an MPEG-TS begins with the first stream that ffmpeg reads, which may be the audio.
  const withAudio = [
    ...(maps.length === 0 ? [] : [serviceOption('map', [`${inputWithVideo(maps)}:a?`])]),
    ...[serviceOption('c:a', ['copy']), ...serviceFlags(['sn', 'dn'])],
  ];
  const result = planComparison(
    plan,
    { graph, maps, metric, cut: [...trimming(span.output), ...inFormat], file: logical, isSized: false },
    [
      ...(mayHaveAudio(output) ? withAudio : VIDEO_ONLY),
      // The comparison has the times of the run, so that filters that depend on times, such as `fade` and `trim`, act on the same frames.
      ...output.filter(({ key }) => key === 'copyts' || key === 'start_at_zero'),
    ],
  );
  if (samples === undefined || result === undefined) {
    errors.push(unknownEnds(inMemory, 'quality'));
    return undefined;
  }
  // The time of the result's first frame in the times of the filters: ffmpeg subtracts the start of an output after the filters. If the first
  // frame of the source comes later than this start, a constant rate repeats that frame from the start on. Other results begin with that frame.
  const begins = !isConstant && hasKey(output, 'copyts') ? samples.range.start : (span.output.start ?? 0);
  return {
    ...{ samples, result, ...target },
    ...(target.maxSize !== undefined && mayHaveAudio(output) && { audio: audioArgv(parts) }),
    ...(begins !== 0 && { resultShift: -begins }),
  };
}

/** Encodes or copies the audio alone. With `shortest`, audio that has no end stops with the source. */
function audioArgv(parts: ArgvParts): readonly string[] {
  const { output, muxer } = parts;
  const options = output.filter(
    (option) =>
      !isVideoFilter(option) && option.key !== 'attach' && !option.values.includes(QUALITY_PLACEHOLDERS.value),
  );
  const ends = hasKey(options, 'shortest') && !hasKey(options, 't', 'to');
  return sampleArgv(
    { ...parts, device: undefined },
    [
      ...[...options, ...serviceFlags(['vn', 'sn', 'dn'])],
      ...(ends ? [serviceOption('t', [QUALITY_PLACEHOLDERS.seconds])] : []),
    ],
    ['-f', muxer, '-y', 'file:/dev/null'],
  );
}
