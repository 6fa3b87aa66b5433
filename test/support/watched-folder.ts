import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import {
  FolderUnreachable,
  type FoundFile,
  type ScanMemory,
  type WatchSource,
} from '../../packages/service/src/watches/ports.ts';

/** A folder in memory that a watch looks at. Its files are whole at once, unless they are `growing`. */
export interface WatchedFolderFake {
  readonly source: WatchSource;
  /** Writes a file, and tells those who listen. */
  put(path: string, change?: Partial<FoundFile>): void;
  remove(path: string): void;
  rename(from: string, to: string): void;
  /** Makes the folder unreachable, or reachable again. */
  setReachable(isReachable: boolean): void;
  /** Lets each look at one file fail. */
  breakFile(path: string, error: Error): void;
  /** Puts another, empty folder in the place of the folder, as if its disk was unmounted, or puts the files back. */
  setMounted(isMounted: boolean): void;
  /** How many scans have begun. */
  scans(): number;
}

class FakeMemory implements ScanMemory {
  hasMarks = false;
  readonly isOverflowed = false;
  storage: 'local' | undefined;
  files = 0;
  readonly unusable = 0;
  readonly unusableName = undefined;
  place: string | undefined;
  readonly cost = { processorMs: 0, reads: 0 };
  mark(): void {
    this.hasMarks = true;
  }
}

export function watchedFolder(): WatchedFolderFake {
  const files = new Map<string, FoundFile>();
  const listeners = new Set<() => void>();
  let isReachable = true;
  let scans = 0;
  let keys = 0;
  let place = 'disk';
  const unmounted = new Map<string, FoundFile>();
  const failures = new Map<string, Error>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const requireReachable = (): void => {
    if (!isReachable) throw new FolderUnreachable('missing');
  };
  return {
    put: (path, change = {}) => {
      keys += 1;
      const before = files.get(path);
      files.set(path, {
        ...{ path: path as MediaPath, bytes: 10, version: `v${keys}`, isWhole: true },
        fileKey: before?.fileKey ?? `key${keys}`,
        ...change,
      });
      tell();
    },
    remove: (path) => {
      files.delete(path);
      tell();
    },
    rename: (from, to) => {
      const file = files.get(from);
      if (file === undefined) throw new Error(`There is no ${from}.`);
      files.delete(from);
      files.set(to, { ...file, path: to as MediaPath });
      tell();
    },
    setReachable: (reachable) => {
      isReachable = reachable;
    },
    breakFile: (path, error) => void failures.set(path, error),
    setMounted: (isMounted) => {
      place = isMounted ? 'disk' : 'mount point';
      const [from, to] = isMounted ? [unmounted, files] : [files, unmounted];
      for (const [path, file] of from) to.set(path, file);
      from.clear();
    },
    scans: () => scans,
    source: {
      isMetered: false,
      newMemory: () => new FakeMemory(),
      async *scan(_root, { folder, subfolders, accepts }, { memory }) {
        scans += 1;
        requireReachable();
        const fake = memory as FakeMemory;
        fake.hasMarks = false;
        fake.storage = 'local';
        fake.place = place;
        const found = [...files.values()].filter(
          ({ path }) =>
            path.startsWith(folder) &&
            (subfolders || !path.slice(folder.length).includes('/')) &&
            (accepts?.(path.slice(path.lastIndexOf('/') + 1)) ?? true),
        );
        fake.files = found.length;
        for (let first = 0; first < found.length; first += 500) yield found.slice(first, first + 500);
      },
      listen: (_root, _where, memory, onHint) => {
        const listener = (): void => {
          memory.mark('');
          onHint();
        };
        listeners.add(listener);
        return { [Symbol.dispose]: () => void listeners.delete(listener) };
      },
      find: async (_root, path) => {
        requireReachable();
        const failure = failures.get(path);
        if (failure !== undefined) throw failure;
        const file = files.get(path);
        const fingerprint = `${file?.fileKey}:${file?.version}`;
        return file && { ...file, fingerprint, outputFingerprint: fingerprint, modifiedMs: 0 };
      },
      reach: async () => {
        requireReachable();
        return place;
      },
    },
  };
}
