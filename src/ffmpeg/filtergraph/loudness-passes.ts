import { changeFilters, type Graph, type GraphFilter, keepsFrameTimes } from './graph.ts';
import type { GraphOption } from './option-list.ts';

/** What the first pass measures for a `loudnorm`: of its input, of what it makes of that in one pass, and of that after `PROBE_GAIN_DB`. */
export const LOUDNESS_FACTS = ['input_i', 'input_lra', 'input_tp', 'output_i', 'limited_i'] as const;

export type LoudnessFact = (typeof LOUDNESS_FACTS)[number];

/** The key of the metadata in which `ebur128` has a fact (f_ebur128.c, 5.1 to 8). */
const KEY_OF: Readonly<Record<LoudnessFact, string>> = {
  input_i: 'lavfi.r128.I',
  input_lra: 'lavfi.r128.LRA',
  input_tp: 'lavfi.r128.true_peak',
  output_i: 'lavfi.r128.I',
  limited_i: 'lavfi.r128.I',
};

/** The gain before a limiter with which the first pass measures how loud the sound becomes below its highest true peak, in dB. */
export const PROBE_GAIN_DB = 3;

/** The file in the scratch folder to which ffmpeg writes a fact about the `loudnorm` with this number. */
export const loudnessFile = (index: number, fact: LoudnessFact): string => `pass/loudnorm-${index}-${fact}.txt`;

/** The file to which ffmpeg writes the loudness that the second pass reaches with the `loudnorm` of this number. */
export const resultFile = (index: number): string => `pass/loudnorm-${index}-result.txt`;

/** The level at which `ebur128` logs each tenth of a second: AV_LOG_DEBUG, which no run has. */
const UNLOGGED = 48;

/** The numbers with which the second pass runs, as option values. */
export interface LoudnessValues {
  /** The options of `loudnorm` with which one gain is enough, or the `offset` with which it comes closer. */
  readonly options: readonly GraphOption[];
  /** The gain after it, in dB. 0 for none. */
  readonly gain: number;
  /** The highest level after the gain, in dB. Absent if the gain exceeds none. */
  readonly limit?: number;
  /** Where to write the loudness that is reached. Absent if it is certain. */
  readonly resultFile?: string;
  /** The sample rate of the source, in Hz. Absent if it is unknown. */
  readonly sampleRate?: number;
  /** What makes up for the gain of the encoder, in dB. Absent for none. */
  readonly encoderGain?: number;
}

/** They stand for what the first pass finds out. */
const PLACEHOLDERS: readonly GraphOption[] = [
  { key: 'measured_I', value: 'INPUT_I' },
  { key: 'measured_LRA', value: 'INPUT_LRA' },
  { key: 'measured_TP', value: 'INPUT_TP' },
  { key: 'measured_thresh', value: 'INPUT_THRESH' },
];
const GAIN = 'GAIN';
const SOURCE_RATE = 'SOURCE_RATE';

/** The value of an option, whose names differ only in case: `I` and `i`. */
export const optionOf = ({ options }: GraphFilter, key: string): string | undefined =>
  options.find((option) => option.key?.toLowerCase() === key.toLowerCase())?.value;

/** Whether the service measures for this filter: it is a `loudnorm` without measured values of the client. */
export const isMeasurable = (filter: GraphFilter): boolean =>
  filter.name === 'loudnorm' && !filter.options.some(({ key = '' }) => /^measured_/i.test(key));

/** The defaults of `loudnorm` (af_loudnorm.c, 5.1 to 8). */
const DEFAULTS = { I: -24, TP: -2, LRA: 7 } as const;

/** What a `loudnorm` is to reach: LUFS, the highest true peak in dBTP, and the largest range in LU. */
export function loudnessTarget(loudnorm: GraphFilter) {
  const [target = NaN, ceiling = NaN, range = NaN] = (['I', 'TP', 'LRA'] as const).map((key) =>
    Number(optionOf(loudnorm, key) ?? DEFAULTS[key]),
  );
  return { target, ceiling, range };
}

const isWaiting = (filter: GraphFilter): boolean =>
  filter.name === 'loudnorm' && optionOf(filter, 'measured_I') === PLACEHOLDERS[0]?.value;
const isGain = (filter: GraphFilter): boolean => filter.name === 'volume' && optionOf(filter, 'volume') === GAIN;
const isRate = (filter: GraphFilter): boolean =>
  filter.name === 'aformat' && optionOf(filter, 'sample_rates') === SOURCE_RATE;

