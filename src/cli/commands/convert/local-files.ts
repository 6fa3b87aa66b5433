import { lstat, stat } from 'node:fs/promises';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

const refused = (code: string, message: string, fix: string): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix });

/** Throws unless a local input is a file that is there. */
export async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found?.isFile()) return;
  const what = found === undefined ? `There is no file ${file}.` : `${file} is not a file.`;
  const pattern = file.includes('%') || file.includes('*');
  const fix = pattern
    ? 'A series of pictures is named by a pattern where it lies on the service: server:frames/%03d.png.'
    : 'A file that the service has already is named server:path.';
  throw refused('NO_SUCH_FILE', what, fix);
}

/** Throws where something has the name of a local output; `replace` allows a file. */
export async function requireNoFile(file: string, replace: boolean): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (file.endsWith('/') || found?.isDirectory())
    throw refused('IS_A_FOLDER', `${file} is a folder.`, 'Name the file to make: out/movie.mp4, hls/index.m3u8.');
  if (found !== undefined && !replace)
    throw refused('FILE_EXISTS', `${file} exists, and is left as it is.`, 'Name another file, or replace it with -y.');
}
