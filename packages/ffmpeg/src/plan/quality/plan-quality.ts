import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { PACKETS_FILE, type PlannedQuality, QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { PLACEHOLDERS } from '../../chunks/placeholders.ts';
import { type Graph, printGraph } from '../../filtergraph/graph.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import { type ArgvParts, decodingArgv, NULL_OUTPUT, sampleArgv } from '../argv.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  mapsOf,
  mayBeVideo,
  sentName,
  serviceFlags,
  serviceOption,
  videoValue,
} from '../request/argv-option.ts';
import { constantRateContainer, isRateMode, rateModeOf, sentRateMode } from '../request/frame-rate-modes.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { SearchedQuality } from './check-quality.ts';
import {
  appendFilters,
  atFrameRate,
  atSize,
  comparingGraph,
  inMicroseconds,
  inPixelFormat,
  trimming,
  unlinked,
} from './quality-graphs.ts';
import { BEGINS_AT_ZERO, KEEPS_TIMES, withKeyFramesOfSample } from './sample-times.ts';
import type { SearchMember } from './search-checks.ts';

/** The filters of the first video. */
const filterOf = (options: readonly ArgvOption[]): ArgvOption | undefined =>
  options.findLast((option) => isVideoFilter(option) && !/:[1-9]/.test(option.key));

export const graphOf = (options: readonly ArgvOption[]): Graph | undefined => filterOf(options)?.checkedGraphs?.[0];

/** Replaces the filters of the video. */
export function withGraph(options: readonly ArgvOption[], graph: Graph): readonly ArgvOption[] {
  const before = filterOf(options);
  const option = { ...(before ?? serviceOption('filter:v', [])), values: [printGraph(graph)], checkedGraphs: [graph] };
  return before === undefined ? [...options, option] : options.map((one) => (one === before ? option : one));
}

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
  { scale }: Pick<SearchedQuality, 'scale'>,
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  const lastOf = (name: 'r' | 's') => options.findLast(isOfVideo(name))?.values[0];
  const [size, rate] = [lastOf('s'), lastOf('r')];
  const kept = options.filter((option) => !isOfVideo('r')(option) && !isOfVideo('s')(option));
  // The order of ffmpeg: it changes the size before the frame rate.
  const added = [...(size === undefined ? [] : atSize(size)), ...(rate === undefined ? [] : atFrameRate(rate))];
  const graph = added.length === 0 ? undefined : appendFilters(graphOf(kept), added, catalogue);
  if (added.length > 0 && graph === undefined) errors.push(unknownEnds(options));
  const needed = Object.entries(scale.needs ?? {}).map(([key, value]) => serviceOption(key, [value]));
  return [
    ...(graph === undefined ? kept : withGraph(kept, graph)),
    ...needed,
    serviceOption(`${scale.option}:v`, [QUALITY_PLACEHOLDERS.value]),
  ];
}

export function unknownEnds(options: readonly ArgvOption[], member: SearchMember = 'quality'): FieldError {
  const option = filterOf(options);
  return {
    field: option?.field ?? `/${member}`,
    code: 'EXCLUSIVE',
    message: `The graph of "${option === undefined ? 'vf' : sentName(option)}" has ends that only ffmpeg can link, so "${member}" does not know its frames.`,
  };
}

/** Options that apply only to the whole output, and not to a sample. */
export const OF_WHOLE: ReadonlySet<string> = new Set(['ss', 't', 'to', 'shortest', 'map', 'attach']);

/** Options of an input that select a part of it, or repeat it. */
const OF_PART: ReadonlySet<string> = new Set(['ss', 't', 'to', 'sseof', 'stream_loop']);

/** The inputs with options by which ffmpeg reads only the sample. Still images stay as they are: they are the same at any time. */
export const sampled = (inputs: readonly ArgvInput[]): readonly ArgvInput[] =>
  inputs.map((input) =>
    input.duration !== undefined && input.source.isSource !== true
      ? input
      : {
          ...input,
          options: [
            ...input.options.filter(({ key }) => !OF_PART.has(key)),
            serviceOption('ss', [QUALITY_PLACEHOLDERS.start]),
            serviceOption('t', [QUALITY_PLACEHOLDERS.seconds]),
          ],
        },
  );

/** False for a value of `map` that selects only video, subtitles or data. */
const mayBeAudio = (map: string): boolean => !map.startsWith('-') && !/^\d+:[vVsdt](?:\?$|:|$)/.test(map);