/** The part of the sound that the output has, in seconds at the end of the graph. */
export interface MeasuredRange {
  readonly start?: number;
  readonly duration?: number;
  readonly end?: number;
}

/** Joins filters to a chain that has the labels of the one that it replaces. */
function chainInPlaceOf(
  replaced: GraphFilter,
  filters: readonly Pick<GraphFilter, 'name' | 'options'>[],
): GraphFilter[] {
  const last = filters.length - 1;
  return filters.map((filter, index) => ({
    ...filter,
    at: replaced.at,
    inputs: index === 0 ? replaced.inputs : [],
    outputs: index === last ? replaced.outputs : [],
  }));
}

const filterWith = (name: string, options: Readonly<Record<string, string | number>>) => ({
  name,
  options: Object.entries(options).map(([key, value]) => ({ key, value: String(value) })),
});

/** Amplifies by a gain, and limits what exceeds a level. `loudnorm` makes 192 kHz, in which the samples have the true peak. */
const limited = (gain: number, limit: number) => [
  filterWith('volume', { volume: `${gain}dB` }),
  filterWith('alimiter', { limit: (10 ** (limit / 20)).toFixed(6), level: 0, latency: 1 }),
];

/**
 * What trims the sound before `loudnorm` in both passes. ffmpeg trims the output only after the filters, and `loudnorm`
 * reads ahead. Nothing if a filter on its way to the output changes times: the range is one of times at the end of the graph.
 */
function trimmed(graph: Graph, loudnorm: GraphFilter, { start, duration, end }: MeasuredRange) {
  const options = {
    ...(start !== undefined && { start }),
    ...(duration !== undefined && { duration }),
    ...(end !== undefined && duration === undefined && { end }),
  };
  return Object.keys(options).length > 0 && keepsTimesAfter(graph, loudnorm) ? [filterWith('atrim', options)] : [];
}

/** Whether all filters that the frames of `filter` reach keep times, also in other chains. */
function keepsTimesAfter(graph: Graph, filter: GraphFilter): boolean {
  const chain = graph.chains.find((one) => one.includes(filter)) ?? [];
  const after = chain.slice(chain.indexOf(filter) + 1);
  const readers = [filter, ...after].flatMap(({ outputs }) =>
    graph.chains.flat().filter(({ inputs }) => inputs.some((label) => outputs.includes(label))),
  );
  return (
    after.every(keepsFrameTimes) && readers.every((reader) => keepsFrameTimes(reader) && keepsTimesAfter(graph, reader))
  );
}

const printed = (index: number, fact: LoudnessFact) =>
  filterWith('ametadata', { mode: 'print', key: KEY_OF[fact], file: loudnessFile(index, fact) });

/**
 * The graph of the first pass: what `ebur128` measures before and after `loudnorm` goes into files. `loudnorm` measures too,
 * but reports other values for short sounds, up to 2 LU from those of `ebur128`.
 *
 * @param next Returns the number of the next `loudnorm`.
 */
export function measuringGraph(graph: Graph, range: MeasuredRange, next: () => number): Graph {
  const probes: GraphFilter[][] = [];
  const changed = changeFilters(graph, (filter) => {
    if (!isMeasurable(filter)) return [filter];
    const index = next();
    const dualMono = optionOf(filter, 'dual_mono');
    const dual = dualMono === undefined ? {} : { dualmono: dualMono };
    const scan = filterWith('ebur128', { metadata: 1, ...dual });
    const { ceiling } = loudnessTarget(filter);
    const measured = [
      ...trimmed(graph, filter, range),
      // Decoders copy tags of the file into the metadata of frames, and these must not look like measured values.
      filterWith('ametadata', { mode: 'delete' }),
      filterWith('ebur128', { metadata: 1, ...dual, peak: 'true' }),
      ...(['input_i', 'input_lra', 'input_tp'] as const).map((fact) => printed(index, fact)),
      filter,
      scan,
      printed(index, 'output_i'),
    ];
    if (!Number.isFinite(ceiling)) return chainInPlaceOf(filter, measured);
    // The probe is a branch, because the filters after loudnorm need the sound without its gain. The branch joins the sound again: a sink
    // requests no frames, and ffmpeg 7.1 aborts (`best_input >= 0`) if nothing requests what loudnorm holds at the end of the input.
    const [branch, probed] = [`loudnorm-${index}-limited`, `loudnorm-${index}-probed`];
    const probe = [...limited(PROBE_GAIN_DB, ceiling), scan, printed(index, 'limited_i')];
    probes.push(chainInPlaceOf({ ...filter, inputs: [branch], outputs: [probed] }, probe));
    return [
      ...chainInPlaceOf({ ...filter, outputs: [branch] }, [...measured, filterWith('asplit', {})]),
      {
        ...filterWith('astreamselect', { inputs: 2, map: 1 }),
        at: filter.at,
        inputs: [probed],
        outputs: filter.outputs,
      },
    ];
  });
  return { ...changed, chains: [...changed.chains, ...probes] };
}

