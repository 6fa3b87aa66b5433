import { pointerKey } from '../../../domain/problem.ts';
import { rememberLast } from '../../../domain/remember-last.ts';
import type { BsfList } from '../../bsf/check-bsfs.ts';
import type { Graph, GraphError, GraphFilter } from '../../filtergraph/graph.ts';
import { walkOf } from '../../filtergraph/graph-walk.ts';
import { readBoolean } from '../../values/boolean.ts';
import type { OptionName } from './option-name.ts';
import type { OptionSide } from './option-side.ts';

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

/** Whether the last option with this key is a boolean that is on. */
export const isBooleanOn = (key: string, options: readonly ArgvOption[]): boolean =>
  readBoolean(lastValue(key, options) ?? '') === 1;

/** All filters of all checked filtergraphs. Every option of them has its name. */
export const allFilters = rememberLast((options: readonly ArgvOption[]): readonly GraphFilter[] =>
  options.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap((graph) => walkOf(graph).filters)),
);
