import { link } from 'node:fs/promises';
import type { ProbeCopies, ProbeCopy } from '../../scratch/probe-copies.ts';

/** How long a copy is kept after its last use, in ms. Someone who tries out options converts a part of the same input again and again. */
const KEEP_MS = 120_000;

/** The maximum share of the free disk space that copies may use. */
const MAX_SHARE = 0.25;

const MAX_COPIES = 16;

interface Kept {
  readonly copy: ProbeCopy;
  readonly sizeBytes: number;
  readonly timer: NodeJS.Timeout;
}

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
  /** The copies by the version of their object, the least recently used first. */
  const kept = new Map<string, Kept>();
  const remove = async (version: string): Promise<void> => {
    const found = kept.get(version);
    if (found === undefined) return;
    kept.delete(version);
    clearTimeout(found.timer);
    await found.copy.remove();
  };
  const removeOldest = async (room: number): Promise<void> => {
    let total = [...kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const [version, { sizeBytes }] of [...kept]) {
      if (kept.size <= MAX_COPIES && total <= room) return;
      total -= sizeBytes;
      await remove(version);
    }
  };

  return {
    /** Makes the copy of an object available at `file`. Resolves to false if there is none. */
    use: async (version: string, file: string): Promise<boolean> => {
      const found = kept.get(version);
      if (found === undefined) return false;
      kept.delete(version);
      kept.set(version, found);
      found.timer.refresh();
      // The copy may be removed just now, and some file systems have no hard links.
      return link(found.copy.file, file).then(
        () => true,
        () => false,
      );
    },
    /** Keeps the copy of an object at `file`, which its owner may remove afterwards. Never throws: without it, the object is copied again. */
    keep: async (version: string, file: string, sizeBytes: number): Promise<void> => {
      try {
        const room = (await freeBytes()) * MAX_SHARE;
        if (sizeBytes > room || kept.has(version)) return;
        const copy = await copies.add();
        const isLinked = await link(file, copy.file).then(
          () => true,
          () => false,
        );
        if (!isLinked || kept.has(version)) return await copy.remove();
        kept.set(version, { copy, sizeBytes, timer: setTimeout(() => void remove(version), keepMs).unref() });
        await removeOldest(room);
      } catch {
        // The folder of the copies cannot be used.
      }
    },
    isEmpty: (): boolean => kept.size === 0,
    /** Removes all copies, such as when the disk has little space. */
    clear: async (): Promise<void> => {
      await Promise.all([...kept.keys()].map(remove));
    },
  };
}
