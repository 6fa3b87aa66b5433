import { setTimeout as delay } from 'node:timers/promises';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { FoundFile, WatchedFolders } from '../../packages/service/src/watches/watched-folders.ts';

/** A watched folder in memory. Its files are complete at once, like objects in a bucket, unless `put` says that they are on a disk. */
export interface WatchedFolderFake {
  readonly folders: WatchedFolders;
  /** Writes a file. */
  put(path: string, change?: Partial<FoundFile>): void;
  remove(path: string): void;
  rename(from: string, to: string): void;
  /** Makes the folder unreachable, or reachable again. */
  setReachable(isReachable: boolean): void;
  /** Lets each look at one file fail. */
  breakFile(path: string, error: Error): void;
  /** Puts another, empty folder in the place of the folder, as if its disk was unmounted, or puts the files back. */
  setMounted(isMounted: boolean): void;
  /** Lets the folder answer no call any more. The caller gives up after a time. */
  hang(): void;
  /** How many lists have begun. */
  lists(): number;
}

const HANG_MS = 3000;

export const unreachable = (): Problem =>
  new Problem('FOLDER_UNREACHABLE', 'The folder cannot be read.', { fix: 'Create it.' });

export function watchedFolder(): WatchedFolderFake {
  const files = new Map<string, FoundFile>();
  const unmounted = new Map<string, FoundFile>();
  const failures = new Map<string, Error>();
  let [isReachable, hangs, lists, keys] = [true, false, 0, 0];
  const requireReachable = async (): Promise<void> => {
    if (hangs) await delay(HANG_MS);
    if (hangs || !isReachable) throw unreachable();
  };
  return {
    put: (path, change = {}) => {
      keys += 1;
      files.set(path, {
        ...{ path: path as MediaPath, bytes: 10, version: `v${keys}` },
        fileKey: files.get(path)?.fileKey ?? `key${keys}`,
        ...change,
      });
    },
    remove: (path) => void files.delete(path),
    rename: (from, to) => {
      const file = files.get(from);
      if (file === undefined) throw new Error(`There is no ${from}.`);
      files.delete(from);
      files.set(to, { ...file, path: to as MediaPath });
    },
    setReachable: (reachable) => {
      isReachable = reachable;
    },
    hang: () => {
      hangs = true;
    },
    breakFile: (path, error) => void failures.set(path, error),
    setMounted: (isMounted) => {
      const [from, to] = isMounted ? [unmounted, files] : [files, unmounted];
      for (const [path, file] of from) to.set(path, file);
      from.clear();
    },
    lists: () => lists,
    folders: {
      isBucket: () => false,
      reach: requireReachable,
      list: async (_root, folder, signal) => {
        lists += 1;
        signal.throwIfAborted();
        await requireReachable();
        return [...files.values()].filter(({ path }) => path.startsWith(folder));
      },
      find: async (_root, path) => {
        await requireReachable();
        const failure = failures.get(path);
        if (failure !== undefined) throw failure;
        const file = files.get(path);
        const fingerprint = `${file?.fileKey}:${file?.version}`;
        return file && { ...file, fingerprint, isOutput: (output) => output === fingerprint };
      },
    },
  };
}
