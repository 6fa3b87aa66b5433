import { lstat } from 'node:fs/promises';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { convertEachInto, joinsInputs } from './each-input.ts';
import { type FileLocation, serverPath } from './file-location.ts';
import type { OrderedArgument } from './ordered-argv.ts';

/** Throws `CommandFailed` if the output is a folder. Its fix is the command that converts each input into this folder. */
export async function rejectFolderOutput(words: readonly OrderedArgument[], order: ConversionOrder): Promise<void> {
  const { output, format } = order;
  if (!(await isFolder(output))) return;
  const folder = output.on === 'server' ? serverPath(output.path) : output.path;
  const example = `${folder.replace(/(?<=[^/:])\/*$/, '/')}out.${format ?? 'mp4'}`;
  throw new CommandFailed(EXIT.refused, 'IS_A_FOLDER', `${folder} is a folder, and the last file is the output.`, {
    fix: joinsInputs(order)
      ? `Name a file in it, such as ${example}.`
      : `For one output, name a file in it, such as ${example}. To convert each file into it${format === undefined ? ', in the format that -f names' : ''}: ${convertEachInto(words, order)}`,
  });
}

async function isFolder({ on, path }: FileLocation): Promise<boolean> {
  if (path === '' || path.endsWith('/')) return true;
  return on === 'local' && (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
