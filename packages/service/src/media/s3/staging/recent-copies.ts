import { link } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { ProbeCopies, ProbeCopy } from '../../scratch/probe-copies.ts';

/** How long a copy is kept after its last use, in ms. Someone who tries out options converts a part of the same input again and again. */
const KEEP_MS = 120_000;

/** The maximum share of the free disk space that copies may use. */
const MAX_SHARE = 0.25;

const MAX_COPIES = 16;

interface RecentCopiesOptions {
  readonly copies: ProbeCopies;
  /** Returns the free space of the disk with the copies, in bytes. */
  readonly freeBytes: () => Promise<number>;
  /** Default: `KEEP_MS`. */
  readonly keepMs?: number;
}

export type RecentCopies = ReturnType<typeof recentCopies>;

/**
 * Keeps local copies of objects for a moment after their last use, so that the next job or preview of the same version of an object copies
 * nothing. The copies are hard links, so they use no space while their jobs run.
 */
export function recentCopies({ copies, freeBytes, keepMs = KEEP_MS }: RecentCopiesOptions) {
  const removals = new Set<Promise<void>>();
  const kept = new LRUCache<string, ProbeCopy & { readonly sizeBytes: number }>({
    ...{ max: MAX_COPIES, ttl: keepMs, ttlAutopurge: true, updateAgeOnGet: true },
    dispose: ({ remove }) => {
      const removal = remove().finally(() => removals.delete(removal));
      removals.add(removal);
    },
  });
  const linked = (from: string, to: string): Promise<boolean> =>
    link(from, to).then(
      () => true,
      () => false,
    );
  return {
    /** Makes the copy of an object available at `file`. Resolves to false if there is none. */
    use: async (version: string, file: string): Promise<boolean> => {
      const found = kept.get(version);
      // The copy may be removed just now, and some file systems have no hard links.
      return found !== undefined && linked(found.file, file);
    },
    /** Keeps the copy of an object at `file`, which its owner may remove afterwards. Never throws: without it, the object is copied again. */
    keep: async (version: string, file: string, sizeBytes: number): Promise<void> => {
      try {
        const room = (await freeBytes()) * MAX_SHARE;
        if (sizeBytes > room || kept.has(version)) return;
        const copy = await copies.add();
        if (!(await linked(file, copy.file)) || kept.has(version)) return await copy.remove();
        kept.set(version, { ...copy, sizeBytes });
        const usedBytes = (): number => [...kept.values()].reduce((sum, one) => sum + one.sizeBytes, 0);
        while (usedBytes() > room) kept.pop();
      } catch {
        // The folder of the copies cannot be used.
      }
    },
    isEmpty: (): boolean => kept.size === 0,
    /** Removes all copies, such as when the disk has little space. */
    clear: async (): Promise<void> => {
      kept.clear();
      await Promise.all(removals);
    },
  };
}