/** False if the maps select no audio. */
function mayHaveAudio(options: readonly ArgvOption[]): boolean {
  const maps = mapsOf(options);
  return !hasKey(options, 'an') && (maps.length === 0 || maps.some(mayBeAudio));
}

/** `map` for the video alone. */
const videoMaps = (options: readonly ArgvOption[]): readonly ArgvOption[] => {
  const videos = mapsOf(options)
    .filter((map) => mayBeVideo(map.replace(/^-/, '')))
    .map((map) => map.replace(/^(-?\d+)(\??)$/, '$1:v$2'));
  return videos.length === 0 ? [] : [serviceOption('map', videos)];
};

export const VIDEO_ONLY = serviceFlags(['an', 'sn', 'dn']);
const AUDIO_ONLY = serviceFlags(['vn', 'sn', 'dn']);

/** What the argvs of a quality target are made of. */
export interface QualityParts {
  readonly parts: ArgvParts;
  /** The options of the output before its frames are moved to a device. */
  readonly inMemory: readonly ArgvOption[];
  readonly span: Span;
  readonly searched: SearchedQuality;
  readonly catalogue: Catalogue;
  readonly errors: FieldError[];
}

/** Plans how the run finds the value of the quality option, and how it measures the result. undefined: `errors` has the reason. */
export function planQuality({
  parts,
  inMemory,
  span,
  searched,
  catalogue,
  errors,
}: QualityParts): PlannedQuality | undefined {
  const { metric, target, encoder, scale } = searched;
  const { maxBitrate, maxSize } = target;
  const { output, inputs, muxer, logical } = parts;
  const sampleFile = `pass/quality${/\.[a-z0-9]{1,10}$/.exec(logical)?.[0] ?? ''}`;
  const maps = videoMaps(output);
  const isConstant = sentRateMode(output, 0) === 'cfr';
  // A sample must never get `cfr`, also by a specifier that only ffmpeg can match: it would repeat its first frame for all the time before it.
  const setsModeOfWhole = (option: ArgvOption): boolean =>
    isRateMode(option) && (isConstant || rateModeOf(option.values[0] ?? '') === 'cfr');
  const encoded = output.filter(
    (option) => !option.containerOnly && !OF_WHOLE.has(option.key) && !setsModeOfWhole(option),
  );
  const graph = graphOf(inMemory);
  const inFormat = inPixelFormat(videoValue(inMemory, 'pix_fmt'));
  const video = inputWithVideo(mapsOf(output));
  const timeline = timelineStart(output, span, video);
  const range = rangeOf(output, span, video);
  // The time of the result's first frame in the times of the filters: ffmpeg subtracts the start of an output after the filters. If the first
  // frame of the source comes later than this start, a constant rate repeats that frame from the start on. Other results begin with that frame.
  const begins = !isConstant && hasKey(output, 'copyts') ? range.start : (span.output.start ?? 0);
  const ofSample = comparingGraph(graph, inFormat, sampleFile, metric, catalogue);
  const ofResult = comparingGraph(graph, [...trimming(span.output), ...inFormat], logical, metric, catalogue);
  if (ofSample === undefined || ofResult === undefined) {
    errors.push(unknownEnds(inMemory));
    return undefined;
  }
  const samples = sampled(inputs);
  const comparing = (text: string, others = VIDEO_ONLY) => [
    ...maps,
    serviceOption('filter:v', [text]),
    ...others,
    serviceOption('fps_mode', ['passthrough']),
  ];
  // The time of an MPEG-TS begins with the first stream that ffmpeg reads, which may be the audio.
  const withAudio = [
    ...(maps.length === 0 ? [] : [serviceOption('map', [`${video}:a?`])]),
    ...[serviceOption('c:a', ['copy']), ...serviceFlags(['sn', 'dn'])],
  ];
  const listed = inputs[video];
  const keyed = withKeyFramesOfSample(encoded, timeline);
  return {
    ...{ metric, target: target.target, encoder, scale, sampleFile },
    ...(maxBitrate !== undefined && { maxBitrate }),
    ...(maxSize !== undefined && { maxSize }),
    ...(maxSize !== undefined && mayHaveAudio(output) && { audio: audioArgv(parts) }),
    range,
    ...(listed !== undefined && hasEnd(listed) && { packets: packetsArgv(parts, listed) }),
    encode: sampleArgv(
      { ...parts, inputs: samples },
      [...maps, ...keyed, ...VIDEO_ONLY, ...KEEPS_TIMES, ...BEGINS_AT_ZERO],
      [...(isConstant ? constantRateContainer(muxer) : ['-f', muxer]), '-y', `file:${sampleFile}`],
    ),
    compare: sampleArgv({ ...parts, inputs: samples }, [...comparing(ofSample), ...KEEPS_TIMES], NULL_OUTPUT),
    // The comparison has the times of the run, so that filters that depend on times, such as `fade` and `trim`, act on the same frames.
    result: sampleArgv(
      parts,
      [...comparing(ofResult, mayHaveAudio(output) ? withAudio : VIDEO_ONLY), ...output.filter(changesTimes)],
      NULL_OUTPUT,
    ),
    ...(begins !== 0 && { resultShift: -begins }),
  };
}

