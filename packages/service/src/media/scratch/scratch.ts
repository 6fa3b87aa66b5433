import { createHash } from 'node:crypto';
import { mkdir, readdir, readlink, realpath, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { errnoOf } from '../errno-codes.ts';
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

/** The folder that contains scratch folders. It stays open, because other users could replace it by a symlink. */
export interface ScratchParent {
  /** Contains new scratch folders. */
  readonly folder: DirectoryHandle;
  /** Opens other folders that may contain scratch folders: the folder of an earlier run, and the folders of other services. */
  openOthers(): Promise<readonly DirectoryHandle[]>;
  /** The error that prevented scratch folders on the disk of the media root. Undefined: the scratch folders are on this disk. */
  readonly fallback?: unknown;
}

/** NEAR: the service's folder in the media root. FAR: its replacement in the data folder. */
const [NEAR, FAR] = [RESERVED_PREFIX, 'scratch'];

/** Which folders in a media root may contain scratch folders. */
export interface ScratchParents {
  /** The name of this service's own folder. No other service may use this name. */
  readonly own: string;
  /** Whether the folder `name` belongs to another service of the same database. */
  readonly isPeer: (name: string) => boolean;
}

/** For a service that alone runs the jobs of a media root. */
export const ALONE: ScratchParents = { own: 'jobs', isPeer: () => false };

/**
 * Opens the folder for scratch folders. It is in the media root, such as `<media root>/.telecine/jobs`, so that publishing only creates
 * links. If that fails (read-only, or another user's folder), opens a folder in the data folder instead. Publishing may then have to copy
 * files.
 *
 * @param mediaRoot Absolute, with symlinks resolved.
 * @param isLocal Whether the disk of the media root answers in microseconds.
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

/**
 * Opens the service folders, in the media root and in the data folder, for whose names `isWanted` returns true. Skips `own`, and folders of
 * other users.
 */
export async function openOtherFolders(
  mediaRoot: string,
  dataDir: string,
  own: DirectoryHandle,
  isWanted: (name: string) => boolean,
): Promise<readonly DirectoryHandle[]> {
  const found: DirectoryHandle[] = [];
  for (const [path, place] of [[mediaRoot, NEAR] as const, [dataDir, FAR] as const])
    for (const name of (await namesIn(path, place)).filter(isWanted)) {
      const folder = await openOurs(path, [place, name]);
      if (folder?.real === own.real) await folder.close();
      else if (folder !== undefined) found.push(folder);
    }
  return found;
}

/** Lists the entries of the folder `name` in `path`, if the folder belongs to the service's user. */
async function namesIn(path: string, name: string): Promise<readonly string[]> {
  const folder = await openOurs(path, [name]);
  return folder === undefined ? [] : readdir(folder.pathOf('.')).finally(folder.close);
}

/** Opens the service's folder `name` in the media root. If that fails, opens it in the data folder. Only the service's user can read it. */
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

/** Creates the folder for scratch folders. Returns its absolute path, with symlinks resolved. */
export async function findScratchRoot(mediaRoot: string, dataDir: string, parents: ScratchParents): Promise<string> {
  const { folder } = await openServiceFolder(mediaRoot, dataDir, parents.own);
  await folder.close();
  return folder.real;
}

/** Opens the nested folder `names` in the folder at `path`. Creates missing folders, which only the service's user can access. */
async function openPrivateIn(path: string, names: readonly string[], isLocal = false): Promise<DirectoryHandle> {
  let folder = await openDirectory(path, isLocal);
  for (const name of names) {
    const parent = folder;
    folder = await openPrivate(parent, name).finally(parent.close);
  }
  return folder;
}

/**
 * Opens the folder `names` in the folder at `path`, as `openIfOurs` does. Resolves to undefined also if the folder at `path` is missing.
 */
async function openOurs(path: string, names: readonly string[]): Promise<DirectoryHandle | undefined> {
  const parent = await realpath(path)
    .then((real) => openDirectory(real))
    .catch(undefinedIfNotOurs);
  return parent && openIfOurs(parent, names).finally(parent.close);
}

/** Opens the nested folder `names`. Resolves to undefined if it is missing, is not a folder, or belongs to another user. */
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

/** Returns `name` if it can be the name of a scratch folder. Otherwise throws, so that no other folder is deleted. */
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

/** Creates and opens the scratch folder of an attempt, with an empty folder `out`. Only the service's user can access it. */
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

/** Opens the scratch folder `name`. Resolves to undefined if it is missing, or if a file or a symlink replaced it. */
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

/** The most files that `removeFinished` can remove. */
const FEW = 256;

/**
 * Removes an open scratch folder, if `out` has only a few files. This is the usual case. Otherwise resolves to false, and the caller must
 * call `removeScratch`.
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

/** Removes a scratch folder, and the staged files that it records. Does nothing if the scratch folder is missing. */
export async function removeScratch(scratchParent: DirectoryHandle, name: string): Promise<void> {
  await removeStagedFiles(scratchParent, name);
  await removeTree(scratchParent.pathOf('.'), name);
}

/** The names of the scratch folders in `scratchParent`. */
export const listScratchNames = (scratchParent: DirectoryHandle): Promise<readonly string[]> =>
  readdir(scratchParent.pathOf('.'));

/**
 * The folder in a scratch folder that records staged files. It gets a symlink to each staged file before the file is created, so that
 * `removeStagedFiles` finds the file after a crash.
 */
const RECORDS = 'beside';

/** Returns the name of a staged file. `index`: the index of the file in the publish list. */
export const stagedName = (scratchName: string, index: number, purpose: 'copy' | 'swap'): string =>
  `${RESERVED_PREFIX}-${scratchName}-${index}${purpose === 'swap' ? 's' : ''}`;

/** Records that a staged file `name` may exist in `folder`. Call this before creating the file. */
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

/** Removes every staged file that a scratch folder records. */
export async function removeStagedFiles(scratchParent: DirectoryHandle, scratchName: string): Promise<void> {
  await using records = await openNested(scratchParent, [scratchName, RECORDS]).catch(ignoreGone);
  if (records === undefined) return;
  for (const name of await readdir(records.pathOf('.'))) {
    const staged = await readlink(records.pathOf(name));
    // Do not trust the record. Remove only a file whose name this scratch folder can have recorded.
    if (basename(staged) !== name || !name.startsWith(`${RESERVED_PREFIX}-${scratchName}-`)) continue;
    await openDirectory(dirname(staged))
      .then((folder) => unlink(folder.pathOf(name)).finally(folder.close))
      .catch(ignoreGone);
  }
}

/**
 * Returns 16 hexadecimal digits that identify this service by its host and data folder. They make its folder names in a shared media root
 * unique.
 */
export async function serviceKey(dataDir: string, host = hostname()): Promise<string> {
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  return createHash('sha256').update(`${host}:${real}:${ino}`).digest('hex').slice(0, 16);
}
