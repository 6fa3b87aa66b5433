import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type ClientAdministration, type ClientRoots, clientAdministration } from '../../auth/client-administration.ts';
import { type Clients, createClients } from '../../auth/clients.ts';
import { readClientLimits } from '../../config/client-limits.ts';
import type { Config } from '../../config/config.ts';
import { ADMIN_CLIENT_FILE } from '../../config/secret-files.ts';
import { ADMIN_CLIENT_ID } from '../../domain/client.ts';
import { lazily } from '../../domain/lazily.ts';
import { RESERVED_PREFIX } from '../../domain/media-path.ts';
import { invalidRequest, type Problem } from '../../domain/problem.ts';
import { createFolder } from '../../store/data-folder.ts';
import type { Store } from '../../store/store.ts';
import { findReservedPaths, openMediaRoot } from './reserved-paths.ts';

/** The clients for administrators over HTTP. What they need is opened at the first call, because most services get no such call. */
export function openClientAdministration(
  config: Config,
  store: Pick<Store, 'clients' | 'refreshTokens'>,
): ClientAdministration {
  let current: ClientAdministration | undefined;
  const open = lazily(async () => {
    const roots = await clientRoots(config);
    const clients = withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir);
    const opened = clientAdministration({ clients, roots, readLimits: readClientLimits });
    current = opened;
    return async () => opened;
  });
  return {
    add: async (...args) => (await open()).add(...args),
    get: async (...args) => (await open()).get(...args),
    list: async () => (await open()).list(),
    change: async (...args) => (await open()).change(...args),
    rotate: async (...args) => (await open()).rotate(...args),
    revoke: async (...args) => (await open()).revoke(...args),
    // Callers read the client first, which sets `current`.
    shownRoot: (client) => current?.shownRoot(client) ?? '',
  };
}

/** Writes the admin credentials to a file that only the user of the service can read. Returns its path. */
export function writeAdminClient(dataDir: string, client: { clientId: string; clientSecret: string }): string {
  const path = join(dataDir, ADMIN_CLIENT_FILE);
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  return path;
}

export const removeAdminClient = (dataDir: string): void => rmSync(join(dataDir, ADMIN_CLIENT_FILE), { force: true });

/** Extends the operations so that `rotate` and `revoke` of the admin also update or delete the credentials file. */
export const withAdminFile = (clients: Clients, dataDir: string): Clients => ({
  ...clients,
  rotate: async (name) => {
    const rotated = await clients.rotate(name);
    if (name === ADMIN_CLIENT_ID && existsSync(join(dataDir, ADMIN_CLIENT_FILE)))
      writeAdminClient(dataDir, { clientId: name, clientSecret: rotated.clientSecret });
    return rotated;
  },
  revoke: async (name, rule) => {
    const revoked = await clients.revoke(name, rule);
    if (name === ADMIN_CLIENT_ID) removeAdminClient(dataDir);
    return revoked;
  },
});

/** The media roots that clients of the service can have: folders, or prefixes in its object store. */
export const clientRoots = async (config: Config): Promise<ClientRoots> =>
  config.storage === undefined
    ? folderRoots(openMediaRoot(config), findReservedPaths(config))
    : (await import('./s3-storage.ts')).prefixRoots(config, config.storage);

/**
 * Media roots that are folders. `mediaRoot`: absolute, with symlinks resolved. `reserved`: the absolute reserved paths. The
 * media root of a client must not be in one of them.
 */
export const folderRoots = (mediaRoot: string, reserved: readonly string[]): ClientRoots => ({
  ofService: mediaRoot,
  ownFolder: (name) => {
    if (dirname(mediaRoot) !== mediaRoot) return name;
    throw invalidRequest([
      {
        field: '/root',
        code: 'MISSING',
        message: `"root" is missing: the media root ${mediaRoot} has no default folder for clients.`,
        fix: 'Send --root with the folder of the client, or --root . to share everything.',
      },
    ]);
  },
  resolve: (dir) => resolveClientRoot(dir, mediaRoot, reserved),
  hasEntries: (dir) => hasEntries(join(mediaRoot, dir)),
  shown: (dir) => join(mediaRoot, dir),
});

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
async function resolveClientRoot(dir: string, mediaRoot: string, reserved: readonly string[]): Promise<string> {
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
async function hasEntries(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // `resolveClientRoot` rejects what is not a folder.
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
