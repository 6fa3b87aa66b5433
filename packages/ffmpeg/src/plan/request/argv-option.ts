import type { OptionValue } from '@telecine/contract/domain/conversion.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { rememberLast } from '@telecine/contract/domain/remember-last.ts';
import type { BsfList } from '../../bsf/check-bsfs.ts';
import { type AvUse, type Catalogue, componentOf, isCodecUse } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphError, type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import { readBoolean } from '../../values/boolean.ts';
import { parseDuration } from '../../values/duration.ts';
import type { OptionName } from './option-name.ts';

/** One option, with its side and its values in the argv. */
export interface ArgvOption {
  readonly name: OptionName;
  /** The name in the argv, without the dash: `c:v`, `filter:a`. */
  readonly key: string;
  /** JSON Pointer to the option in the request. */
  readonly field: string;
  readonly side: OptionSide;
  /** The values. Empty if the option takes no argument. With several values, the argv repeats the option for each. */
  readonly values: readonly string[];
  /** The values of `map` as the client wrote them: `v` for `0:v`. Absent for other options. */
  readonly sentMaps?: readonly string[];
  /** Whether only containers accept the option. If so, a pass that writes no container drops it. */
  readonly containerOnly: boolean;
  /** The graphs as the client wrote them. Absent before their check. */
  readonly texts?: readonly string[];
  /** The parsed values of `filter` and `filter_complex`, as the client wrote them. */
  readonly graphs?: readonly (Graph | GraphError)[];
  /** The same graphs with a name for every filter option, after their check. Absent before it. */
  readonly checkedGraphs?: readonly Graph[];
  /** The parsed value of `bsf`. */
  readonly bitstreamFilters?: BsfList;
}

/** The `field` of options that the client did not send. */
export const SERVICE_FIELD = '/parameters';

/** An option that the service adds. `key` is the canonical name: `x265-params:v:0`. */
export function serviceOption(key: string, values: readonly string[], containerOnly = false): ArgvOption {
  const [name = key, ...specifier] = key.split(':');
  return {
    name: specifier.length === 0 ? { name } : { name, specifier: specifier.join(':') },
    key,
    field: SERVICE_FIELD,
    side: 'output',
    values,
    containerOnly,
  };
}

/** The name of an option as the client sent it: `vf` for `filter:v`. */
export const sentName = ({ field }: Pick<ArgvOption, 'field'>): string =>
  pointerKey(field.slice(field.lastIndexOf('/') + 1));

/** The value of the last option with this key, which is the one that ffmpeg uses. */
export const lastValue = (key: string, options: readonly ArgvOption[]): string | undefined =>
  options.findLast((option) => option.key === key)?.values[0];

/** Whether an option has one of these keys. */
export const hasKey = (options: readonly Pick<ArgvOption, 'key'>[], ...keys: readonly string[]): boolean =>
  options.some(({ key }) => keys.includes(key));

/** The value of an option that is repeated for each of these values. */
export const oneOrList = (values: readonly string[]): OptionValue => (values.length === 1 ? (values[0] ?? '') : values);

/** The values of `map`. */
export const mapsOf = (options: readonly ArgvOption[]): readonly string[] =>
  options.flatMap(({ key, values }) => (key === 'map' ? values : []));

/** The value of an option that applies to the first stream of a kind: `r`, `r:v` or `r:v:0`. */
const valueForFirst = (letter: 'v' | 'a') => (options: readonly ArgvOption[], name: string) =>
  options.findLast(({ key }) => [name, `${name}:${letter}`, `${name}:${letter}:0`].includes(key))?.values[0];

export const videoValue = valueForFirst('v');
export const audioValue = valueForFirst('a');

/** Whether the last option with this key is a boolean that is on. */
export const isBooleanOn = (key: string, options: readonly ArgvOption[]): boolean =>
  readBoolean(lastValue(key, options) ?? '') === 1;

/** All filters of all checked filtergraphs. Every option of them has its name. */
export const allFilters = rememberLast((options: readonly ArgvOption[]): readonly GraphFilter[] =>
  options.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap((graph) => walkOf(graph).filters)),
);

/** The part of the argv to which an option belongs. It decides whether an element of `inputs` may have the option. */
export type OptionSide =
  | 'global'
  | 'output'
  | 'input'
  /** An output option, unless an element of `inputs` contains it. */
  | 'either';

/**
 * Whether only some muxers and some demuxers accept the option, such as `loop` and `start_number`. Then the help of the
 * muxer is needed to tell an output option from an input option.
 */
const dependsOnMuxer = (uses: readonly AvUse[]): boolean =>
  uses.some(isDemuxerUse) && uses.some(isMuxerUse) && !uses.some((use) => use.encoding && !isMuxerUse(use));

const isContainerUse = (use: AvUse): boolean => use.owner === 'private' && !isCodecUse(use);
const isMuxerUse = (use: AvUse): boolean => use.encoding && isContainerUse(use);
const isDemuxerUse = (use: AvUse): boolean => use.decoding && isContainerUse(use);

/**
 * Returns the side of an AVOption. If only some muxers and some demuxers accept the name, the selected muxer decides:
 * `loop` belongs to the GIF muxer for a GIF, and to the image demuxer for an MP4.
 */
export function avOptionSide(
  name: string,
  uses: readonly AvUse[],
  catalogue: Catalogue,
  muxer: string | undefined,
): OptionSide {
  if (!uses.some((use) => use.encoding)) return 'input';
  if (!uses.some((use) => use.decoding)) return 'output';
  if (!dependsOnMuxer(uses)) return 'either';
  const options = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer)?.options;
  return options?.some((option) => option.name === name) === false ? 'input' : 'either';
}

/** Returns the values of `ss`, `t` and `to`, in seconds. */
export function readTrim(options: readonly ArgvOption[]): Span['output'] {
  const trim: { start?: number; duration?: number; end?: number } = {};
  for (const { key, values } of options) {
    if (key !== 'ss' && key !== 't' && key !== 'to') continue;
    const seconds = parseDuration(values[0] ?? '');
    if (seconds === undefined) continue;
    if (key === 'ss') trim.start = seconds;
    else if (key === 't') trim.duration = seconds;
    else trim.end = seconds;
  }
  // With both `t` and `to`, ffmpeg uses `t`.
  if (trim.duration !== undefined) delete trim.end;
  return trim;
}
