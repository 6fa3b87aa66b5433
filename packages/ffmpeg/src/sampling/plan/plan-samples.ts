import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_PLACEHOLDERS, type QualityScale } from '@telecine/contract/domain/quality.ts';
import { type Comparison, PACKETS_FILE, type PlannedSamples, sampleFile } from '@telecine/contract/domain/sampling.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, printGraph } from '../../filtergraph/graph.ts';
import { type ArgvParts, decodingArgv, NULL_OUTPUT, optionArgs, sampleArgv } from '../../plan/argv.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  mayBeVideo,
  sentName,
  serviceFlags,
  serviceOption,
} from '../../plan/request/argv-option.ts';
import { constantRateContainer, isRateMode } from '../../plan/request/frame-rate-modes.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import type { SearchMember } from './checks.ts';
import { appendFilters, type ComparedVideo, comparingFilters, inMicroseconds, TO_SIZE } from './graphs.ts';

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

export function unknownEnds(options: readonly ArgvOption[], member: SearchMember): FieldError {
  const option = filterOf(options);
  return {
    field: option?.field ?? `/${member}`,
    code: 'EXCLUSIVE',
    message: `The graph of "${option === undefined ? 'vf' : sentName(option)}" has ends that only ffmpeg can link, so "${member}" does not know its frames.`,
  };
}

export const VIDEO_ONLY = serviceFlags(['an', 'sn', 'dn']);

/** Keeps the times of the inputs, so that filters that look at times, such as `fade`, work in a sample as in the full video. */
const KEEPS_TIMES = serviceFlags(['copyts', 'start_at_zero']);

/**
 * The option with which an encoded sample begins at 0, although its encoder gets the times of the full video. A filter such as
 * `setpts=PTS-STARTPTS` could move the times before the encoder, but with ffmpeg 7.1 its output has no frame rate: encoders then take the time
 * base for it, and a constant frame rate becomes 25.
 */
const BEGINS_AT_ZERO = serviceOption('avoid_negative_ts', ['make_zero']);

/** Options that apply only to the whole output, and not to a sample. */
const OF_WHOLE: ReadonlySet<string> = new Set(['ss', 't', 'to', 'shortest', 'map', 'attach']);

/** Options of an input that select a part of it, or repeat it. */
const OF_PART: ReadonlySet<string> = new Set(['ss', 't', 'to', 'sseof', 'stream_loop']);

/** Values of `force_key_frames` without times. Listed times are of the full video: ffmpeg would force a frame for each one before the sample. */
const NOT_LISTED = /^(?:expr:|source|scd_metadata)/;

/** True for an option that samples have as the full video. */
const isOfSample = ({ containerOnly, key, name, values }: ArgvOption): boolean =>
  !containerOnly && !OF_WHOLE.has(key) && (name.name !== 'force_key_frames' || NOT_LISTED.test(values[0] ?? ''));

/** The inputs with options by which ffmpeg reads only the sample. Still images stay as they are: they are the same at any time. */
const sampled = (inputs: readonly ArgvInput[]): readonly ArgvInput[] =>
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

/** True for a file whose packets end. */
const hasEnd = ({ source, duration, options }: ArgvInput): boolean =>
  source.isSource !== true && duration === undefined && !hasKey(options, 'loop', 'stream_loop');

/** The number of the input that has the video: that of the map, or the first. */
export const inputWithVideo = (maps: readonly string[]): number =>
  Number(/^(\d+)/.exec(maps.find(mayBeVideo) ?? '')?.[1] ?? 0);

/**
 * The time of the input at which the timeline of the output begins. With `copyts` of the client, an input that is cut keeps the times of its
 * file. The plan does not know at which time a file begins, and assumes 0. So the result is wrong for a file that begins later, such as a
 * recording in MPEG-TS, if the output has a start or an end and the client does not send `start_at_zero`.
 */
const timelineStart = (options: readonly ArgvOption[], { inputs, output }: Span, video: number): number =>
  (output.start ?? 0) + (hasKey(options, 'copyts') ? 0 : (inputs[video]?.start ?? 0));

/** The part of the input that becomes the output: the intersection of the cut of the input and the cut of the output. */
function rangeOf(options: readonly ArgvOption[], span: Span, video: number): PlannedSamples['range'] {
  const cuts = [
    { begins: span.inputs[video]?.start ?? 0, seconds: requestedSeconds(span.inputs[video] ?? {}) },
    { begins: timelineStart(options, span, video), seconds: requestedSeconds(span.output) },
  ];
  const start = Math.max(...cuts.map(({ begins }) => begins));
  const lengths = cuts.flatMap(({ begins, seconds }) => (seconds === undefined ? [] : [seconds - (start - begins)]));
  return { start, ...(lengths.length > 0 && { seconds: inMicroseconds(Math.max(0, Math.min(...lengths))) }) };
}

/** Lists the packets of the first video, and of all audio, which may be copied. */
const packetsArgv = (parts: ArgvParts, input: ArgvInput): readonly string[] =>
  decodingArgv({ ...parts, device: undefined, inputs: [input] }, [
    ...['-map', '0:V:0', '-map', '0:a?', '-c', 'copy', '-copyts', '-start_at_zero'],
    ...['-f', 'framecrc', '-y', `file:${PACKETS_FILE}`],
  ]);

