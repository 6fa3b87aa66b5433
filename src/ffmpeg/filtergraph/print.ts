import type { Graph, GraphFilter } from './graph.ts';
import { printOptionList } from './option-list.ts';
import { quoteToken } from './token.ts';

/**
 * Prints a graph in a canonical form that `parseGraph` and ffmpeg read back as the same graph: no spaces between the
 * parts, only backslashes for quoting, `:` between options.
 */
export function printGraph({ scalerFlags, chains }: Graph): string {
  const text = chains.map((chain) => chain.map(printFilter).join(',')).join(';');
  return scalerFlags === undefined ? text : `sws_flags=${scalerFlags};${text}`;
}

/** Prints one filter with its labels, as a part of a graph. */
export function printFilter({ inputs, name, instance, options, outputs }: GraphFilter): string {
  const fullName = quoteToken(instance === undefined ? name : `${name}@${instance}`, '=,;[');
  const optionText = options.length === 0 ? '' : `=${quoteToken(printOptionList(options), '[],;')}`;
  return `${labels(inputs)}${fullName}${optionText}${labels(outputs)}`;
}

/** Prints the value of an option of a filter, as it is in a graph. */
export const printValue = (value: string): string =>
  quoteToken(printOptionList([{ key: '', value }]).slice('='.length), '[],;');

/** Prints a label with its brackets. */
export const printLabel = (name: string): string => `[${quoteToken(name, ']')}]`;

const labels = (names: readonly string[]): string => names.map(printLabel).join('');
