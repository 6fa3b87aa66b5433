import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import {
  type Comparison,
  PACKETS_FILE,
  type PlannedLadder,
  type PlannedSamples,
  type PlannedSearch,
  SOURCE_LABEL,
} from '@telecine/contract/domain/sampling.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { surroundGraph } from '../../filtergraph/embed-graph.ts';
import { type GraphChain, newFilter, printGraph } from '../../filtergraph/graph.ts';
import { CAPTIONS } from '../../filtergraph/speech.ts';
import { type ArgvParts, decodingArgv, NULL_OUTPUT, optionArgs, outputArgs, sampleArgv } from '../../plan/argv.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  lastValue,
  sentName,
  serviceFlags,
  serviceOption,
  videoValue,
} from '../../plan/request/argv-option.ts';
import { isRateMode } from '../../plan/request/frame-rate-modes.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { secondsAfterCut } from '../../values/span-length.ts';
import { fillRungs, variantsOfRungs } from '../fill-argv.ts';
import { isOfVideo, type Search, type SearchMember } from './search.ts';

const { value: VALUE, width: WIDTH, height: HEIGHT } = QUALITY_PLACEHOLDERS;

const DEFAULT_SEGMENT_SECONDS = 2;
const LEAST_SEGMENT_SECONDS = 0.1;

const segmentSeconds = (options: readonly ArgvOption[]): number =>
  Math.max(LEAST_SEGMENT_SECONDS, parseDuration(lastValue('hls_time', options) ?? '') ?? DEFAULT_SEGMENT_SECONDS);

/**
 * Square pixels after scaling: even sides change the shape of a frame by less than 3 %, for which `scale` would set a pixel shape such as 1160:1161.
 * Anamorphic sources keep theirs. Those of video standards differ from 1 by at least 6 %.
 */
const SQUARE_PIXELS = newFilter('setsar', { sar: 'if(lt(abs(sar-1),0.03),1,sar)' });

/** The filters of the first video. */
const filterOf = (options: readonly ArgvOption[]): ArgvOption | undefined =>
  options.findLast((option) => isVideoFilter(option) && !/:[1-9]/.test(option.key));

/** Adds filters behind those of the client. `errors` gets the reason if only ffmpeg knows how the client's filters are linked. */
function withFilters(
  options: readonly ArgvOption[],
  filters: GraphChain,
  member: SearchMember,
  { catalogue, errors }: { readonly catalogue: Catalogue; readonly errors: FieldError[] },
): readonly ArgvOption[] {
  const before = filterOf(options);
  const graph = surroundGraph(before?.checkedGraphs?.[0], { behind: [filters] }, catalogue);
  if (graph === undefined) {
    errors.push({
      field: before?.field ?? `/${member}`,
      code: 'EXCLUSIVE',
      message: `The graph of "${before === undefined ? 'vf' : sentName(before)}" has ends that only ffmpeg can link, so "${member}" does not know its frames.`,
    });
    return options;
  }
  const option = { ...(before ?? serviceOption('filter:v', [])), values: [printGraph(graph)], checkedGraphs: [graph] };
  return before === undefined ? [...options, option] : options.map((one) => (one === before ? option : one));
}

const VIDEO_ONLY = serviceFlags(['an', 'sn', 'dn']);

/** Keeps the times of the inputs, so that filters that look at times, such as `fade`, work in a sample as in the full video. */
const KEEPS_TIMES = serviceFlags(['copyts', 'start_at_zero']);

/** Options that apply only to the whole output, or to its container, although samples have one too. */
const OF_WHOLE: ReadonlySet<string> = new Set(
  'ss t to shortest map attach tag var_stream_map master_pl_name f'.split(' '),
);

/** Options of an input that select a part of it, or repeat it. */
const OF_PART: ReadonlySet<string> = new Set(['ss', 't', 'to', 'stream_loop']);

/**
 * True for an option that samples have as the full video. Listed key frames have times of the full video: ffmpeg would force a frame for each
 * one before the sample.
 */
const isOfSample = (option: ArgvOption): boolean =>
  !option.containerOnly &&
  !OF_WHOLE.has(option.name.name) &&
  !isRateMode(option) &&
  !option.values.includes(VALUE) &&
  !(option.name.name === 'force_key_frames' && /^(?:\d|chapters)/.test(option.values[0] ?? ''));

/** An input with options by which ffmpeg reads only the sample. Still images stay as they are: they are the same at any time. */
const sampled = (input: ArgvInput): ArgvInput =>
  input.duration !== undefined && input.source.isSource !== true
    ? input
    : {
        ...input,
        options: [
          ...input.options.filter(({ key }) => !OF_PART.has(key)),
          serviceOption('ss', [QUALITY_PLACEHOLDERS.start]),
          serviceOption('t', [QUALITY_PLACEHOLDERS.seconds]),
        ],
      };