/**
 * The graph that compares a chunk of the video with its source. It has the placeholders of chunks. undefined: only ffmpeg knows which ends
 * of the client's graph are open.
 *
 * @param inMemory The options of the output before its frames are moved to a device.
 */
export function chunkComparison(
  inMemory: readonly ArgvOption[],
  { metric }: Pick<SearchedQuality, 'metric'>,
  catalogue: Catalogue,
): string | undefined {
  const cut = [unlinked(PLACEHOLDERS.trim), ...inPixelFormat(videoValue(inMemory, 'pix_fmt'))];
  return comparingGraph(graphOf(inMemory), cut, PLACEHOLDERS.file, metric, catalogue);
}

/** True for a file whose packets end. */
export const hasEnd = ({ source, duration, options }: ArgvInput): boolean =>
  source.isSource !== true &&
  duration === undefined &&
  !options.some(({ key }) => key === 'loop' || key === 'stream_loop');

/** The number of the input that has the video: that of the map, or the first. */
export function inputWithVideo(maps: readonly string[]): number {
  const [, input = '0'] = /^(\d+)/.exec(maps.find(mayBeVideo) ?? '') ?? [];
  return Number(input);
}

const changesTimes = ({ key }: ArgvOption): boolean => key === 'copyts' || key === 'start_at_zero';

/**
 * The time of the input at which the timeline of the output begins. With `copyts` of the client, an input that is cut keeps the times of its
 * file. The plan does not know at which time a file begins, and assumes 0. So the result is wrong for a file that begins later, such as a
 * recording in MPEG-TS, if the output has a start or an end and the client does not send `start_at_zero`.
 */
export const timelineStart = (options: readonly ArgvOption[], { inputs, output }: Span, video: number): number =>
  (output.start ?? 0) + (hasKey(options, 'copyts') ? 0 : (inputs[video]?.start ?? 0));

/** The part of the input that becomes the output: the intersection of the cut of the input and the cut of the output. */
export function rangeOf(options: readonly ArgvOption[], span: Span, video: number): PlannedQuality['range'] {
  const cuts = [
    { begins: span.inputs[video]?.start ?? 0, seconds: requestedSeconds(span.inputs[video] ?? {}) },
    { begins: timelineStart(options, span, video), seconds: requestedSeconds(span.output) },
  ];
  const start = Math.max(...cuts.map(({ begins }) => begins));
  const lengths = cuts.flatMap(({ begins, seconds }) => (seconds === undefined ? [] : [seconds - (start - begins)]));
  return { start, ...(lengths.length > 0 && { seconds: inMicroseconds(Math.max(0, Math.min(...lengths))) }) };
}

/** Lists the packets of the first video, and of all audio, which may be copied. */
export const packetsArgv = (parts: ArgvParts, input: ArgvInput): readonly string[] =>
  decodingArgv({ ...parts, device: undefined, inputs: [input] }, [
    ...['-map', '0:V:0', '-map', '0:a?', '-c', 'copy', '-copyts', '-start_at_zero'],
    ...['-f', 'framecrc', '-y', `file:${PACKETS_FILE}`],
  ]);

/** Encodes or copies the audio alone. With `shortest`, audio that has no end stops with the source. */
const audioArgv = (parts: ArgvParts): readonly string[] => {
  const options = parts.output.filter(
    (option) =>
      !isVideoFilter(option) && option.key !== 'attach' && !option.values.includes(QUALITY_PLACEHOLDERS.value),
  );
  const ends = hasKey(options, 'shortest') && !hasKey(options, 't') && !hasKey(options, 'to');
  return sampleArgv(
    { ...parts, device: undefined },
    [...options, ...AUDIO_ONLY, ...(ends ? [serviceOption('t', [QUALITY_PLACEHOLDERS.seconds])] : [])],
    ['-f', parts.muxer, '-y', 'file:/dev/null'],
  );
};