/** What a search by samples is planned for. */
export interface SampledPlan {
  /** The argv of the output, with all its options. */
  readonly parts: ArgvParts;
  readonly span: Span;
  readonly catalogue: Catalogue;
}

/** The video whose samples are encoded. */
export interface SampledVideo
  extends Omit<ComparedVideo, 'file'>,
    Pick<PlannedSamples, 'metric' | 'encoder' | 'scale'> {
  /** The values of `map` for the video. */
  readonly maps: readonly string[];
  /** The options of its encoder, with its filters and the placeholder of its value. */
  readonly options: readonly ArgvOption[];
  /** The container of a sample, and the extension of its name. Absent: NUT at a constant rate, which stores any codec with few bytes besides. */
  readonly container?: { readonly arguments: readonly string[]; readonly suffix: string };
}

/** Plans how samples are encoded and compared. undefined: only ffmpeg knows which ends of the client's graph are open. */
export function planSamples(
  { parts, span, catalogue }: SampledPlan,
  sampledVideo: SampledVideo,
): PlannedSamples | undefined {
  const { metric, encoder, scale, maps, options, container } = sampledVideo;
  const video = inputWithVideo(maps);
  const listed = parts.inputs[video];
  const ofSample = { ...parts, inputs: sampled(parts.inputs), limits: { ...parts.limits, output: [] } };
  const { arguments: written = constantRateContainer('nut'), suffix = '.nut' } = container ?? {};
  const file = sampleFile(QUALITY_PLACEHOLDERS.number, suffix);
  const compare = planComparison(
    { parts: { ...parts, inputs: ofSample.inputs }, catalogue },
    { ...sampledVideo, file },
    [...VIDEO_ONLY, ...KEEPS_TIMES],
  );
  if (compare === undefined) return undefined;
  return {
    ...{ metric, encoder, scale, range: rangeOf(parts.output, span, video), compare },
    ...(listed !== undefined && hasEnd(listed) && { packets: packetsArgv(parts, listed) }),
    ...(sampledVideo.isSized && { inspect: inspectingArgv(parts, maps, sampledVideo.graph) }),
    encode: {
      start: sampleArgv(ofSample, KEEPS_TIMES, []),
      each: [
        ...parts.limits.output,
        ...optionArgs([...mapOption(maps), ...options.filter(isOfSample), ...VIDEO_ONLY, BEGINS_AT_ZERO]),
        ...[...written, '-y', `file:${file}`],
      ],
    },
  };
}

const mapOption = (maps: readonly string[]): readonly ArgvOption[] =>
  maps.length === 0 ? [] : [serviceOption('map', maps)];

/** Decodes the first frame that the encoder gets. */
export const inspectingArgv = (parts: ArgvParts, maps: readonly string[], graph: Graph | undefined) =>
  sampleArgv(
    parts,
    [
      ...mapOption(maps),
      serviceOption('filter:v', [graph === undefined ? 'null' : printGraph(graph)]),
      ...VIDEO_ONLY,
      serviceOption('frames:v', ['1']),
    ],
    NULL_OUTPUT,
  );

/**
 * Plans how videos are compared with their source. undefined: only ffmpeg knows which ends of the client's graph are open.
 *
 * @param others What happens to other streams, and options of the times.
 */
export function planComparison(
  { parts, catalogue }: Pick<SampledPlan, 'parts' | 'catalogue'>,
  compared: ComparedVideo & Pick<SampledVideo, 'metric' | 'maps'>,
  others: readonly ArgvOption[],
): Comparison | undefined {
  const filters = comparingFilters(compared, compared.metric, catalogue);
  return (
    filters && {
      ...filters,
      start: sampleArgv(parts, mapOption(compared.maps), []),
      end: [...optionArgs([serviceOption('fps_mode', ['passthrough']), ...others]), ...NULL_OUTPUT],
    }
  );
}

/** The options of a sample in NUT: options that belong to the container of the output, although other containers have them too, are left out. */
export const withoutContainer = (options: readonly ArgvOption[]): readonly ArgvOption[] =>
  options.filter((option) => !OF_CONTAINER.has(option.name.name) && !isRateMode(option));

const OF_CONTAINER: ReadonlySet<string> = new Set(['tag', 'var_stream_map', 'master_pl_name', 'f']);

/** The filters of a sample with a size of its own, and the placeholder of its value. */
export function sizedOptions(
  graph: Graph | undefined,
  { option }: Pick<QualityScale, 'option'>,
  catalogue: Catalogue,
): readonly ArgvOption[] | undefined {
  const sized = appendFilters(graph, TO_SIZE, catalogue);
  return (
    sized && [
      { ...serviceOption('filter:v', [printGraph(sized)]), checkedGraphs: [sized] },
      serviceOption(`${option}:v`, [QUALITY_PLACEHOLDERS.value]),
    ]
  );
}
