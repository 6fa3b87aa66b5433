import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';
import { folderOf, isMediaPath, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { isWatchedFolderName } from '@telecine/contract/domain/transfer-names.ts';
import { FolderUnreachable, type FoundFile, type ScanKind, type WatchedFolder } from '../../../watches/ports.ts';
import { type ScanClock, ScanPages } from '../../scan-pages.ts';
import { isGone } from '../../scratch/directory-handle.ts';
import { hashText, UNKNOWN, VersionTable } from '../../version-table.ts';
import { isWanted, isWatched, shownName } from '../../watch-memory.ts';
import { type AllowedPaths, isInside } from '../paths/root-boundary.ts';
import { type DiskAccess, OF_ONE, type OpenFolder, toFound } from './disk-access.ts';
import { type DiskMemory, isCertain, type KnownFolder, stateOf } from './disk-memory.ts';

/** What a scan over a folder on a disk needs. */
export interface DiskScan {
  readonly boundary: AllowedPaths;
  readonly access: DiskAccess;
  /** The absolute path of the watched folder, without symlinks. */
  readonly top: string;
  readonly where: WatchedFolder;
  readonly memory: DiskMemory;
  readonly kind: ScanKind;
  readonly again: readonly MediaPath[];
  readonly clock: ScanClock;
  /** The monotonic clock, in milliseconds. */
  now(): number;
}

const isDeep = (kind: ScanKind): boolean => kind === 'thorough' || kind === 'full';

type Pages = AsyncGenerator<readonly FoundFile[], void>;

/** Yields the files of a scan. Throws file system errors of the storage, and `FolderUnreachable`. */
export async function* runScan(scan: DiskScan): Pages {
  const { memory, kind } = scan;
  // Marks that come from now on are for the next scan.
  if (isDeep(kind)) memory.isOverflowed = false;
  const marks = memory.takeMarks();
  let isComplete = false;
  try {
    const pages = new ScanPages(scan.clock);
    const found: string[] = [];
    for (const path of new Set<string>([...scan.again, ...marks])) yield* lookAt(scan, pages, path, found);
    // So that the folders with these files know that they were reported.
    yield* pages.flush();
    if (kind !== 'marked') yield* readFolders(scan, pages, found);
    else for (const folder of found) yield* readFolder(scan, pages, folder, found);
    yield* pages.flush();
    isComplete = true;
  } finally {
    if (!isComplete) for (const path of marks) memory.mark(path);
  }
}

/** Looks at one path, and yields the file also if it has not changed. `found`: gets the folder at this path. */
async function* lookAt(scan: DiskScan, pages: ScanPages, path: string, found: string[]): Pages {
  const { where, access, boundary, memory, clock, top } = scan;
  const rest = path.slice(where.folder.length);
  if (path.endsWith('/')) {
    if (path === where.folder || isWatched(where, path)) found.push(rest);
    return;
  }
  await clock.step(1);
  if (!isMediaPath(path) || !path.startsWith(where.folder)) return;
  // If the file cannot be read now and later can, a quick scan must look at it.
  const folder = folderOf(rest);
  const name = hashText(rest.slice(folder.length), memory.seed);
  memory.setVersion(folder, name, UNKNOWN);
  const resolved = await unlessStorageFails(scan, () => access.resolve(path));
  if (resolved?.kind !== 'found' || !isInside(boundary, resolved.real)) return;
  if (resolved.stats.isDirectory()) {
    // A symlink to a folder could lead in a circle.
    if (isWatched(where, `${path}/`) && resolved.real === `${top}/${rest}`) found.push(`${rest}/`);
    return;
  }
  if (!resolved.stats.isFile() || !isWatched(where, path)) return;
  const file = toFound(path, resolved.stats);
  const version = hashText(file.version, memory.seed);
  pages.add(file, () => memory.setVersion(folder, name, version));
  if (pages.isFull) yield* pages.flush();
}

/**
 * Reads one file or folder. Resolves to undefined if only this one cannot be read. Throws if the storage fails: then the watched folder
 * cannot be read either.
 */
async function unlessStorageFails<T>({ access, top }: DiskScan, read: () => MaybePromise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isGone(error) || OF_ONE.has(errnoOf(error))) return undefined;
    if (errnoOf(error) === '') throw error;
    if ((await access.lstat(top)) === undefined) throw new FolderUnreachable('missing', error);
    return undefined;
  }
}

/** Reads the folders that have changed, or all in a deep scan. `first`: folders to read in any case. */
async function* readFolders(scan: DiskScan, pages: ScanPages, first: readonly string[]): Pages {
  const { memory, kind } = scan;
  const readsAll = isDeep(kind);
  const queue = readsAll ? [''] : [...first];
  const read = new Set<string>();
  if (!readsAll)
    for (const folder of new Set(['', ...memory.folders.keys()]))
      if (await hasChanged(scan, folder)) queue.push(folder);
  for (const folder of queue) {
    if (read.has(folder)) continue;
    read.add(folder);
    yield* readFolder(scan, pages, folder, queue);
  }
  if (readsAll)
    pages.after(() => {
      for (const folder of memory.folders.keys()) if (!read.has(folder)) memory.forget(folder);
    });
}

