import type { BsfList } from '../../bsf/check-bsfs.ts';
import type { Graph, GraphError } from '../../filtergraph/graph.ts';
import { readBoolean } from '../../values/boolean.ts';
import type { OptionName } from './option-name.ts';
import type { OptionSide } from './option-side.ts';

/** One option with its place and its words in the argv. */
export interface ArgvOption {
  readonly name: OptionName;
  /** The name as it stands in the argv, without its dash: `c:v`, `filter:a`. */
  readonly key: string;
  /** JSON Pointer to the option in the request. */
  readonly field: string;
  readonly side: OptionSide;
  /** Empty: an option without argument. More than one: the option is repeated. */
  readonly values: readonly string[];
  /** Only containers accept it, so a pass that writes no container drops it. */
  readonly containerOnly: boolean;
  /** For `filter` and `filter_complex`: `values`, parsed. */
  readonly graphs?: readonly (Graph | GraphError)[];
  /** For `bsf`: the value, parsed. */
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

/** The value of the last option with this key, which is the one that ffmpeg uses. */
export const lastValue = (key: string, options: readonly ArgvOption[]): string | undefined =>
  options.findLast((option) => option.key === key)?.values[0];

/** Whether the last option with this key is a boolean that is on. */
export const isOn = (key: string, options: readonly ArgvOption[]): boolean =>
  readBoolean(lastValue(key, options) ?? '') === 1;
