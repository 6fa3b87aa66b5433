import { mkdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { invalidRequest, type Problem } from '../../../domain/problem.ts';

const refused = (code: string, message: string, fix: string): Problem =>
  invalidRequest([{ field: '/root', code, message, fix }]);

const isBelow = (folder: string, root: string): boolean => {
  const way = relative(root, folder);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
};

/**
 * A client's media root as it is stored: absolute, a folder, symlinks resolved. `dir` is absolute or relative to the
 * service's media root; what is missing below that root is made, elsewhere it must exist. In the service's own places
 * `own` there is room for the media root alone. Throws INVALID_REQUEST.
 */
export async function resolveClientRoot(dir: string, mediaRoot: string, own: readonly string[]): Promise<string> {
  if (dir.trim() === '') throw refused('EMPTY', 'The client root is empty.', 'Name a folder, or leave --root out.');
  const folder = resolve(mediaRoot, dir);
  const below = isBelow(folder, mediaRoot);
  const names = relative(mediaRoot, folder).split(sep);
  if (below && names.some((name) => name.startsWith(RESERVED_PREFIX)))
    throw refused(
      'RESERVED_NAME',
      `Names that begin with "${RESERVED_PREFIX}" belong to the service.`,
      'Name another folder.',
    );
  try {
    if (below) await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    if (own.some((place) => isBelow(real, place) && !(isBelow(mediaRoot, place) && isBelow(real, mediaRoot))))
      throw refused('RESERVED_FOLDER', `${real} lies in a folder of the service itself.`, 'Name another folder.');
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
      throw refused(
        'NOT_FOUND',
        `There is no folder ${folder}.`,
        'Make it first: only below the media root it is made.',
      );
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
  }
  throw refused('NOT_A_FOLDER', `${folder} is not a folder.`, 'Name a folder.');
}
