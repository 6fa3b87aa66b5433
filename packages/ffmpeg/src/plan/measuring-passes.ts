import type { MeasuringPass } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { croppingGraphs, cropsToContent } from '../filtergraph/crop-passes.ts';
import { isGraphError, printGraph, walkOf } from '../filtergraph/graph.ts';
import { isMeasurable, type MeasuredRange, measuringGraph, normalizingGraph } from '../filtergraph/loudness-passes.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { looseDetector, stabilizes, stabilizingGraphs } from '../filtergraph/stabilizing-passes.ts';
import { readNumber } from '../values/number.ts';
import type { StreamEncoders } from './encoders/stream-encoders.ts';
import { type ArgvOption, serviceOption } from './request/argv-option.ts';

const FILTERS: ReadonlySet<string> = new Set(['filter', 'filter_complex']);

/**
 * The options of both passes if a filter needs a first pass that measures: `loudnorm`, `vidstabtransform`, or `crop` after `cropdetect`.
 * undefined: there is no such filter. `range`: the part of the filtered audio that the output gets.
 */
export function measuringOptions(options: readonly ArgvOption[], range: MeasuredRange) {
  const loudnorm: string[] = [];
  const stabilized: string[] = [];
  const cropped: string[] = [];
  const rewrite = (option: ArgvOption): readonly [ArgvOption, ArgvOption] => {
    if (!FILTERS.has(option.name.name)) return [option, option];
    const texts = option.values.map((text) => {
      const graph = parseGraph(text);
      if (isGraphError(graph)) return [text, text] as const;
      const isMeasured = graph.chains.flat().some(isMeasurable) || stabilizes(graph) || cropsToContent(graph);
      if (!isMeasured) return [text, text] as const;
      const crops = croppingGraphs(graph, () => cropped.push(option.field) - 1);
      const numbered = numbering(stabilized, option.field);
      const { first } = stabilizingGraphs(crops.first, numbered());
      const { second } = stabilizingGraphs(crops.second, numbered());
      const measuring = measuringGraph(first, range, () => loudnorm.push(option.field) - 1);
      return [printGraph(measuring), printGraph(normalizingGraph(second, range))] as const;
    });
    return [
      { ...option, values: texts.map(([first]) => first) },
      { ...option, values: texts.map(([, second]) => second) },
    ];
  };
  const pairs = options.map(rewrite);
  if (loudnorm.length + stabilized.length + cropped.length === 0) return undefined;
  return {
    first: pairs.map(([first]) => first),
    // Placeholders stand for the values that the first pass measures.
    second: pairs.map(([, second]) => second),
    measuring: { loudnorm, stabilized, cropped } satisfies MeasuringPass,
  };
}

/**
 * Returns a function that makes counters. All counters start at the same number, so that a filter gets the same number in the graphs of
 * both passes. `found` gets one entry per filter.
 */
function numbering(found: string[], field: string): () => () => number {
  const before = found.length;
  return () => {
    let next = before;
    return () => {
      if (next === found.length) found.push(field);
      next += 1;
      return next - 1;
    };
  };
}

/** True if the request sets a bit rate for the video, so that the video encoder has two passes. */
export const hasVideoBitRate = (options: readonly ArgvOption[]): boolean =>
  options.some(({ key }) => /^b(?::[vV].*)?$/.test(key));

/**
 * The options of a first pass that only measures. It encodes no video: streams that no filter needs are copied. The audio keeps its
 * encoder, which determines the sample format of the filters.
 */
