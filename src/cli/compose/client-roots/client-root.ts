import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { invalidRequest, type Problem } from '../../../domain/problem.ts';
import { createFolder } from '../../../store/data-folder.ts';

const invalidRoot = (code: string, message: string, fix: string): Problem =>
  invalidRequest([{ field: '/root', code, message, fix }]);

/** Folders of the system. Neither they nor the folders in them can be the media root of a client. */
const SYSTEM_TREES = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/proc', '/sbin', '/sys', '/usr'];
/** Folders of the system that cannot be the media root of a client. Folders in them can. */
const SYSTEM_FOLDERS = ['/', '/home', '/root', '/run', '/tmp', '/var', '/var/lib', '/var/log'];
/** A file system in memory, to which every user may write. */
const SHARED_MEMORY = '/dev/shm';

const isBelow = (folder: string, root: string): boolean => {
  const path = relative(root, folder);
  return !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
};

/**
 * Resolves the media root of a client: an absolute path of a folder, without symlinks. `dir` is absolute, or relative
 * to the media root of the service. A missing folder is created below that root; elsewhere it must exist. It must not
 * be a folder of the system. It must not be in one of the `reserved` paths either, unless `mediaRoot` is in the same
 * reserved path and the folder is below `mediaRoot`. Throws INVALID_REQUEST.
 */
export async function resolveClientRoot(dir: string, mediaRoot: string, reserved: readonly string[]): Promise<string> {
  if (dir.trim() === '') throw invalidRoot('EMPTY', 'The client root is empty.', 'Name a folder, or leave --root out.');
  const folder = resolve(mediaRoot, dir);
  const below = isBelow(folder, mediaRoot);
  const names = relative(mediaRoot, folder).split(sep);
  if (below && names.some((name) => name.startsWith(RESERVED_PREFIX)))
    throw invalidRoot(
      'RESERVED_NAME',
      `Names that begin with "${RESERVED_PREFIX}" belong to the service.`,
      'Name another folder.',
    );
  try {
    if (below) createFolder(folder);
    const real = await realpath(folder);
    if (reserved.some((path) => isBelow(real, path) && !(isBelow(mediaRoot, path) && isBelow(real, mediaRoot))))
      throw invalidRoot('RESERVED_FOLDER', `${real} is in a folder of the service itself.`, 'Name another folder.');
    if (real !== mediaRoot && isSystemFolder(real, mediaRoot))
      throw invalidRoot(
        'SYSTEM_FOLDER',
        `${real} is a folder of the system. The client could read, replace and delete files there.`,
        'Name a folder that contains only media.',
      );
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
      throw invalidRoot(
        'NOT_FOUND',
        `There is no folder ${folder}.`,
        'Create the folder first. Only folders below the media root are created.',
      );
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
  }
  throw invalidRoot('NOT_A_FOLDER', `${folder} is not a folder.`, 'Name a folder.');
}

/**
 * Whether a folder belongs to the system. A folder below the media root does not, because the operator chose that root,
 * unless the root is `/`.
 */
function isSystemFolder(real: string, mediaRoot: string): boolean {
  if (isBelow(real, SHARED_MEMORY) && real !== SHARED_MEMORY) return false;
  if (mediaRoot !== '/' && isBelow(real, mediaRoot)) return false;
  return SYSTEM_FOLDERS.includes(real) || SYSTEM_TREES.some((tree) => isBelow(real, tree));
}

/** Whether a folder exists and is not empty. */
export async function hasEntries(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // `resolveClientRoot` rejects what is not a folder.
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
