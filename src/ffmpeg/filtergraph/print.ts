import type { Graph, GraphFilter, GraphOption } from './graph.ts';
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
  const own = options.length === 0 ? '' : `=${quoteToken(printOptions(options), '[],;')}`;
  return `${labels(inputs)}${called}${own}${labels(outputs)}`;
}

/** A last option that prints as nothing needs a colon to be seen. */
function printOptions(options: readonly GraphOption[]): string {
  const printed = options.map(printOption);
  return printed.at(-1) === '' ? `${printed.join(':')}:` : printed.join(':');
}

const labels = (names: readonly string[]): string => names.map((name) => `[${quoteToken(name, ']')}]`).join('');

/** A positional value that looks like `key=` would be read as one, so its equals signs are quoted. */
const printOption = ({ key, value }: GraphOption): string =>
  key === undefined ? quoteToken(value, ':=') : `${key}=${quoteToken(value, ':')}`;
