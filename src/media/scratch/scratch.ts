import { createHash } from 'node:crypto';
import { mkdir, readdir, readlink, realpath, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { RESERVED_PREFIX } from '../../domain/media-path.ts';
import { errnoOf } from '../errno-codes.ts';
import { type DirectoryHandle, DirectoryMoved, openDirectory, openNested, openPrivate } from './directory-handle.ts';
import { removeTree } from './written-tree.ts';

/** The part of a pino logger that the engine uses. */
export interface MediaLog {
  warn(details: object, message: string): void;
}

/**
 * The folder that contains scratch folders. It stays open, because every user who may write to the media root can move
 * it and put a symlink in its place.
 */
export interface ScratchParent {
  /** Contains the new scratch folders. */
  readonly folder: DirectoryHandle;
  /**
   * Opens the other folders that may contain scratch folders: the one that an earlier start may have used instead, on
   * another disk, and those of other services.
   */
  openOthers(): Promise<readonly DirectoryHandle[]>;
  /** The error that prevents scratch folders on the disk of the media root; undefined if they are there. */
  readonly fallback?: unknown;
}

/** The service's folder in the media root, and the one in the data folder that replaces it. */
const [NEAR, FAR] = [RESERVED_PREFIX, 'scratch'];

/** The folders for scratch folders in a media root. */
export interface ScratchParents {
  /** The name of this service's folder. No other service may use it. */
  readonly own: string;
  /** Whether a folder belongs to a service on the same database, which may take over jobs of this one. */
  readonly isPeer: (name: string) => boolean;
}

/** The only service that runs jobs of a media root. */
export const ALONE: ScratchParents = { own: 'jobs', isPeer: () => false };

/**
 * Opens the folder for scratch folders, such as `<media root>/.telecine/jobs`, so that publishing only has to create
 * links. If that folder cannot be created (read-only, or owned by another user), opens a folder in the data folder.
 * Publishing then copies the files if that is on another disk.
 *
 * @param mediaRoot Absolute, symlinks resolved.
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
 * Opens the folders of services in the media root and in the data folder whose name is `isWanted`, without `own` and
 * those of other users.
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

/** The names in the service's folder `name` at `path`. */
async function namesIn(path: string, name: string): Promise<readonly string[]> {
  const folder = await openOurs(path, [name]);
  return folder === undefined ? [] : readdir(folder.pathOf('.')).finally(folder.close);
}

/**
 * Opens the folder `name` of the service, in the media root or else in the data folder. Only the service's user may
 * read it, because the media of all clients passes through it.
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

/** Creates the folder for scratch folders. Returns its absolute path, symlinks resolved. */
export async function findScratchRoot(mediaRoot: string, dataDir: string, parents: ScratchParents): Promise<string> {
  const { folder } = await openServiceFolder(mediaRoot, dataDir, parents.own);
  await folder.close();
  return folder.real;
}

/** Opens the private folder `names` in the folder at `path`. Each of them is the service's own. */
async function openPrivateIn(path: string, names: readonly string[], isLocal = false): Promise<DirectoryHandle> {
  let folder = await openDirectory(path, isLocal);
  for (const name of names) {
    const parent = folder;
    folder = await openPrivate(parent, name).finally(parent.close);
  }
  return folder;
}

/** Opens `names` in the folder at `path` by `openIfOurs`. Resolves to undefined if that folder is missing, too. */
async function openOurs(path: string, names: readonly string[]): Promise<DirectoryHandle | undefined> {
  const parent = await realpath(path)
    .then((real) => openDirectory(real))
    .catch(undefinedIfNotOurs);
  return parent && openIfOurs(parent, names).finally(parent.close);
}

/** Resolves to undefined if the folder is missing, is not a folder, or belongs to another user. */
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
 * Returns the name of a scratch folder from an intent. Throws for a name that no scratch folder has, so that no other folder is ever
 * deleted.
 */
export function scratchName(name: string): string {
  if (name === '' || name.startsWith('.') || name.includes('/')) throw new Error(`"${name}" is not a scratch name.`);
  return name;
}

/** An open scratch folder. */
export interface OpenScratch {
  readonly folder: DirectoryHandle;
  /** The folder that ffmpeg writes its output to. */
  readonly out: DirectoryHandle;
  close(): Promise<void>;
}

/** Creates and opens the private folder of one attempt, with an empty `out`. What needs another folder in it creates that. */
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

/** Opens the scratch folder `name`. Resolves to undefined if there is none, or if a file or a symlink replaced it. */
export async function openScratch(scratchParent: DirectoryHandle, name: string): Promise<OpenScratch | undefined> {
  try {
    return await toOpenScratch(await openNested(scratchParent, [name]));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof DirectoryMoved) return undefined;
    throw error;
  }
}

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

