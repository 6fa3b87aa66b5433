import { lstat } from 'node:fs/promises';
import { usageError } from '../../session/command-failed.ts';
import { isFile, isOption, type OrderedArgument } from '../../session/ordered-command.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type FileLocation, serverPath } from './file-names.ts';
import { isImage } from './inputs.ts';

const isImageWord = (word: OrderedArgument): boolean => isFile(word) && isImage(word.text);

/** Throws `CommandFailed` if no input to which an option applies follows the option. `words` contains inputs and an output. */
export function rejectUnusedOptions(words: readonly OrderedArgument[]): void {
  const inputs = words.slice(0, words.findLastIndex(isFile));
  const joins = words.some((word) => isOption(word, 'join'));
  for (const [name, isUsedBy, what] of [
    ['input-option', isFile, 'the next input'],
    ['duration', isImageWord, 'the images after it'],
    ['crossfade', joins ? isFile : isImageWord, joins ? 'the inputs after it' : 'the images after it'],
  ] as const) {
    const at = words.findLastIndex((word) => isOption(word, name));
    if (at >= 0 && !inputs.slice(at + 1).some(isUsedBy)) throw unused(words[at], what);
  }
}

/** Throws `CommandFailed` for `--duration` with `--to` if no file is an image. With `--to`, options apply to all files in any order. */
export function rejectUnusedDuration(words: readonly OrderedArgument[]): void {
  const duration = words.findLast((word) => isOption(word, 'duration'));
  if (duration !== undefined && !words.some(isImageWord)) throw unused(duration, 'images');
}

const unused = (word: OrderedArgument | undefined, what: string) =>
  usageError(
    'LATE_OPTION',
    `${word?.kind === 'option' ? word.argv.join(' ') : ''} would do nothing: it applies to ${what}, and none follows. The last file is the output.`,
    'Write it before its input. For a part of a video or an audio file, send -p t=SECONDS.',
  );

/** Throws `CommandFailed` if the output is a folder. */
export async function rejectFolderOutput({ output }: ConversionOrder): Promise<void> {
  if (!(await isFolder(output))) return;
  throw usageError(
    'IS_A_FOLDER',
    `${output.on === 'server' ? serverPath(output.path) : output.path} is a folder, and the last file is the output.`,
    'Name a file in it. To convert each file on its own, name their folder with --to.',
  );
}

async function isFolder({ on, path }: FileLocation): Promise<boolean> {
  if (path === '' || path.endsWith('/')) return true;
  return on === 'local' && (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