/**
 * The graph of the second pass, with placeholders. `loudnorm` makes 192 kHz of everything unless one gain is enough, so
 * the last filter restores the sample rate of the source.
 */
export const normalizingGraph = (graph: Graph, range: MeasuredRange): Graph =>
  changeFilters(graph, (filter) =>
    isMeasurable(filter)
      ? chainInPlaceOf(filter, [
          ...trimmed(graph, filter, range),
          { ...filter, options: [...filter.options, ...PLACEHOLDERS] },
          filterWith('volume', { volume: GAIN }),
          filterWith('aformat', { sample_rates: SOURCE_RATE }),
        ])
      : [filter],
  );

/** What follows `loudnorm` in the second pass. */
const afterLoudnorm = ({
  gain,
  limit,
  resultFile: file,
  encoderGain = 0,
  dualMono,
}: LoudnessValues & { readonly dualMono: string | undefined }) => [
  ...(gain !== 0 && limit !== undefined ? limited(gain, limit) : []),
  ...(gain !== 0 && limit === undefined ? [filterWith('volume', { volume: `${gain}dB` })] : []),
  ...(file === undefined
    ? []
    : [
        // As in the first pass: tags of the file must not look like measured values.
        filterWith('ametadata', { mode: 'delete' }),
        filterWith('ebur128', {
          ...{ metadata: 1, framelog: UNLOGGED },
          ...(dualMono !== undefined && { dualmono: dualMono }),
        }),
        filterWith('ametadata', { mode: 'print', key: KEY_OF.output_i, file }),
      ]),
  // Only in floating point do peaks above full scale last until the encoder.
  ...(encoderGain === 0 ? [] : [filterWith('volume', { volume: `${encoderGain}dB`, precision: 'float' })]),
];

/** Replaces the placeholders of the second pass by what `next` returns for each `loudnorm`. */
export function withMeasuredValues(graph: Graph, next: (loudnorm: GraphFilter) => LoudnessValues): Graph {
  let last: (LoudnessValues & { readonly dualMono: string | undefined }) | undefined;
  return changeFilters(graph, (filter) => {
    if (isWaiting(filter)) {
      const own = filter.options.filter((option) => !isPlaceholder(option));
      last = { ...next({ ...filter, options: own }), dualMono: optionOf(filter, 'dual_mono') };
      const set = new Set(last.options.map(({ key }) => key));
      return [{ ...filter, options: [...own.filter(({ key }) => !set.has(key)), ...last.options] }];
    }
    if (isGain(filter)) return last === undefined ? [] : afterLoudnorm(last).map((one) => ({ ...filter, ...one }));
    if (!isRate(filter)) return [filter];
    // Without a rate, `anull` keeps the labels.
    const rate = last?.sampleRate;
    return [
      { ...filter, ...(rate === undefined ? filterWith('anull', {}) : filterWith('aformat', { sample_rates: rate })) },
    ];
  });
}

const isPlaceholder = ({ key, value }: GraphOption): boolean =>
  PLACEHOLDERS.some((one) => one.key === key && one.value === value);

/** Removes what `normalizingGraph` added, so that a fix shows the graph that the client can send. */
export function withoutMeasuring(graph: Graph): Graph {
  const chains = graph.chains.map((chain) =>
    chain.flatMap((filter, index) => {
      const [gain, rate] = chain.slice(index + 1, index + 3);
      if (isGain(filter) || isRate(filter)) return [];
      if (!isWaiting(filter) || gain === undefined || rate === undefined) return [filter];
      return [{ ...filter, options: filter.options.filter((one) => !isPlaceholder(one)), outputs: rate.outputs }];
    }),
  );
  return { ...graph, chains };
}
