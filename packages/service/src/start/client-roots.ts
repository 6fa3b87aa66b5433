import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, type Problem } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import type { ClientRoots } from '../auth/client-administration.ts';
import type { Config } from '../config/config.ts';
import { createFolder } from '../store/data-folder.ts';
import { findReservedPaths, openMediaRoot, realPathIfPresent } from './reserved-paths.ts';

/** `readsOnly`: a missing default media root is not created. */
export const clientRoots = async (config: Config, { readsOnly = false } = {}): Promise<ClientRoots> =>
  config.storage === undefined
    ? folderRoots(readsOnly ? realPathIfPresent(config.mediaRoot) : openMediaRoot(config), findReservedPaths(config))
    : (await import('./s3-client-roots.ts')).prefixRoots(config, config.storage);

/** Resolves media roots that are folders. `mediaRoot` is absolute with symlinks resolved. `reserved`: the absolute reserved paths. */
export const folderRoots = (mediaRoot: string, reserved: readonly string[]): ClientRoots => ({
  ofService: mediaRoot,
  ownFolder: (name) => {
    if (dirname(mediaRoot) !== mediaRoot) return name;
    throw invalidRoot(
      'MISSING',
      `"root" is missing: the media root ${mediaRoot} has no default folder for clients.`,
      'Send --root with the folder of the client, or --root . to share everything.',
    );
  },
  resolve: (dir) => resolveClientRoot(dir, mediaRoot, reserved),
  hasEntries: (dir) => hasEntries(join(mediaRoot, dir)),
  shown: (dir) => join(mediaRoot, dir),
});

const invalidRoot = (code: string, message: string, fix: string): Problem =>
  invalidRequest([{ field: '/root', code, message, fix }]);

/** System folders. A client's media root cannot be one of these folders or below one of them. */
const SYSTEM_TREES = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/proc', '/sbin', '/sys', '/usr'];
/** System folders that cannot be a client's media root. Folders below them can. */
const SYSTEM_FOLDERS = ['/', '/home', '/root', '/run', '/tmp', '/var', '/var/lib', '/var/log'];
/** The longest path of a root: Linux allows 4,096 bytes, and the paths of files need most of them. */
const MAX_ROOT_BYTES = 1000;
/** The errors of paths that are too long, or closed to the user of the service. Others are faults of the machine. */
const UNUSABLE: readonly string[] = ['EEXIST', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM'];
/** A file system in memory. All users may write to it, so a folder in it can be a media root. */
const SHARED_MEMORY = '/dev/shm';

const isBelow = (folder: string, root: string): boolean => {
  const path = relative(root, folder);
  return !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
};

/**
 * Resolves the media root of a client to an absolute path. `dir` is absolute, or relative to the media root of the service. Creates a
 * missing folder only below the media root of the service. Throws INVALID_REQUEST for a system folder and a reserved path.
 */
async function resolveClientRoot(dir: string, mediaRoot: string, reserved: readonly string[]): Promise<string> {
  if (dir.trim() === '') throw invalidRoot('EMPTY', 'The client root is empty.', 'Name a folder, or leave --root out.');
  const folder = resolve(mediaRoot, dir);
  if (Buffer.byteLength(folder) > MAX_ROOT_BYTES)
    throw invalidRoot('TOO_LONG', `The client root has more than ${MAX_ROOT_BYTES} bytes.`, 'Name a shorter folder.');
  const below = isBelow(folder, mediaRoot);
  const names = relative(mediaRoot, folder).split(sep);
  if (below && names.some((name) => name.startsWith(RESERVED_PREFIX)))
    throw invalidRoot(
      'RESERVED_NAME',
      `"${dir}" contains a name that begins with "${RESERVED_PREFIX}". These names belong to the service.`,
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
    const errno = errnoOf(error);
    if (errno === 'ENOENT')
      throw invalidRoot(
        'NOT_FOUND',
        `There is no folder ${folder}.`,
        'Create the folder first. Only folders below the media root are created.',
      );
    if (!UNUSABLE.includes(errno)) throw error;
  }
  throw invalidRoot(
    'NOT_A_FOLDER',
    `${shorten(folder, 200)} is not a folder that the service can use.`,
    'Name a folder.',
  );
}

/**
 * Whether a folder belongs to the operating system. Folders below the media root of the service do not count, because the operator has
 * chosen this root. If the media root is `/`, they count.
 */
function isSystemFolder(real: string, mediaRoot: string): boolean {
  if (isBelow(real, SHARED_MEMORY) && real !== SHARED_MEMORY) return false;
  if (mediaRoot !== '/' && isBelow(real, mediaRoot)) return false;
  return SYSTEM_FOLDERS.includes(real) || SYSTEM_TREES.some((tree) => isBelow(real, tree));
}

async function hasEntries(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    // Report no entries: `resolveClientRoot` rejects a path that is not a folder.
    if (['ENOENT', ...UNUSABLE].includes(errnoOf(error))) return false;
    throw error;
  }
}
