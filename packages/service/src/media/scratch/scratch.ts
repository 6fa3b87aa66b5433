import { createHash } from 'node:crypto';
import { mkdir, readdir, readlink, realpath, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import {
  type DirectoryHandle,
  DirectoryMoved,
  ignoreGone,
  openDirectory,
  openNested,
  openPrivate,
} from './directory-handle.ts';
import { removeTree } from './written-tree.ts';

/** The part of a pino logger that the media engines use. */
export interface MediaLog {
  warn(details: object, message: string): void;
}

/**
 * The folder with the scratch folders of a service. It stays open, because another user could replace its path by a
 * symlink.
 */
interface ScratchParent {
  /** The folder in which new scratch folders are created. */
  readonly folder: DirectoryHandle;
  /**
   * Opens other folders that may contain scratch folders: that of an earlier run of this service, and those of other
   * services.
   */
  openOthers(): Promise<readonly DirectoryHandle[]>;
  /** Why the scratch folders cannot be on the disk of the media root. undefined: they are. */
  readonly fallback?: unknown;
}

/**
 * NEAR: the name of the service's folder in the media root. FAR: its name in the data folder, if the media root cannot
 * be used.
 */
const [NEAR, FAR] = [RESERVED_PREFIX, 'scratch'];

/** The names of the folders with scratch folders in a media root. */
export interface ScratchParents {
  /** The name of this service's folder, which no other service may use. */
  readonly own: string;
  /** Returns whether the folder `name` belongs to another service with the same database. */
  readonly isPeer: (name: string) => boolean;
}

/** For a service that is the only one to run jobs in a media root. */
export const ALONE: ScratchParents = { own: 'jobs', isPeer: () => false };

/**
 * Opens the folder for scratch folders in the media root, such as `<media root>/.telecine/jobs`, so that publishing
 * only creates links. If that fails (the media root is read-only, or the folder belongs to another user), opens a
 * folder in the data folder instead, from which publishing may have to copy.
 *
 * @param mediaRoot An absolute path without symlinks.
 * @param isLocal true: the disk of the media root answers in microseconds.
 */
export async function openScratchParent(
  mediaRoot: string,
  dataDir: string,
  { own, isPeer }: ScratchParents,
  isLocal = false,
): Promise<ScratchParent> {
  const opened = await openServiceFolder(mediaRoot, dataDir, own, isLocal);
  const [place, otherPlace] = 'fallback' in opened ? [FAR, NEAR] : [NEAR, FAR];
  const pathOf = (where: string): string => (where === NEAR ? mediaRoot : dataDir);
  const openOthers = async (): Promise<readonly DirectoryHandle[]> => {
    const peers = (await namesIn(pathOf(place), place)).filter((name) => name !== own && isPeer(name));
    const wanted = [[otherPlace, own] as const, ...peers.map((name) => [place, name] as const)];
    const others = await Promise.all(wanted.map(([where, name]) => openOurs(pathOf(where), [where, name])));
    return others.filter((folder) => folder !== undefined);
  };
  return { ...opened, openOthers };
}

/** Lists the names in the folder `name` of `path`, if that folder belongs to the user of the service. */
async function namesIn(path: string, name: string): Promise<readonly string[]> {
  const folder = await openOurs(path, [name]);
  return folder === undefined ? [] : readdir(folder.pathOf('.')).finally(folder.close);
}

/**
 * Opens the folder `name` of the service in the media root. If that fails, opens it in the data folder. Only the user
 * of the service can read the folder.
 */
export async function openServiceFolder(
  mediaRoot: string,
  dataDir: string,
  name: string,
  isLocal = false,
): Promise<Omit<ScratchParent, 'openOthers'>> {
  try {
    return { folder: await openPrivateIn(mediaRoot, [NEAR, name], isLocal) };
  } catch (fallback) {
    await mkdir(dataDir, { recursive: true });
    return { folder: await openPrivateIn(await realpath(dataDir), [FAR, name]), fallback };
  }
}

/** Creates the folder for scratch folders. Returns its absolute path, without symlinks. */
export async function findScratchRoot(mediaRoot: string, dataDir: string, parents: ScratchParents): Promise<string> {
  const { folder } = await openServiceFolder(mediaRoot, dataDir, parents.own);
  await folder.close();
  return folder.real;
}

/**
 * Opens the nested folder `names` in the folder at `path`. Creates missing folders, to which only the user of the
 * service has access.
 */
async function openPrivateIn(path: string, names: readonly string[], isLocal = false): Promise<DirectoryHandle> {
  let folder = await openDirectory(path, isLocal);
  for (const name of names) {
    const parent = folder;
    folder = await openPrivate(parent, name).finally(parent.close);
  }
  return folder;
}

/**
 * Opens the folder `names` in the folder at `path`, like `openIfOurs`. Also resolves to undefined if the folder at
 * `path` is missing.
 */
async function openOurs(path: string, names: readonly string[]): Promise<DirectoryHandle | undefined> {
  const parent = await realpath(path)
    .then((real) => openDirectory(real))
    .catch(undefinedIfNotOurs);
  return parent && openIfOurs(parent, names).finally(parent.close);
}

/** Opens the nested folder `names`. Resolves to undefined if it is missing, is a file, or has another owner. */
export async function openIfOurs(
  parent: DirectoryHandle,
  names: readonly string[],
): Promise<DirectoryHandle | undefined> {
  const folder = await openNested(parent, names).catch(undefinedIfNotOurs);
  if (folder === undefined || Number((await folder.stats()).uid) === process.getuid?.()) return folder;
  await folder.close();
  return undefined;
}

function undefinedIfNotOurs(error: unknown): undefined {
  if (!(error instanceof DirectoryMoved) && !['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error))) throw error;
}

/**
 * Returns `name` if a scratch folder can have this name. Throws otherwise, so that no other folder is deleted by
 * mistake.
 */
export function scratchName(name: string): string {
  if (name === '' || name.startsWith('.') || name.includes('/')) throw new Error(`"${name}" is not a scratch name.`);
  return name;
}

export interface OpenScratch {
  readonly folder: DirectoryHandle;
  /** The folder to which ffmpeg writes. */
  readonly out: DirectoryHandle;
  close(): Promise<void>;
}

/**
 * Creates and opens the scratch folder of an attempt, with an empty subfolder `out`. Only the user of the service has
 * access to it.
 */
export async function makeScratch(scratchParent: DirectoryHandle, name: string): Promise<OpenScratch> {
  const folder = await openPrivate(scratchParent, name);
  try {
    await mkdir(folder.pathOf('out'), { mode: 0o700 });
    return await toOpenScratch(folder);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Opens the scratch folder `name`. Resolves to undefined if it is missing, or if it is a file or a symlink now. */
export const openScratch = (scratchParent: DirectoryHandle, name: string): Promise<OpenScratch | undefined> =>
  openNested(scratchParent, [name]).then(toOpenScratch).catch(ignoreGone);

async function toOpenScratch(folder: DirectoryHandle): Promise<OpenScratch> {
  try {
    const out = await openNested(folder, ['out']);
    return {
      folder,
      out,
      close: async () => {
        await out.close();
        await folder.close();
      },
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** The maximum number of files that `removeFinished` removes. */
const FEW = 256;

/**
 * Removes an open scratch folder quickly, in the usual case that `out` has at most `FEW` files. Otherwise, resolves to
 * false, and the caller must use `removeScratch`.
 */
export async function removeFinished(
  scratchParent: DirectoryHandle,
  { folder, out }: OpenScratch,
  name: string,
): Promise<boolean> {
  try {
    const names = await readdir(out.pathOf('.'), { encoding: 'buffer' });
    if (names.length > FEW) return false;
    const folderPath = Buffer.from(out.pathOf(''));
    await Promise.allSettled(names.map((each) => unlink(Buffer.concat([folderPath, each]))));
    await rmdir(folder.pathOf('out'));
    await rmdir(scratchParent.pathOf(name));
    return true;
  } catch {
    return false;
  }
}

/** Removes a scratch folder and the staged files that are recorded in it. Does nothing if it is missing. */
export async function removeScratch(scratchParent: DirectoryHandle, name: string): Promise<void> {
  await removeStagedFiles(scratchParent, name);
  await removeTree(scratchParent.pathOf('.'), name);
}

export const listScratchNames = (scratchParent: DirectoryHandle): Promise<readonly string[]> =>
  readdir(scratchParent.pathOf('.'));

/**
 * The subfolder with the records of staged files. Before a staged file is created, a symlink to it is added here, so
 * that `removeStagedFiles` finds the file after a crash.
 */
const RECORDS = 'beside';

/** Returns the name of a staged file. `index`: its index in the publish list. */
export const stagedName = (scratchName: string, index: number, purpose: 'copy' | 'swap'): string =>
  `${RESERVED_PREFIX}-${scratchName}-${index}${purpose === 'swap' ? 's' : ''}`;

/** Records that `folder` may contain a staged file `name`. Call this before creating the file. */
export async function recordStagedName(scratch: DirectoryHandle, folder: DirectoryHandle, name: string): Promise<void> {
  const records = scratch.pathOf(RECORDS);
  const [target, record] = [join(folder.real, name), join(records, name)];
  await mkdir(records, { recursive: true, mode: 0o700 });
  await symlink(target, record).catch(async (error) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
    await unlink(record);
    await symlink(target, record);
  });
}

/** Removes every staged file that is recorded in a scratch folder. */
export async function removeStagedFiles(scratchParent: DirectoryHandle, scratchName: string): Promise<void> {
  await using records = await openNested(scratchParent, [scratchName, RECORDS]).catch(ignoreGone);
  if (records === undefined) return;
  for (const name of await readdir(records.pathOf('.'))) {
    const staged = await readlink(records.pathOf(name));
    // Do not trust the record: remove only a file whose name belongs to this scratch folder.
    if (basename(staged) !== name || !name.startsWith(`${RESERVED_PREFIX}-${scratchName}-`)) continue;
    await openDirectory(dirname(staged))
      .then((folder) => unlink(folder.pathOf(name)).finally(folder.close))
      .catch(ignoreGone);
  }
}

/**
 * Returns 16 hexadecimal digits that identify this service by its host and data folder. They make the names of its
 * folders in a shared media root unique.
 */
export async function serviceKey(dataDir: string, host = hostname()): Promise<string> {
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  return createHash('sha256').update(`${host}:${real}:${ino}`).digest('hex').slice(0, 16);
}