/** True for a file whose packets end. */
const hasEnd = ({ source, duration, options }: ArgvInput): boolean =>
  source.isSource !== true && duration === undefined && !hasKey(options, 'loop', 'stream_loop');

/** The part of the input that becomes the output: the intersection of the cut of the input and the cut of the output. */
function rangeOf({ inputs, output }: Span, video: number): PlannedSamples['range'] {
  const ofInput = inputs[video] ?? {};
  const seconds = secondsAfterCut(secondsAfterCut(Number.POSITIVE_INFINITY, ofInput), output);
  return {
    start: (ofInput.start ?? 0) + (output.start ?? 0),
    // To the precision of ffmpeg, so that a difference such as 60.2 - 60 is printed as 0.2.
    ...(Number.isFinite(seconds) && { seconds: rounded(seconds, 6) }),
  };
}

/**
 * A `trim` that keeps the frames which the output has: ffmpeg applies `ss`, `t` and `to` of an output after all filters of the output. ffmpeg
 * counts `t` from the start of the output. The option `duration` of `trim` counts from the first frame, which may be later.
 */
function trimming({ start, duration, end }: Span['output']): GraphChain {
  const last = duration === undefined ? end : rounded((start ?? 0) + duration, 6);
  const options = { ...(start !== undefined && { start }), ...(last !== undefined && { end: last }) };
  return Object.keys(options).length === 0 ? [] : [newFilter('trim', options)];
}

/** What a search by samples is planned for. */
export interface SampledPlan {
  /** The argv of the output, with all its options. */
  readonly parts: ArgvParts;
  readonly span: Span;
  readonly catalogue: Catalogue;
  readonly errors: FieldError[];
}

/**
 * Plans how samples are encoded and compared, and how the whole output is compared. `plan.errors` has the reason if that is not possible.
 *
 * @param encoding The options of the encoder.
 * @param inMemory Those that have the filters of its frames in normal memory.
 */
function planSamples(
  plan: SampledPlan,
  { member, metric, scale, videoMap }: Search,
  encoding: readonly ArgvOption[],
  inMemory: readonly ArgvOption[],
): PlannedSamples {
  const { span } = plan;
  // Samples do not read the captions, which are the last input.
  const inputs = plan.parts.inputs.filter(({ source }) => source.logical !== CAPTIONS);
  const parts = { ...plan.parts, inputs };
  const video = Number(/^\d+/.exec(videoMap ?? '')?.[0] ?? 0);
  const listed = inputs[video];
  const ofSample = { ...parts, inputs: inputs.map(sampled) };
  const map = videoMap === undefined ? [] : [serviceOption('map', [videoMap])];
  const size = videoValue(inMemory, 's');
  const format = videoValue(inMemory, 'pix_fmt')?.replace(/^\+/, '');
  const comparison = (of: ArgvParts, times: readonly ArgvOption[], cut: GraphChain): Comparison => {
    const options = withFilters(
      inMemory,
      [
        ...(size === undefined ? [] : [newFilter('scale', { size })]),
        ...cut,
        ...(format === undefined ? [] : [newFilter('format', { pix_fmts: format })]),
        { ...newFilter('null'), outputs: [SOURCE_LABEL] },
      ],
      member,
      plan,
    );
    return { start: sampleArgv(of, [...map, ...VIDEO_ONLY, ...times], []), source: filterOf(options)?.values[0] ?? '' };
  };
  const inspected = [
    ...[...map, serviceOption('filter:v', [filterOf(inMemory)?.values[0] ?? 'null'])],
    ...[...VIDEO_ONLY, serviceOption('frames:v', ['1'])],
  ];
  const packets = ['-map', '0:V:0', '-c', 'copy', '-copyts', '-start_at_zero'];
  return {
    ...{ metric, scale, range: rangeOf(span, video) },
    ...(listed !== undefined &&
      hasEnd(listed) && {
        packets: decodingArgv({ ...parts, device: undefined, inputs: [listed] }, [
          ...packets,
          ...['-f', 'framecrc', '-y', `file:${PACKETS_FILE}`],
        ]),
      }),
    inspect: sampleArgv(parts, inspected, NULL_OUTPUT),
    encode: {
      start: sampleArgv({ ...ofSample, limits: { ...parts.limits, output: [] } }, KEEPS_TIMES, []),
      each: [...parts.limits.output, ...optionArgs([...map, ...encoding.filter(isOfSample), ...VIDEO_ONLY])],
    },
    compare: comparison(ofSample, KEEPS_TIMES, []),
    result: comparison(parts, [], trimming(span.output)),
  };
}

