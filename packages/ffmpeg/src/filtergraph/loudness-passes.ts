import { changeFilters, filterWith, type Graph, type GraphFilter, keepsFrameTimes } from './graph.ts';
import type { GraphOption } from './option-list.ts';

/** What the first pass measures for a `loudnorm`: its input, its output, and its output with the gain `PROBE_GAIN_DB` and a limiter. */
export const LOUDNESS_FACTS = ['input_i', 'input_lra', 'input_tp', 'output_i', 'limited_i'] as const;

export type LoudnessFact = (typeof LOUDNESS_FACTS)[number];

/** The key of each fact in the metadata of `ebur128` (f_ebur128.c, 5.1 to 8). */
const KEY_OF: Readonly<Record<LoudnessFact, string>> = {
  input_i: 'lavfi.r128.I',
  input_lra: 'lavfi.r128.LRA',
  input_tp: 'lavfi.r128.true_peak',
  output_i: 'lavfi.r128.I',
  limited_i: 'lavfi.r128.I',
};

/** The gain before the limiter in the first pass, in dB. The result shows how loud the audio can become within the maximum true peak. */
export const PROBE_GAIN_DB = 3;

/** The scratch file for one measured value of the `loudnorm` with this number. */
export const loudnessFile = (index: number, fact: LoudnessFact): string => `pass/loudnorm-${index}-${fact}.txt`;

/** The scratch file for the final loudness, which the second pass measures after the `loudnorm` with this number. */
export const resultFile = (index: number): string => `pass/loudnorm-${index}-result.txt`;

/** The log level AV_LOG_DEBUG, which runs do not show. `ebur128` logs ten lines per second of audio. */
const UNLOGGED = 48;

/** What the second pass needs to know about one `loudnorm`. */
export interface LoudnessValues {
  /** Options of `loudnorm`: the measured values if a constant gain is enough, or else an `offset`. */
  readonly options: readonly GraphOption[];
  /** True if the gain and the limit replace `loudnorm`. */
  readonly isConstant?: boolean;
  /** The gain after `loudnorm`, in dB. 0: none. */
  readonly gain: number;
  /** The maximum level after the gain, in dB. undefined: no limiter is needed. */
  readonly limit?: number;
  /** Where the second pass writes the final loudness. undefined: it is certain without a measurement. */
  readonly resultFile?: string;
  /** The sample rate of the input, in Hz. undefined: unknown. */
  readonly sampleRate?: number;
  /** The gain before the encoder, in dB, which cancels a gain of the encoder itself. undefined: none. */
  readonly encoderGain?: number;
}

/** Stand in the graph of the second pass for the values that the first pass measures. */
const PLACEHOLDERS: readonly GraphOption[] = [
  { key: 'measured_I', value: 'INPUT_I' },
  { key: 'measured_LRA', value: 'INPUT_LRA' },
  { key: 'measured_TP', value: 'INPUT_TP' },
  { key: 'measured_thresh', value: 'INPUT_THRESH' },
];
const GAIN = 'GAIN';
const SOURCE_RATE = 'SOURCE_RATE';

/** Returns the value of an option. Ignores the case of the name: `loudnorm` has `I` and `i`. */
export const optionOf = ({ options }: GraphFilter, key: string): string | undefined =>
  options.find((option) => option.key?.toLowerCase() === key.toLowerCase())?.value;

/** True for a `loudnorm` with measured values, of the client or of the second pass. */
export const hasMeasuredLoudness = ({ name, options }: GraphFilter): boolean =>
  name === 'loudnorm' && options.some(({ key = '' }) => /^measured_/i.test(key));

/** True if the service measures for this filter: a `loudnorm` for which the client sent no measured values. */
export const isMeasurable = (filter: GraphFilter): boolean =>
  filter.name === 'loudnorm' && !hasMeasuredLoudness(filter);

