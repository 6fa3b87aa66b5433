import { access, constants, lstat, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { usageError } from '../../session/command-failed.ts';
import { isImage } from './inputs.ts';

/** Whether a name can be the file name pattern of an image sequence. */
export const isPattern = (file: string): boolean => isImage(file) && /[%*?[]/.test(basename(file));

const sequenceFix = (file: string): string =>
  file.includes('%')
    ? 'No image has such a name with a number either: check the folder and the digits, such as %03d for 007.'
    : `For all images that match, write the option before it: -i pattern_type=glob ${shellWord(file)}`;

/** Throws `CommandFailed` unless a local input is an existing file. `fix`: the fix of the error. Default: how to name a file on the service. */
export async function requireFile(file: string, fix?: string): Promise<void> {
  if (file === '') throw usageError('NO_SUCH_FILE', 'The name of a file is empty.', 'Name an existing file.');
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found?.isFile()) return;
  if (found?.isDirectory())
    throw usageError('NO_SUCH_FILE', `${file} is a folder.`, `Name its files: ${file.replace(/\/+$/, '')}/*`);
  const what = found === undefined ? `There is no file ${file}.` : `${file} is not a file.`;
  const ofInput = isPattern(file) ? sequenceFix(file) : 'For a file on the service, send server:path.';
  throw usageError('NO_SUCH_FILE', what, fix ?? ofInput);
}

/** Throws `CommandFailed` if a local output already exists. Allows an existing file if `replace` is set. */
export async function requireNoFile(file: string, replace: boolean): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (file.endsWith('/') || found?.isDirectory())
    throw usageError('IS_A_FOLDER', `${file} is a folder.`, 'Use another name for the output, or another folder.');
  if (found !== undefined && !found.isFile() && !found.isSymbolicLink())
    throw usageError('NOT_A_FILE', `${file} is a device, a pipe or a socket.`, 'Name a file, such as out/movie.mp4.');
  if (found !== undefined && !replace)
    throw usageError('FILE_EXISTS', `${file} already exists.`, 'Name another file, or add -y to replace it.');
}

/**
 * Throws `CommandFailed` if this user cannot create a local output in its folder. If the folder is missing, checks the next existing
 * parent.
 */
export async function requireWritableFolder(file: string): Promise<void> {
  let folder = dirname(resolve(file));
  for (;;) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && !found.isDirectory())
      throw usageError('NOT_A_FOLDER', `${file} would be below ${folder}, which is a file.`, 'Use another folder.');
    if (found !== undefined) break;
    folder = dirname(folder);
  }
  await access(folder, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw usageError(
      'FOLDER_NOT_WRITABLE',
      `You cannot write files to ${folder}.`,
      'Use another folder, or change its permissions.',
      cause,
    );
  });
}
