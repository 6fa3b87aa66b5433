import { extname } from 'node:path';
import { commandText, optionWord } from './command-text.ts';
import type { ConversionOrder } from './conversion-order.ts';
import type { OrderedArgument } from './ordered-argv.ts';

/** Options that make one output of several inputs. */
const JOINS = ['filter_complex', 'map'];

/** Whether an order surely makes one output of several inputs, so that `--to` is not meant. */
export const joinsInputs = ({ inputs, parameters, join }: ConversionOrder): boolean =>
  join !== undefined ||
  inputs.some(({ duration }) => duration !== undefined) ||
  JOINS.some((name) => name in parameters);

/** The command that converts each input into the folder that is its last file: with `--to` and a format. */
export function convertEachInto(words: readonly OrderedArgument[], order: ConversionOrder): string {
  const last = words.findLastIndex(({ kind }) => kind === 'file');
  const word = words[last];
  const to = optionWord('--to', word?.kind === 'file' ? word.text : '');
  return commandText([...words.toSpliced(last, 1, to), ...formatOf(order)]);
}

/** The command that converts each of its files, also the last, into a folder. */
export const convertEachFile = (words: readonly OrderedArgument[], order: ConversionOrder): string =>
  commandText([...words, optionWord('--to', 'out/'), ...formatOf(order)]);

/** The option for the format, if the order has none: that of the inputs. */
function formatOf({ inputs, format }: ConversionOrder): readonly OrderedArgument[] {
  if (format !== undefined) return [];
  const extensions = new Set(inputs.map(({ location }) => extname(location.path).slice(1).toLowerCase()));
  const [extension = ''] = extensions;
  return [optionWord('-f', extensions.size === 1 && /^[a-z0-9]+$/.test(extension) ? extension : 'mp4')];
}
