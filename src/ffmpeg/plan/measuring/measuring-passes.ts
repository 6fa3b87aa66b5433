import type { MeasuringPass } from '../../../domain/plan.ts';
import { croppingGraphs, cropsToContent } from '../../filtergraph/cropping-passes.ts';
import { isGraphError } from '../../filtergraph/graph.ts';
import {
  isMeasurable,
  type MeasuredRange,
  measuringGraph,
  normalizingGraph,
} from '../../filtergraph/loudness-passes.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { stabilizes, stabilizingGraphs } from '../../filtergraph/stabilizing-passes.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, serviceOption } from '../request/argv-option.ts';

/** The options of both passes of a plan whose first pass measures for filters. */
export interface MeasuringOptions {
  readonly first: readonly ArgvOption[];
  /** Values that the first pass finds out are placeholders. */
  readonly second: readonly ArgvOption[];
  readonly measuring: MeasuringPass;
}

const FILTERS: ReadonlySet<string> = new Set(['filter', 'filter_complex']);

/**
 * Returns the options of two passes for filters whose first pass measures: `loudnorm`, `vidstabtransform`, and `crop`
 * after `cropdetect`. undefined if there is no such filter.
 *
 * @param range The part of the filtered sound that the output has.
 */
export function measuringOptions(options: readonly ArgvOption[], range: MeasuredRange): MeasuringOptions | undefined {
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
    second: pairs.map(([, second]) => second),
    measuring: { loudnorm, stabilized, cropped },
  };
}

/** Returns counters that begin at the same number, for the same filters in two graphs. `found` gets each filter once. */
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

/** Whether the request sets a bit rate of the picture, for which its encoder has two passes. */
export const hasVideoBitRate = (options: readonly ArgvOption[]): boolean =>
  options.some(({ key }) => /^b(?::[vV].*)?$/.test(key));

/** What the first pass is about, if it is not also that of a video encoder. */
interface MeasuredStreams {
  readonly measuring: MeasuringPass;
  readonly encoders: StreamEncoders;
}

/**
 * Returns the options of a first pass that only measures. It encodes no picture: a picture that no filter needs is
 * copied, and others stay as the filters make them. The sound keeps its encoder, because the encoder decides which sound
 * the filters get.
 */
export function withoutEncoding(
  options: readonly ArgvOption[],
  { measuring, encoders }: MeasuredStreams,
): readonly ArgvOption[] {
  const needsPicture =
    measuring.stabilized.length + measuring.cropped.length > 0 ||
    options.some(({ key }) => FILTERS.has(key.replace(/:.*/s, '')) && !/^filter:[avV](?::|$)/.test(key));
  const kept = options.filter(({ containerOnly, key, values }) => {
    if (containerOnly) return false;
    const [name = '', kind = ''] = key.split(':');
    if (!/^[vV]$/.test(kind)) return true;
    return needsPicture && (FILTERS.has(name) || (name === 'c' && values[0] === 'copy'));
  });
  const picture = needsPicture ? [] : [serviceOption('c:v', ['copy'])];
  const isNamed = options.some(({ name: { name, specifier = 'a' } }) => name === 'c' && specifier.startsWith('a'));
  const sound = isNamed ? undefined : encoders.of('a')[0]?.encoder;
  return [
    ...kept,
    ...picture,
    ...(sound === undefined ? [] : [serviceOption('c:a', [sound])]),
    ...[serviceOption('sn', []), serviceOption('dn', [])],
  ];
}