/** The absolute path of a folder below the watched one, without a slash at its end. */
const realOf = ({ top }: DiskScan, folder: string): string => (folder === '' ? top : `${top}/${folder.slice(0, -1)}`);

/** Returns whether a folder must be read. Forgets one that is gone. */
async function hasChanged(scan: DiskScan, folder: string): Promise<boolean> {
  const { memory, access, clock } = scan;
  await clock.step(1);
  const real = realOf(scan, folder);
  const stats = await (folder === '' ? access.lstat(real) : unlessStorageFails(scan, () => access.lstat(real)));
  if (stats?.isDirectory() === true) return !isCertain(memory.folders.get(folder), stateOf(stats));
  if (folder === '') throw new FolderUnreachable('missing');
  memory.forget(folder);
  return false;
}

/** Reads a folder and yields what it has. `found`: gets the folders in it that are not known. */
async function* readFolder(scan: DiskScan, pages: ScanPages, folder: string, found: string[]): Pages {
  const { memory, access, clock } = scan;
  const readMs = scan.now();
  const open = (): Promise<OpenFolder> => access.open(realOf(scan, folder));
  await clock.step(3);
  await using opened = await (folder === '' ? open() : unlessStorageFails(scan, open));
  if (opened === undefined) {
    memory.forget(folder);
    return;
  }
  const state = stateOf(opened.stats);
  const before = memory.begin(folder);
  const read: FolderRead = { folder, opened, before, files: new VersionTable(), unusable: 0 };
  for (let names = await opened.names(); names.length > 0; names = await opened.names())
    for (const entry of names) {
      await clock.step();
      if (entry.isDirectory()) {
        if (isFolderToRead(scan, folder, opened, entry.name)) found.push(`${folder}${entry.name}/`);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        await readFile(scan, pages, read, entry.name);
        if (pages.isFull) yield* pages.flush();
      }
    }
  const seenMs = before?.state === state ? before.seenMs : readMs;
  const { files, unusable } = read;
  pages.after(() => memory.remember(folder, { state, seenMs, readMs, files, unusable }));
}

/** Whether a scan reads a folder in another. A quick scan knows the others, and looks at them itself. */
function isFolderToRead(
  { where, kind, memory, boundary }: DiskScan,
  folder: string,
  opened: OpenFolder,
  name: string,
): boolean {
  if (!where.subfolders || !isWatchedFolderName(name)) return false;
  if (!isDeep(kind) && memory.folders.has(`${folder}${name}/`)) return false;
  return isMediaPath(`${where.folder}${folder}${name}`) && isInside(boundary, `${opened.real}/${name}`);
}

interface FolderRead {
  readonly folder: string;
  readonly opened: OpenFolder;
  readonly before: KnownFolder | undefined;
  /** The versions of the files that are in the folder now. */
  readonly files: VersionTable;
  unusable: number;
}

/** Looks at a file of a folder. A quick scan knows the old ones by their names. */
async function readFile(scan: DiskScan, pages: ScanPages, read: FolderRead, name: string): Promise<void> {
  const { folder, opened, before, files } = read;
  const { where, memory, kind, clock } = scan;
  if (!isWanted(name, where)) return;
  const hash = hashText(name, memory.seed);
  const known = before?.files.get(hash);
  if (known !== undefined && known !== UNKNOWN && !isDeep(kind)) {
    files.set(hash, known);
    return;
  }
  const path = `${where.folder}${folder}${name}`;
  const noteUnusable = (): void => {
    read.unusable += 1;
    memory.unusableName = shownName(name);
  };
  if (!isMediaPath(path)) {
    noteUnusable();
    return;
  }
  await clock.step(1);
  const file = await unlessStorageFails(scan, () => findIn(scan, opened, name, path));
  if (file === undefined) {
    // Node reads bytes that are not UTF-8 as this character, so no file has the name that was read.
    if (name.includes('\uFFFD')) noteUnusable();
    return;
  }
  const version = hashText(file.version, memory.seed);
  if (known === version && kind !== 'full') {
    files.set(hash, version);
    return;
  }
  pages.add(file, () => {
    files.set(hash, version);
    // If the scan breaks off, the folder stays as it was known, with what was reported.
    memory.setVersion(folder, hash, version);
  });
}

/** Finds the file `name` of a folder, also by a symlink. */
async function findIn(
  { access, boundary }: DiskScan,
  opened: OpenFolder,
  name: string,
  path: MediaPath,
): Promise<FoundFile | undefined> {
  const stats = await access.lstat(opened.pathOf(name));
  if (stats === undefined) return undefined;
  if (!stats.isSymbolicLink())
    return stats.isFile() && isInside(boundary, `${opened.real}/${name}`) ? toFound(path, stats) : undefined;
  const resolved = await access.resolve(path);
  const isFile = resolved.kind === 'found' && isInside(boundary, resolved.real) && resolved.stats.isFile();
  return isFile ? toFound(path, resolved.stats) : undefined;
}