/** The options of the output, with those that a search adds: the placeholder of a value or of a size, or the variants of a ladder. */
export function searchOptions(
  options: readonly ArgvOption[],
  search: Search,
  path: MediaPath,
  plan: Pick<SampledPlan, 'catalogue' | 'errors'>,
): readonly ArgvOption[] {
  const { member, scale } = search;
  if (member === 'frameSize')
    return withFilters(options, [newFilter('scale', { w: WIDTH, h: HEIGHT }), SQUARE_PIXELS], member, plan);
  if (member === 'ladder') return [...withLadderMap(options, search), ...variantOptions(options, search, path)];
  const needed = Object.entries(scale.needs ?? {}).map(([key, value]) => serviceOption(key, [value]));
  return [...options, ...needed, serviceOption(`${scale.option}:v`, [VALUE])];
}

/** The options with the streams of a ladder: its video once, and its audio. */
function withLadderMap(options: readonly ArgvOption[], { videoMap = '0:V:0', audio }: Search): readonly ArgvOption[] {
  const sent = options.find(({ key }) => key === 'map') ?? serviceOption('map', []);
  const values = [videoMap, ...(audio === undefined ? [] : [audio])];
  return [...options.filter(({ key }) => key !== 'map'), { ...sent, values }];
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

/**
 * Plans how the run searches, and the pass that the plan shows instead of its own. `plan.errors` has the reason if samples cannot be compared.
 *
 * @param inMemory The options of the output before its frames are moved to a device, and before they are scaled to a chosen size.
 */
export function planSearch(
  plan: SampledPlan,
  search: Search,
  inMemory: readonly ArgvOption[],
): { readonly search: PlannedSearch; readonly shown?: readonly string[] } {
  const { member: choose, target, maxBitrate, maxSize, bitsPerSecond, none } = search;
  const { output } = plan.parts;
  const samples = planSamples(plan, search, choose === 'frameSize' ? quickly(output, inMemory) : output, inMemory);
  if (choose === 'frameSize') return { search: { choose, bitsPerSecond, samples, ...definedMembers({ none }) } };
  const planned = { samples, target, ...definedMembers({ maxBitrate, maxSize }) };
  return choose === 'ladder' ? planLadder(plan, search, planned) : { search: { choose, ...planned } };
}

/** Options that the samples for a frame size have otherwise: those of the bit rate, and the preset. */
const NOT_IN_SAMPLES: ReadonlySet<string> = new Set(
  'b maxrate minrate bufsize rc_init_occupancy crf qp pass passlogfile nal-hrd cbr preset'.split(' '),
);

/**
 * The options of samples for a frame size. Assumes that `veryfast` prefers nearly the same size as a slower preset: both lose in all sizes. Those
 * that are faster lose more in large ones.
 */
function quickly(output: readonly ArgvOption[], unscaled: readonly ArgvOption[]): readonly ArgvOption[] {
  const preset = videoValue(output, 'preset') ?? '';
  return [
    ...output.filter((one) => !isVideoFilter(one) && !(isOfVideo(one) && NOT_IN_SAMPLES.has(one.name.name))),
    ...unscaled.filter(isVideoFilter),
    serviceOption('preset:v', [/^(?:ultra|super)fast$/.test(preset) ? preset : 'veryfast']),
  ];
}

/** Plans the rungs of a ladder, and the pass that writes them. */
function planLadder(
  { parts }: SampledPlan,
  { audio, scale: { option }, maxRungs, videoMap = '0:V:0' }: Search,
  planned: Pick<PlannedLadder, 'samples' | 'target' | 'maxBitrate'>,
): { readonly search: PlannedLadder; readonly shown: readonly string[] } {
  const { output } = parts;
  const shared = output.filter((one) => !isVideoFilter(one) && one.key !== 'map' && one.key !== 'var_stream_map');
  const filter = output.find(isVideoFilter)?.values[0];
  const args = ['-map', videoMap, ...(filter === undefined ? [] : [`-filter:v:${QUALITY_PLACEHOLDERS.rung}`, filter])];
  const argv = [
    ...sampleArgv(parts, [], [QUALITY_PLACEHOLDERS.rungs]),
    ...(audio === undefined ? [] : ['-map', audio]),
    ...['-var_stream_map', ''],
    ...[...optionArgs(shared), ...outputArgs({ ...parts, output: shared })],
  ];
  const isSingleFile = /(?:^|\+)single_file(?:$|[+-])/.test(lastValue('hls_flags', output) ?? '');
  const rung = { args, option, segmentSeconds: segmentSeconds(output) };
  return {
    search: {
      ...{ ...planned, choose: 'ladder', maxRungs, argv, rung, ...definedMembers({ audio }) },
      ...(isSingleFile && { isSingleFile }),
    },
    shown: fillRungs(argv, args, [{ s: `${WIDTH}x${HEIGHT}`, [option]: VALUE }], audio !== undefined),
  };
}