/** The defaults of `loudnorm` (af_loudnorm.c, 5.1 to 8). */
const DEFAULTS = { I: -24, TP: -2, LRA: 7 } as const;

/** The target of a `loudnorm`: the loudness in LUFS, the maximum true peak in dBTP, and the maximum loudness range in LU. */
export function loudnessTarget(loudnorm: GraphFilter) {
  const [target = NaN, ceiling = NaN, range = NaN] = (['I', 'TP', 'LRA'] as const).map((key) =>
    Number(optionOf(loudnorm, key) ?? DEFAULTS[key]),
  );
  return { target, ceiling, range };
}

const isWaiting = (filter: GraphFilter): boolean =>
  filter.name === 'loudnorm' && optionOf(filter, 'measured_I') === PLACEHOLDERS[0]?.value;
/** True for a filter of the second pass whose value the first pass measures, besides `loudnorm` itself. */
export const isMeasuredFilter = (filter: GraphFilter): boolean => isGain(filter) || isRate(filter);
const isGain = (filter: GraphFilter): boolean => filter.name === 'volume' && optionOf(filter, 'volume') === GAIN;
const isRate = (filter: GraphFilter): boolean =>
  filter.name === 'aformat' && optionOf(filter, 'sample_rates') === SOURCE_RATE;

/** The part of the audio that the output gets, in seconds, by the timestamps at the end of the graph. */
export interface MeasuredRange {
  readonly start?: number;
  readonly duration?: number;
  readonly end?: number;
}

/** Makes a chain of filters, with the labels of the filter that it replaces. */
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

/** A gain and a limiter, both in dB. They follow `loudnorm`, which outputs 192 kHz, where the highest sample is close to the true peak. */
const limited = (gain: number, limit: number) => [
  filterWith('volume', { volume: `${gain}dB` }),
  filterWith('alimiter', { limit: (10 ** (limit / 20)).toFixed(6), level: 0, latency: 1 }),
];

/**
 * The filter that trims the audio before `loudnorm`, in both passes. ffmpeg itself trims only after the filters, but `loudnorm` reads
 * ahead. Empty if a later filter changes timestamps, because `range` is about the end of the graph.
 */
function trimmed(graph: Graph, loudnorm: GraphFilter, { start, duration, end }: MeasuredRange) {
  const options = {
    ...(start !== undefined && { start }),
    ...(duration !== undefined && { duration }),
    ...(end !== undefined && duration === undefined && { end }),
  };
  return Object.keys(options).length > 0 && keepsTimesAfter(graph, loudnorm) ? [filterWith('atrim', options)] : [];
}

/** A `loudnorm` with a constant gain counts in samples, whatever the time base, and `concat` outputs times in microseconds. */
const inSamples = ({ chains }: Graph) => {
  const names = new Set(chains.flat().map(({ name }) => name));
  return names.has('concat') && !names.has('asettb') ? [filterWith('asettb', { expr: '1/sr' })] : [];
};

/** True if all filters after `filter` keep the timestamps, also in other chains. */
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

/** The file in the scratch folder that lists where audio is above full scale. */
export const LOUD_SAMPLES = 'pass/loud-samples.txt';

/** Lists where audio is above full scale, which most encoders cut off. As floating point numbers, it reaches the meter whole. */
export const NOTED_PEAKS = `aformat=sample_fmts=flt,astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Peak_level,ametadata=mode=print:key=lavfi.astats.Overall.Peak_level:value=0.1:function=greater:file=${LOUD_SAMPLES}`;

/** `loudnorm` and meters count samples, so that audio after a gap would be too early, and seem too loud: fills gaps. */
const FILLED = filterWith('aresample', { async: 1 });

const printed = (index: number, fact: LoudnessFact) =>
  filterWith('ametadata', { mode: 'print', key: KEY_OF[fact], file: loudnessFile(index, fact) });

