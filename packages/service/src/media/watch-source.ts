import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import {
  FolderUnreachable,
  type ScanCost,
  type ScanMemory,
  type WatchedStorage,
  type WatchSource,
} from '../watches/ports.ts';
import { BucketMemory } from './s3/bucket-memory.ts';

/**
 * Adds other buckets to the source for media roots on disks. The path of a folder tells where it is.
 *
 * @param loadBuckets Loads the source for other buckets at its first use. undefined: the service has no other buckets.
 */
export function watchSource(disk: WatchSource, loadBuckets: (() => Promise<WatchSource>) | undefined): WatchSource {
  const load = async (): Promise<WatchSource> => {
    if (loadBuckets === undefined) throw new FolderUnreachable('denied');
    return loadBuckets();
  };
  return {
    isMetered: disk.isMetered,
    newMemory: (folder) => {
      const memory = new EitherMemory(disk.newMemory(folder));
      if (folder !== undefined) memory.use(isBucketPath(folder));
      return memory;
    },
    async *scan(root, where, options) {
      const isBucket = isBucketPath(where.folder);
      const memory = eitherOf(options.memory).use(isBucket);
      yield* (isBucket ? await load() : disk).scan(root, where, { ...options, memory });
    },
    listen: (root, where, memory, onHint) =>
      isBucketPath(where.folder) ? undefined : disk.listen?.(root, where, eitherOf(memory).use(false), onHint),
    find: async (root, path, signal) => (isBucketPath(path) ? await load() : disk).find(root, path, signal),
    reach: async (root, folder, signal) => (isBucketPath(folder) ? await load() : disk).reach(root, folder, signal),
  };
}

/** A memory for a folder that is on a disk or in another bucket. */
class EitherMemory implements ScanMemory {
  readonly #disk: ScanMemory;
  readonly #bucket = new BucketMemory();
  #used: ScanMemory;

  constructor(disk: ScanMemory) {
    this.#disk = disk;
    this.#used = disk;
  }

  use(isBucket: boolean): ScanMemory {
    this.#used = isBucket ? this.#bucket : this.#disk;
    return this.#used;
  }

  mark(path: string): void {
    (isBucketPath(path) ? this.#bucket : this.#disk).mark(path);
  }

  get hasMarks(): boolean {
    return this.#used.hasMarks;
  }

  get isOverflowed(): boolean {
    return this.#used.isOverflowed;
  }

  get storage(): WatchedStorage | undefined {
    return this.#used.storage;
  }

  get place(): string | undefined {
    return this.#used.place;
  }

  get files(): number {
    return this.#used.files;
  }

  get unusable(): number {
    return this.#used.unusable;
  }

  get unusableName(): string | undefined {
    return this.#used.unusableName;
  }

  get cost(): ScanCost {
    return this.#used.cost;
  }
}

function eitherOf(memory: ScanMemory): EitherMemory {
  if (memory instanceof EitherMemory) return memory;
  throw new Error('Not a memory of this source.');
}
