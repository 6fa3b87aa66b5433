import type { Graph, GraphFilter } from './graph.ts';
import { printOptionList } from './option-list.ts';
import { quoteToken } from './token.ts';

/**
 * A graph as text in one fixed spelling that `parseGraph`, and so ffmpeg, reads back as the same graph: no spaces
 * between the parts, backslashes for all quoting, `:` between options.
 */
export function printGraph({ scalerFlags, chains }: Graph): string {
  const text = chains.map((chain) => chain.map(printFilter).join(',')).join(';');
  return scalerFlags === undefined ? text : `sws_flags=${scalerFlags};${text}`;
}

function printFilter({ inputs, name, instance, options, outputs }: GraphFilter): string {
  const called = quoteToken(instance === undefined ? name : `${name}@${instance}`, '=,;[');
  const own = options.length === 0 ? '' : `=${quoteToken(printOptionList(options), '[],;')}`;
  return `${labels(inputs)}${called}${own}${labels(outputs)}`;
}

const labels = (names: readonly string[]): string => names.map((name) => `[${quoteToken(name, ']')}]`).join('');
