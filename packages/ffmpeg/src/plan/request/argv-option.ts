import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { rememberLast } from '@telecine/contract/domain/remember.ts';
import type { BsfList } from '../../bsf/check-bsfs.ts';
import { type AvUse, type Catalogue, isCodecUse } from '../../catalogue/catalogue.ts';
import { componentOf } from '../../catalogue/components.ts';
import { type Graph, type GraphError, type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import { readBoolean } from '../../values/boolean.ts';
import type { OptionName } from './option-name.ts';

/** An option of the argv, with its values and its side. */
export interface ArgvOption {
  readonly name: OptionName;
  /** The name in the argv, without the dash: `c:v`, `filter:a`. */
  readonly key: string;
  /** The JSON Pointer to the option in the request. */
  readonly field: string;
  readonly side: OptionSide;
  /** Empty: the option takes no argument. With several values, the argv repeats the option for each. */
  readonly values: readonly string[];
  /** Present if the client sent a boolean, which the argv has as 1 or 0. The value is `true` or `false`. */
  readonly isBoolean?: true;
  /** True if only containers have the option. It is left out of a pass that writes no container. */
  readonly containerOnly: boolean;
  /** The parsed values of `filter` and `filter_complex`, as the client wrote them. */
  readonly graphs?: readonly (Graph | GraphError)[];
  /** The checked graphs, with a name for every filter option. Absent until they are checked. */
  readonly checkedGraphs?: readonly Graph[];
  readonly bitstreamFilters?: BsfList;
}

/** The `field` of options that the service added. */
export const SERVICE_FIELD = '/parameters';

/** An option that the service adds. `key`: the name in the argv, such as `x265-params:v:0`. */
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

/** Options without arguments that the service adds. */
export const serviceFlags = (keys: readonly string[]): readonly ArgvOption[] =>
  keys.map((key) => serviceOption(key, []));

/** The name as the client sent it: `vf` for `filter:v`. */
export const sentName = ({ field }: Pick<ArgvOption, 'field'>): string =>
  pointerKey(field.slice(field.lastIndexOf('/') + 1));

/** The value of the last option with this key. ffmpeg uses only this value. */
export const lastValue = (key: string, options: readonly ArgvOption[]): string | undefined =>
  options.findLast((option) => option.key === key)?.values[0];

export const hasKey = (options: readonly Pick<ArgvOption, 'key'>[], ...keys: readonly string[]): boolean =>
  options.some(({ key }) => keys.includes(key));

export const mapsOf = (options: readonly ArgvOption[]): readonly string[] =>
  options.flatMap(({ key, values }) => (key === 'map' ? values : []));

/** True if a value of `map` may select a video. */
export const mayBeVideo = (map: string): boolean => !map.startsWith('-') && !/^\d+:[asdt](?:\?$|:|$)/.test(map);

/** True if a value of `map` may select audio. */
export const mayBeAudio = (map: string): boolean => !map.startsWith('-') && !/^\d+:[vVsdt](?:\?$|:|$)/.test(map);

/** The value of an option that applies to the first stream of a kind: `r`, `r:v` or `r:v:0`. */
const valueForFirst = (letter: 'v' | 'a') => (options: readonly ArgvOption[], name: string) =>
  options.findLast(({ key }) => [name, `${name}:${letter}`, `${name}:${letter}:0`].includes(key))?.values[0];

export const videoValue = valueForFirst('v');
export const audioValue = valueForFirst('a');

/** True if an option of the output filters videos: `vf`, `filter:v` or `filter:v:0`. */
export const isVideoFilter = ({ name: { name, specifier = 'v' }, side }: ArgvOption): boolean =>
  name === 'filter' && side !== 'input' && /^[vV](?::\d+)?$/.test(specifier);

/** True if the last option with this key is a boolean that is on. */
export const isBooleanOn = (key: string, options: readonly ArgvOption[]): boolean =>
  readBoolean(lastValue(key, options) ?? '') === 1;

/** All filters of all checked filtergraphs, in which every filter option has a name. */
export const allFilters = rememberLast((options: readonly ArgvOption[]): readonly GraphFilter[] =>
  options.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap((graph) => walkOf(graph).filters)),
);

/** The part of the argv to which an option belongs, which determines whether an element of `inputs` may have it. */
export type OptionSide =
  | 'global'
  | 'output'
  | 'input'
  /** An output option, or an input option if an element of `inputs` has it. */
  | 'either';

/** True if some muxers and some demuxers have the option, such as `loop` and `start_number`. See `avOptionSide`. */
const dependsOnMuxer = (uses: readonly AvUse[]): boolean =>
  uses.some(isDemuxerUse) && uses.some(isMuxerUse) && !uses.some((use) => use.encoding && !isMuxerUse(use));

const isContainerUse = (use: AvUse): boolean => use.owner === 'private' && !isCodecUse(use);
const isMuxerUse = (use: AvUse): boolean => use.encoding && isContainerUse(use);
const isDemuxerUse = (use: AvUse): boolean => use.decoding && isContainerUse(use);

/**
 * The side of an AVOption. If only some muxers and some demuxers have it, the muxer of the output determines the side: `loop` belongs to
 * the muxer of a GIF, but to the image demuxer if the output is an MP4.
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

/** The values of `ss`, `t` and `to`, in seconds. */
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
  // ffmpeg ignores `to` if `t` is set.
  if (trim.duration !== undefined) delete trim.end;
  return trim;
}
