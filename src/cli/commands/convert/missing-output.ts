import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import { usageError } from '../../session/usage-error.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { convertEachFile, joinsInputs } from './each-input.ts';
import type { OrderedArgument } from './ordered-argv.ts';

/**
 * Throws `CommandFailed` if the last of three or more files exists: it may be an input, of a command that names no output.
 * Its fix proposes to replace the file only if it differs from the inputs.
 */
export async function rejectMissingOutput(words: readonly OrderedArgument[], order: ConversionOrder): Promise<void> {
  const { inputs, output, replace } = order;
  if (output.on === 'server' || replace || inputs.length < 2 || joinsInputs(order)) return;
  if ((await lstat(output.path).catch(() => undefined))?.isFile() !== true) return;
  const kindOf = (path: string): string => extname(path).toLowerCase();
  const isLikeInputs = inputs.every(({ location }) => kindOf(location.path) === kindOf(output.path));
  throw usageError(
    'FILE_EXISTS',
    `${output.path} already exists, and the last file is the output.`,
    `If it is an input too, name the output after it, or convert each file on its own: ${convertEachFile(words, order)}${isLikeInputs ? '' : '\nTo replace it, add -y.'}`,
  );
}
