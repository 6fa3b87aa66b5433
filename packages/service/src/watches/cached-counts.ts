import { nextTurn } from '@telecine/contract/domain/steps.ts';
import type { Watch, WatchedCounts } from '@telecine/contract/domain/watch.ts';
import type { WatchStore } from './ports.ts';

/** Counts are kept for this many times as long as they took, so counting takes at most a hundredth of the event loop. */
const KEPT_PER_COST = 100;

/** Counts are kept for at most this time. */
const LONGEST_MS = 5000;

/** Counts of fewer files are not kept: with PostgreSQL, time only tells how far away and how busy the database is. */
const LEAST_FILES = 5000;

/** What the caller has read of a watch before the files of the watch are counted. */
type Counted = Pick<Watch, 'watchId' | 'lastScan'>;

interface Kept {
  readonly counts: Promise<WatchedCounts | undefined>;
  /** The end of the last scan before the files were counted. undefined: no scan had ended. */
  readonly scannedAt: string | undefined;
  /** Infinity while they are being counted. */
  untilMs: number;
}

/**
 * Counts the files of watches. SQLite counts in the thread of the event loop, and 100,000 files take it 10 ms and more; the console asks once
 * a second while files land. So a count that took long is kept for some time and shared by all callers, and other work runs between the counts
 * of two watches. Counts of small watches are always exact, and those of a large one are never older than the scan that is shown beside them.
 */
export function cachedCounts(read: WatchStore['counts'], now: () => number = () => performance.now()) {
  const kept = new Map<string, Kept>();

  const count = ({ watchId, lastScan }: Counted): Promise<WatchedCounts | undefined> => {
    const known = kept.get(watchId);
    if (known !== undefined && known.untilMs > now() && known.scannedAt === lastScan?.at) return known.counts;
    const startedMs = now();
    const counts = read([watchId]).then((found) => found.get(watchId));
    const entry: Kept = { counts, scannedAt: lastScan?.at, untilMs: Number.POSITIVE_INFINITY };
    kept.set(watchId, entry);
    const forget = (): void => {
      if (kept.get(watchId) === entry) kept.delete(watchId);
    };
    counts.then((found) => {
      const files = Object.values(found ?? {}).reduce((sum, one) => sum + one, 0);
      if (files < LEAST_FILES) return forget();
      const keptMs = Math.min(LONGEST_MS, (now() - startedMs) * KEPT_PER_COST);
      entry.untilMs = now() + keptMs;
      setTimeout(forget, keptMs).unref();
    }, forget);
    return counts;
  };

  return {
    counts: async (watches: readonly Counted[]): Promise<ReadonlyMap<string, WatchedCounts>> => {
      const all = new Map<string, WatchedCounts>();
      for (const [index, watch] of watches.entries()) {
        if (index > 0) await nextTurn();
        const counts = await count(watch);
        if (counts !== undefined) all.set(watch.watchId, counts);
      }
      return all;
    },
    /** Counts the files of a watch anew, because this process has changed many. */
    forget: (watchId: string): void => void kept.delete(watchId),
  };
}