/**
 * The graph of the first pass. `ebur128` measures before and after `loudnorm`, and writes the values to files. `loudnorm` measures too, but
 * its values are wrong by up to 2 LU for short audio.
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
      FILLED,
      // Deletes metadata: decoders copy tags of the file into it, which could look like measured values.
      filterWith('ametadata', { mode: 'delete' }),
      filterWith('ebur128', { metadata: 1, ...dual, peak: 'true' }),
      ...(['input_i', 'input_lra', 'input_tp'] as const).map((fact) => printed(index, fact)),
      filter,
      scan,
      printed(index, 'output_i'),
    ];
    if (!Number.isFinite(ceiling)) return chainInPlaceOf(filter, measured);
    // The probe with its gain is a branch, because the filters after `loudnorm` need the audio without this gain. The branch joins the
    // audio again, at `astreamselect`. With a sink at its end, nothing would request the audio that `loudnorm` still holds at the end of
    // the input, and ffmpeg 7.1 would abort (`best_input >= 0`).
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
 * The graph of the second pass, with placeholders. Its last filter restores the sample rate of the input: `loudnorm` outputs 192 kHz unless
 * a constant gain is enough.
 */
export const normalizingGraph = (graph: Graph, range: MeasuredRange): Graph =>
  changeFilters(graph, (filter) =>
    isMeasurable(filter)
      ? chainInPlaceOf(filter, [
          ...trimmed(graph, filter, range),
          ...inSamples(graph),
          { ...filter, options: [...filter.options, ...PLACEHOLDERS] },
          filterWith('volume', { volume: GAIN }),
          filterWith('aformat', { sample_rates: SOURCE_RATE }),
        ])
      : [filter],
  );

/** The filters after `loudnorm` in the second pass. */
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
        // Deletes metadata, which could look like measured values, as in the first pass.
        filterWith('ametadata', { mode: 'delete' }),
        filterWith('ebur128', {
          ...{ metadata: 1, framelog: UNLOGGED },
          ...(dualMono !== undefined && { dualmono: dualMono }),
        }),
        filterWith('ametadata', { mode: 'print', key: KEY_OF.output_i, file }),
      ]),
  // As floating point numbers, peaks above full scale are not cut off before the encoder.
  ...(encoderGain === 0 ? [] : [filterWith('volume', { volume: `${encoderGain}dB`, precision: 'float' })]),
];

/** Replaces the placeholders of the second pass by the values that `next` returns for each `loudnorm`. */
export function withMeasuredValues(graph: Graph, next: (loudnorm: GraphFilter) => LoudnessValues): Graph {
  let last: (LoudnessValues & { readonly dualMono: string | undefined }) | undefined;
  return changeFilters(graph, (filter) => {
    if (isWaiting(filter)) {
      const own = filter.options.filter((option) => !isPlaceholder(option));
      last = { ...next({ ...filter, options: own }), dualMono: optionOf(filter, 'dual_mono') };
      // The limiter gets the same sample rate as from `loudnorm`.
      if (last.isConstant === true) {
        const rate = last.limit === undefined ? {} : { sample_rate: 192_000 };
        return [{ ...filter, ...filterWith('aresample', { ...rate, async: 1 }) }];
      }
      const set = new Set(last.options.map(({ key }) => key));
      return [
        { ...filter, ...FILLED, outputs: [] },
        { ...filter, inputs: [], options: [...own.filter(({ key }) => !set.has(key)), ...last.options] },
      ];
    }
    if (isGain(filter)) return last === undefined ? [] : afterLoudnorm(last).map((one) => ({ ...filter, ...one }));
    if (!isRate(filter)) return [filter];
    // If the sample rate is unknown, `anull` keeps the labels.
    const rate = last?.sampleRate;
    return [
      { ...filter, ...(rate === undefined ? filterWith('anull', {}) : filterWith('aformat', { sample_rates: rate })) },
    ];
  });
}

const isPlaceholder = ({ key, value }: GraphOption): boolean =>
  PLACEHOLDERS.some((one) => one.key === key && one.value === value);
