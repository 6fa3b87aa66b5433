import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { commandText, optionWord } from './command-text.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type FileLocation, serverPath } from './file-location.ts';
import type { OrderedArgument } from './ordered-argv.ts';

/** Options that make one output of several inputs. */
const JOINS = ['filter_complex', 'map'];

/** Throws `CommandFailed` if the output is a folder. Its fix is the command that converts each input into this folder. */
export async function rejectFolderOutput(words: readonly OrderedArgument[], order: ConversionOrder): Promise<void> {
  const { inputs, output, format, parameters } = order;
  if (!(await isFolder(output))) return;
  const folder = output.on === 'server' ? serverPath(output.path) : output.path;
  const example = `${folder.replace(/(?<=[^/:])\/*$/, '/')}out.${format ?? 'mp4'}`;
  const joins = inputs.some(({ duration }) => duration !== undefined) || JOINS.some((name) => name in parameters);
  throw new CommandFailed(EXIT.refused, 'IS_A_FOLDER', `${folder} is a folder, and the last file is the output.`, {
    fix: joins
      ? `Name a file in it, such as ${example}.`
      : `For one output, name a file in it, such as ${example}. To convert each file into it${format === undefined ? ', in the format that -f names' : ''}: ${convertEach(words, order)}`,
  });
}

async function isFolder({ on, path }: FileLocation): Promise<boolean> {
  if (path === '' || path.endsWith('/')) return true;
  return on === 'here' && (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The command with `--to` and a format: if it has none, that of the inputs. */
function convertEach(words: readonly OrderedArgument[], { inputs, format }: ConversionOrder): string {
  const last = words.findLastIndex(({ kind }) => kind === 'file');
  const extensions = new Set(inputs.map(({ place }) => extname(place.path).slice(1).toLowerCase()));
  const [extension = ''] = extensions;
  const ofInputs = extensions.size === 1 && /^[a-z0-9]+$/.test(extension) ? extension : 'mp4';
  const word = words[last];
  const to = optionWord('--to', word?.kind === 'file' ? word.text : '');
  return commandText([...words.toSpliced(last, 1, to), ...(format === undefined ? [optionWord('-f', ofInputs)] : [])]);
}