export function withoutEncoding(
  options: readonly ArgvOption[],
  measuring: MeasuringPass,
  encoders: StreamEncoders,
): readonly ArgvOption[] {
  const needsVideo =
    measuring.stabilized.length + measuring.cropped.length > 0 ||
    options.some(({ key }) => FILTERS.has(key.replace(/:.*/s, '')) && !/^filter:[avV](?::|$)/.test(key));
  const kept = options.filter(({ containerOnly, key, values }) => {
    if (containerOnly) return false;
    const [name = '', kind = ''] = key.split(':');
    if (!/^[vV]$/.test(kind)) return true;
    return needsVideo && (FILTERS.has(name) || (name === 'c' && values[0] === 'copy'));
  });
  const copiedVideo = needsVideo ? [] : [serviceOption('c:v', ['copy'])];
  const isNamed = options.some(({ name: { name, specifier = 'a' } }) => name === 'c' && specifier.startsWith('a'));
  const audioEncoder = isNamed ? undefined : encoders.of('a')[0]?.encoder;
  return [
    ...kept,
    ...copiedVideo,
    ...(audioEncoder === undefined ? [] : [serviceOption('c:a', [audioEncoder])]),
    ...[serviceOption('sn', []), serviceOption('dn', [])],
  ];
}

/** Checks that a stabilization has two passes and uses only files of the service. */
export function checkStabilization(options: readonly ArgvOption[], twoPass: boolean, errors: FieldError[]): void {
  for (const { checkedGraphs = [], field } of options)
    for (const graph of checkedGraphs) {
      if (!walkOf(graph).filters.some(({ name }) => name.startsWith('vidstab'))) continue;
      const loose = looseDetector(graph);
      if (loose !== undefined)
        errors.push({
          field,
          code: 'FILTER_NOT_ALLOWED',
          message:
            'The filter "vidstabdetect" needs "vidstabtransform" directly after it: it only sets how that filter detects the motion.',
        });
      else if (stabilizes(graph) && !twoPass)
        errors.push({
          field,
          code: 'NEEDS_TWO_PASSES',
          message:
            'The filter "vidstabtransform" needs "pass": "2": the service detects the motion in the first pass. "deshake" needs one pass.',
        });
      if (graph.chains.flat().some(({ name, options: own }) => name === 'vidstabtransform' && own.some(isDebug)))
        errors.push({
          field,
          code: 'OPTION_NOT_ALLOWED',
          message: 'The option "debug" of the filter "vidstabtransform" is not allowed: it writes a file.',
        });
    }
}

const isDebug = ({ key }: { readonly key?: string }): boolean => key === 'debug';

/** The factors by which LAME 3.100 (`presets.c`) makes audio quieter, by bit rate in kbit/s. With a quality setting, LAME does not. */
const LAME_SCALES: readonly (readonly [kbits: number, scale: number])[] = [
  [160, 0.95],
  [192, 0.97],
  [224, 0.98],
  [256, 1],
];

/** LAME's bit rate if the request sets none, in bit/s. */
const DEFAULT_RATE = 128_000;

/** The gain in dB that makes up for an encoder that makes audio quieter. 0: no encoder does, or streams differ in this. */
export function encoderGainOf(options: readonly ArgvOption[], encoders: StreamEncoders): number {
  const audioEncoders = encoders.of('a');
  if (audioEncoders.length === 0 || audioEncoders.some(({ encoder }) => encoder !== 'libmp3lame')) return 0;
  const audioOptions = options.filter(
    ({ name: { specifier } }) => specifier === undefined || specifier.startsWith('a'),
  );
  if (audioOptions.some(({ name }) => name.name === 'q')) return 0;
  const rates = audioOptions.filter(({ name }) => name.name === 'b').map(({ values }) => readNumber(values[0] ?? ''));
  if (rates.length > 1) return 0;
  const kbits = (rates[0] ?? DEFAULT_RATE) / 1000;
  // LAME uses the row with the nearest bit rate. In the middle between two rows, LAME uses the higher row.
  const [, scale = 1] =
    LAME_SCALES.findLast(([row], at) => kbits >= ((LAME_SCALES[at - 1]?.[0] ?? 0) + row) / 2) ?? LAME_SCALES[0] ?? [];
  return Number((-20 * Math.log10(scale)).toFixed(2));
}
