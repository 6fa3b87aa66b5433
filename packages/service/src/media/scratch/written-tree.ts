import { type BigIntStats, constants, type Dirent, lstatSync } from 'node:fs';
import { chmod, lstat, open, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf, ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { allEnded, DIRECTORY_FLAGS, type OpenEntry, openEntry, pathOfOpen } from './directory-handle.ts';

/*
 * Reads and removes folder trees that ffmpeg wrote. A name may contain any bytes, and a path may be longer than the
 * kernel accepts. So this module uses each name as bytes, relative to its open folder. It does not follow symlinks.
 */

/** The maximum depth of folders. Muxers nest about ten, with `%v` and `hls_segment_filename` together. */
const MAX_DEPTH = 32;

/** Thrown if a tree of folders has more levels or entries than a conversion can need. */
export class TreeTooLarge extends Error {
  override readonly name = 'TreeTooLarge';
}

/** The flag O_PATH opens a folder even without permission to read it. Node has no constant for it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;

/** The number of entries that are read at once. */
const READ_SIZE = 256;

/** An open folder of a tree. `path`: for systems on which a descriptor has no path. */
interface OpenFolder extends AsyncDisposable {
  readonly handle: OpenEntry;
  readonly path: Buffer;
}

const pathIn = ({ handle, path }: OpenFolder, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${pathOfOpen(handle, path.toString())}/`), name]);

async function openFolder(path: Buffer, isLocal = false): Promise<OpenFolder> {
  const handle = await openEntry(path, DIRECTORY_FLAGS, isLocal);
  return { handle, path, [Symbol.asyncDispose]: () => handle.close() };
}

/**
 * Yields the stats of each file and folder in the tree at `path`. Throws TreeTooLarge and file system errors.
 * `mayBeMissing`: a missing tree is not an error.
 */
export async function* statsOfTree(
  path: string,
  maxEntries: number,
  { mayBeMissing = false, isLocal = false } = {},
): AsyncGenerator<BigIntStats> {
  let left = maxEntries;
  async function* statsIn(folder: OpenFolder, depth: number): AsyncGenerator<BigIntStats> {
    if (depth > MAX_DEPTH) throw new TreeTooLarge(`more than ${MAX_DEPTH} levels of folders`);
    for await (const entries of readEntries(folder)) {
      left -= entries.length;
      if (left < 0) throw new TreeTooLarge(`more than ${maxEntries} entries`);
      const found = await allEnded(entries.map(({ name }) => statsIfPresent(pathIn(folder, name), isLocal)));
      for (const [index, stats] of found.entries()) {
        if (stats === undefined) continue;
        yield stats;
        const name = entries[index]?.name;
        if (!stats.isDirectory() || name === undefined) continue;
        await using child = await openFolder(pathIn(folder, name), isLocal).catch(ignoreReplaced);
        if (child !== undefined) yield* statsIn(child, depth + 1);
      }
    }
  }
  await using root = await openFolder(Buffer.from(path), isLocal).catch(
    ignoreErrno(...(mayBeMissing ? ['ENOENT'] : [])),
  );
  if (root !== undefined) yield* statsIn(root, 1);
}

async function* readEntries(folder: OpenFolder): AsyncGenerator<readonly Dirent<Buffer>[]> {
  // Cast the options: Node's types do not know the encoding "buffer" for this function.
  const options = { encoding: 'buffer', bufferSize: READ_SIZE } as unknown as { readonly bufferSize: number };
  const dir = await opendir(pathIn(folder, Buffer.from('.')), options);
  let entries: Dirent<Buffer>[] = [];
  for await (const entry of dir) {
    entries.push(entry as unknown as Dirent<Buffer>);
    if (entries.length < READ_SIZE) continue;
    yield entries;
    entries = [];
  }
  if (entries.length > 0) yield entries;
}

const statsIfPresent = async (path: Buffer, isLocal: boolean): Promise<BigIntStats | undefined> =>
  isLocal
    ? lstatSync(path, { bigint: true, throwIfNoEntry: false })
    : lstat(path, { bigint: true }).catch(ignoreMissing);

const ignoreMissing = ignoreErrno('ENOENT');

/** For `.catch(…)`: ignores that a listed folder was removed meanwhile, or replaced by a file or a symlink. */
const ignoreReplaced = ignoreErrno('ENOENT', 'ENOTDIR', 'ELOOP');

/** How many times a folder is emptied while a process that is being killed still adds files to it. */
const MAX_ROUNDS = 4;
const ROUND_PAUSE_MS = 100;

/**
 * Removes `name` and everything below it from the folder `parent`. Does nothing if `name` is missing. Throws file
 * system errors.
 */
export async function removeTree(parent: string, name: string): Promise<void> {
  await using folder = await openFolder(Buffer.from(parent));
  await removeEntry(folder, Buffer.from(name));
}

async function removeEntry(parent: OpenFolder, name: Buffer): Promise<void> {
  for (let round = 1; ; round += 1) {
    const folder = await openAny(parent, name).catch(ignoreReplaced);
    try {
      if (folder === undefined) return await unlink(pathIn(parent, name)).catch(ignoreMissing);
      await empty(folder);
      return await rmdir(pathIn(parent, name)).catch(ignoreMissing);
    } catch (error) {
      if (!REFILLED.has(errnoOf(error)) || round === MAX_ROUNDS) throw error;
    } finally {
      await folder?.handle.close();
    }
    await delay(ROUND_PAUSE_MS * round);
  }
}

/** errno codes that say: since the folder was read, it got new entries, or an entry got another type. */
const REFILLED: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR', 'ENOTDIR', 'EPERM', 'EBUSY']);

/** Opens a folder for reading and writing, even if ffmpeg has removed the permissions for that. */
async function openAny(parent: OpenFolder, name: Buffer): Promise<OpenFolder> {
  const path = pathIn(parent, name);
  const { mode } = await lstat(path);
  if (O_PATH !== 0 && (mode & constants.S_IFMT) === constants.S_IFDIR && (mode & 0o700) !== 0o700) {
    await using handle = await open(path, O_PATH | DIRECTORY_FLAGS);
    await chmod(pathOfOpen(handle, ''), 0o700);
  }
  return openFolder(path);
}

/**
 * Removes all entries of a folder. Moves deeper folders up into this folder and empties them one after the other. So a
 * tree of any depth needs only three descriptors and short paths.
 */
async function empty(top: OpenFolder): Promise<void> {
  let moved = 0;
  const moveUp = async (folder: OpenFolder, name: Buffer): Promise<void> => {
    // Open the folder to make it writable: a folder without write permission cannot be moved, because its ".." changes.
    const child = await openAny(folder, name).catch(ignoreReplaced);
    await child?.handle.close();
    for (;;) {
      moved += 1;
      try {
        return await rename(pathIn(folder, name), pathIn(top, Buffer.from(`.moved-${moved}`)));
      } catch (error) {
        if (!TAKEN.has(errnoOf(error))) return ignoreMissing(error);
      }
    }
  };
  const removeFolder = async (name: Buffer): Promise<void> => {
    const path = pathIn(top, name);
    // Most of these folders are empty, so try to remove the folder first.
    if (await isRemoved(path)) return;
    const folder = await openAny(top, name).catch(ignoreReplaced);
    if (folder === undefined) return unlink(path).catch(ignoreMissing);
    try {
      for (const child of await removeFiles(folder)) await moveUp(folder, child);
    } finally {
      await folder.handle.close();
    }
    await rmdir(path).catch(ignoreMissing);
  };
  let before: number;
  do {
    before = moved;
    for (const name of await removeFiles(top)) await removeFolder(name);
  } while (moved > before);
}

/** Removes a folder if it is empty. Returns whether it did. */
const isRemoved = (path: Buffer): Promise<boolean> =>
  rmdir(path).then(
    () => true,
    () => false,
  );

const TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR']);

/** Removes the files of a folder, and returns the names of its folders. */
async function removeFiles(folder: OpenFolder): Promise<readonly Buffer[]> {
  const folders: Buffer[] = [];
  for await (const entries of readEntries(folder)) {
    const files = entries.filter((entry) => !entry.isDirectory());
    // Remove files in parallel, which takes a third of the time. Wait for all calls, because their paths are valid only
    // while the folder is open.
    const unlinks = await Promise.allSettled(files.map(({ name }) => unlink(pathIn(folder, name))));
    for (const result of unlinks) if (result.status === 'rejected') ignoreMissing(result.reason);
    for (const entry of entries) if (entry.isDirectory()) folders.push(entry.name);
  }
  return folders;
}