/** The most files that `removeFinished` removes. */
const FEW = 256;

/**
 * Removes an open scratch folder if there is nothing in it but a few files in `out`, as most conversions leave it. Resolves
 * to false otherwise: then `removeScratch` removes what is left.
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

/** Removes a scratch folder and the staged files that it records. Does nothing if there is none. */
export async function removeScratch(scratchParent: DirectoryHandle, name: string): Promise<void> {
  await removeStagedFiles(scratchParent, name);
  await removeTree(scratchParent.pathOf('.'), name);
}

/** The names of the scratch folders in `scratchParent`. */
export const listScratchNames = (scratchParent: DirectoryHandle): Promise<readonly string[]> =>
  readdir(scratchParent.pathOf('.'));

/**
 * The folder in a scratch folder that records staged files. Staged files are hidden files in the folders of outputs,
 * which publishing needs if a file cannot get from the scratch folder to its path in one step. Before a staged file is
 * created, a symlink to it is created in this folder, so that `removeStagedFiles` finds it after any crash.
 */
const RECORDS = 'beside';

/** Returns the name of the staged file for output number `index`. One output may need one name for each `purpose`. */
export const stagedName = (scratchName: string, index: number, purpose: 'copy' | 'swap'): string =>
  `${RESERVED_PREFIX}-${scratchName}-${index}${purpose === 'swap' ? 's' : ''}`;

/** Records that `name` may be created in `folder`. */
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

/** Removes every staged file that the scratch folder `scratchName` in `scratchParent` records. */
export async function removeStagedFiles(scratchParent: DirectoryHandle, scratchName: string): Promise<void> {
  await using records = await openNested(scratchParent, [scratchName, RECORDS]).catch((error) => {
    if (errnoOf(error) === 'ENOENT' || error instanceof DirectoryMoved) return undefined;
    throw error;
  });
  if (records === undefined) return;
  for (const name of await readdir(records.pathOf('.'))) {
    const staged = await readlink(records.pathOf(name));
    // Do not trust the record: remove only files with a name that this scratch folder can have recorded.
    if (basename(staged) !== name || !name.startsWith(`${RESERVED_PREFIX}-${scratchName}-`)) continue;
    await removeStagedFile(dirname(staged), name);
  }
}

/** Removes a file of a client's folder, unless that folder is gone or has become reachable only through a symlink. */
async function removeStagedFile(path: string, name: string): Promise<void> {
  try {
    const folder = await openDirectory(path);
    await unlink(folder.pathOf(name)).finally(folder.close);
  } catch (error) {
    if (!(error instanceof DirectoryMoved) && errnoOf(error) !== 'ENOENT') throw error;
  }
}

/**
 * Returns 16 letters and digits for the names of this service's own folders in a media root, which services may share.
 * They stand for its host and its data folder, which no other service of the host has.
 */
export async function serviceKey(dataDir: string, host = hostname()): Promise<string> {
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  return createHash('sha256').update(`${host}:${real}:${ino}`).digest('hex').slice(0, 16);
}
