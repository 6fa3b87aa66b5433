import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { isWatched, WatchMemory } from '../../packages/service/src/media/watch-memory.ts';
import { FolderUnreachable, type FoundFile, type WatchSource } from '../../packages/service/src/watches/ports.ts';

/** A folder in memory that a watch looks at. Its files are whole at once, unless `put` says otherwise. */
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
  /** Lets the folder answer no call any more. */
  hang(): void;
  /** How many scans have begun. */
  scans(): number;
}

class FakeMemory extends WatchMemory {
  storage: 'local' | undefined;
  files = 0;
  readonly unusable = 0;
  /** The versions of the files that were reported, by path. */
  readonly known = new Map<string, string>();
}

/** Rejects with the reason of an abort. Without an abort, it never settles. */
const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** How many files a page has at most. */
const PAGE = 500;

export function watchedFolder(): WatchedFolderFake {
  const files = new Map<string, FoundFile>();
  const listeners = new Set<(path: string) => void>();
  let isReachable = true;
  let hangs = false;
  let scans = 0;
  let keys = 0;
  let place = 'disk';
  const unmounted = new Map<string, FoundFile>();
  const failures = new Map<string, Error>();
  const tell = (path: string): void => {
    for (const listener of listeners) listener(path);
  };
  const requireReachable = async (signal?: AbortSignal): Promise<void> => {
    if (hangs) await aborted(signal);
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
      tell(path);
    },
    remove: (path) => {
      files.delete(path);
      tell(path);
    },
    rename: (from, to) => {
      const file = files.get(from);
      if (file === undefined) throw new Error(`There is no ${from}.`);
      files.delete(from);
      files.set(to, { ...file, path: to as MediaPath });
      tell(to);
    },
    setReachable: (reachable) => {
      isReachable = reachable;
    },
    hang: () => {
      hangs = true;
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
      async *scan(_root, where, { memory, kind, again = [], waitForTurn, signal }) {
        scans += 1;
        const fake = memory as FakeMemory;
        const marks = fake.takeMarks();
        let isComplete = false;
        try {
          signal.throwIfAborted();
          await requireReachable(signal);
          await waitForTurn?.();
          fake.storage = 'local';
          fake.place = place;
          if (kind === 'thorough' || kind === 'full') fake.isOverflowed = false;
          const present = [...files.values()].filter(({ path }) => isWatched(where, path));
          const first = new Set<string>([...again, ...marks]);
          // Not the files that are known: the loop must do without them, as it does on a disk and in a bucket.
          const found = present.filter(({ path, version }) => {
            if (first.has(path) || kind === 'full') return true;
            return kind !== 'marked' && fake.known.get(path) !== version;
          });
          found.sort((a, b) => Number(first.has(b.path)) - Number(first.has(a.path)));
          for (let from = 0; from < found.length; from += PAGE) {
            const page = found.slice(from, from + PAGE);
            yield page;
            signal.throwIfAborted();
            for (const { path, version } of page) fake.known.set(path, version);
          }
          const paths = new Set<string>(present.map(({ path }) => path));
          for (const path of fake.known.keys()) if (!paths.has(path)) fake.known.delete(path);
          if (kind !== 'marked') fake.files = present.length;
          isComplete = true;
        } finally {
          if (!isComplete) for (const path of marks) fake.mark(path);
        }
      },
      listen: (_root, _where, memory, onHint) => {
        const listener = (path: string): void => {
          memory.mark(path);
          onHint();
        };
        listeners.add(listener);
        return { [Symbol.dispose]: () => void listeners.delete(listener) };
      },
      find: async (_root, path, signal) => {
        await requireReachable(signal);
        const failure = failures.get(path);
        if (failure !== undefined) throw failure;
        const file = files.get(path);
        const fingerprint = `${file?.fileKey}:${file?.version}`;
        return file && { ...file, fingerprint, outputFingerprint: fingerprint, modifiedMs: 0 };
      },
      reach: async (_root, _folder, signal) => {
        await requireReachable(signal);
        return place;
      },
    },
  };
}
