import { lstat, stat } from 'node:fs/promises';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

const usageError = (code: string, message: string, fix: string): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix });

/** The error for an option whose value is a word of its own, so that it counts as a file: `-p crf 28`. */
export const valueApart = (name: string, value: string): CommandFailed =>
  usageError(
    'VALUE_APART',
    `${value} counts as a file, because -p ${name} has no "=".`,
    `Write the option as one word: -p ${name}=${value}`,
  );

/**
 * Throws `CommandFailed` unless a local input is an existing file.
 *
 * @param nameBefore An option without a value directly before the file.
 */
export async function requireFile(file: string, nameBefore?: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found?.isFile()) return;
  if (found === undefined && nameBefore !== undefined) throw valueApart(nameBefore, file);
  if (found?.isDirectory())
    throw usageError('NO_SUCH_FILE', `${file} is a folder.`, `Name its files: ${file.replace(/\/$/, '')}/*`);
  const what = found === undefined ? `There is no file ${file}.` : `${file} is not a file.`;
  const pattern = file.includes('%') || file.includes('*');
  const fix = pattern
    ? 'For an image sequence, upload the files and send their pattern: server:frames/%03d.png.'
    : 'For a file on the service, send server:path.';
  throw usageError('NO_SUCH_FILE', what, fix);
}

/** Throws `CommandFailed` if a local output exists, unless it is a file and `replace` is set, or if it is a folder. */
export async function requireNoFile(file: string, replace: boolean): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (file.endsWith('/') || found?.isDirectory())
    throw usageError('IS_A_FOLDER', `${file} is a folder.`, 'Name a file, such as out/movie.mp4 or hls/index.m3u8.');
  if (found !== undefined && !replace)
    throw usageError('FILE_EXISTS', `${file} already exists.`, 'Name another file, or add -y to replace it.');
}
