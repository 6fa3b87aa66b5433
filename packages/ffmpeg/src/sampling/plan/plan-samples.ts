import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import {
  type Comparison,
  PACKETS_FILE,
  type PlannedSamples,
  SOURCE_LABEL,
} from '@telecine/contract/domain/sampling.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { surroundGraph } from '../../filtergraph/embed-graph.ts';
import { filterWith, type Graph, type GraphChain, newFilter, printGraph } from '../../filtergraph/graph.ts';
import { type ArgvParts, decodingArgv, NULL_OUTPUT, optionArgs, sampleArgv } from '../../plan/argv.ts';
import {
  type ArgvOption,
  hasKey,
  isVideoFilter,
  sentName,
  serviceFlags,
  serviceOption,
  videoValue,
} from '../../plan/request/argv-option.ts';
import { isRateMode } from '../../plan/request/frame-rate-modes.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import type { Search, SearchMember } from './search.ts';

/** A filter without labels that the service adds. */
export const unlinked = (name: string, options: Readonly<Record<string, string | number>> = {}) => ({
  ...newFilter(name),
  ...filterWith(name, options),
});

/** The filters of the first video. */
const filterOf = (options: readonly ArgvOption[]): ArgvOption | undefined =>
  options.findLast((option) => isVideoFilter(option) && !/:[1-9]/.test(option.key));

export const graphOf = (options: readonly ArgvOption[]): Graph | undefined => filterOf(options)?.checkedGraphs?.[0];

/** Adds filters behind those of the client. `errors` gets the reason if only ffmpeg knows how the client's filters are linked. */
export function withFilters(
  options: readonly ArgvOption[],
  filters: GraphChain,
  {
    member,
    catalogue,
    errors,
  }: { readonly member: SearchMember; readonly catalogue: Catalogue; readonly errors: FieldError[] },
): readonly ArgvOption[] {
  const before = filterOf(options);
  const graph = surroundGraph(graphOf(options), { behind: [filters] }, catalogue);
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

/** Values of `force_key_frames` without times. Listed times are of the full video: ffmpeg would force a frame for each one before the sample. */
const NOT_LISTED = /^(?:expr:|source|scd_metadata)/;

/** True for an option that samples have as the full video. */
const isOfSample = (option: ArgvOption): boolean =>
  !option.containerOnly &&
  !OF_WHOLE.has(option.name.name) &&
  !isRateMode(option) &&
  !option.values.includes(QUALITY_PLACEHOLDERS.value) &&
  (option.name.name !== 'force_key_frames' || NOT_LISTED.test(option.values[0] ?? ''));

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
  const { start: first = 0, ...cut } = inputs[video] ?? {};
  const start = first + (output.start ?? 0);
  const ofInput = requestedSeconds({ start: first, ...cut });
  const lengths = [ofInput === undefined ? undefined : ofInput - (start - first), requestedSeconds(output)];
  const known = lengths.filter((one) => one !== undefined);
  // To the precision of ffmpeg, so that a difference such as 60.2 - 60 is printed as 0.2.
  return { start, ...(known.length > 0 && { seconds: rounded(Math.max(0, Math.min(...known)), 6) }) };
}

/**
 * A `trim` that keeps the frames which the output has: ffmpeg applies `ss`, `t` and `to` of an output after all filters of the output. ffmpeg
 * counts `t` from the start of the output. The option `duration` of `trim` counts from the first frame, which may be later.
 */
function trimming({ start, duration, end }: Span['output']): GraphChain {
  const last = duration === undefined ? end : rounded((start ?? 0) + duration, 6);
  const options = { ...(start !== undefined && { start }), ...(last !== undefined && { end: last }) };
  return Object.keys(options).length === 0 ? [] : [unlinked('trim', options)];
}

/** What a search by samples is planned for. */
export interface SampledPlan {
  /** The argv of the output, with all its options. */
  readonly parts: ArgvParts;
  readonly span: Span;
  readonly catalogue: Catalogue;
  readonly errors: FieldError[];
}

/** The options of the encoder, without the placeholder of its value, and those that have the filters of its frames in normal memory. */
interface SampledOptions {
  readonly encoding: readonly ArgvOption[];
  readonly inMemory: readonly ArgvOption[];
}

/** Plans how samples are encoded and compared, and how the whole output is compared. `plan.errors` has the reason if that is not possible. */
export function planSamples(
  plan: SampledPlan,
  { member, metric, encoder, scale, videoMap }: Search,
  { encoding, inMemory }: SampledOptions,
): PlannedSamples & { readonly result: Comparison } {
  const { parts, span } = plan;
  const video = Number(/^\d+/.exec(videoMap ?? '')?.[0] ?? 0);
  const listed = parts.inputs[video];
  const ofSample = { ...parts, inputs: parts.inputs.map(sampled) };
  const map = videoMap === undefined ? [] : [serviceOption('map', [videoMap])];
  const graph = graphOf(inMemory);
  const size = videoValue(inMemory, 's');
  const format = videoValue(inMemory, 'pix_fmt')?.replace(/^\+/, '');
  const comparison = (of: ArgvParts, times: readonly ArgvOption[], cut: GraphChain): Comparison => {
    const options = withFilters(
      inMemory,
      [
        ...(size === undefined ? [] : [unlinked('scale', { size })]),
        ...cut,
        ...(format === undefined ? [] : [unlinked('format', { pix_fmts: format })]),
        { ...unlinked('null'), outputs: [SOURCE_LABEL] },
      ],
      { ...plan, member },
    );
    return { start: sampleArgv(of, [...map, ...VIDEO_ONLY, ...times], []), source: filterOf(options)?.values[0] ?? '' };
  };
  const inspected = [
    ...[...map, serviceOption('filter:v', [graph === undefined ? 'null' : printGraph(graph)])],
    ...[...VIDEO_ONLY, serviceOption('frames:v', ['1'])],
  ];
  const packets = ['-map', '0:V:0', '-c', 'copy', '-copyts', '-start_at_zero'];
  return {
    ...{ metric, encoder, scale, range: rangeOf(span, video) },
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
