import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';

interface FetchSpaceDeps {
  /** Returns the free bytes of the disk to which the files are written. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes that must stay free on the disk. */
  readonly minFreeBytes: number;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * `fits`: there is enough space. `taken`: there is no space because of other fetches. `full`: there is no space even without other fetches.
 */
type Fit = 'fits' | 'taken' | 'full';

/** The bytes of all files of one fetch. `missing` counts only files whose size is known. */
interface FetchBytes {
  readonly written: number;
  /** The bytes that are still to be fetched, as far as the sizes of the files are known. */
  readonly missing: number;
}

/**
 * The shortest time for which a turn reserves space for an owner. A deferred job starts again after ten seconds, or when a worker is
 * allowed to fetch for it.
 */
const TURN_MS = 120_000;

/** The longest time for which a turn reserves space. It is limited because a job may never start again. */
const LONGEST_TURN_MS = 3_600_000;

/** The most owners whose start of waiting stays in memory. */
const MOST_WAITING = 1000;

export type FetchSpace = ReturnType<typeof fetchSpace>;

/** Shares the free disk space among all fetches of this process. */
export function fetchSpace({ freeBytes, minFreeBytes, now = () => performance.now() }: FetchSpaceDeps) {
  interface Share {
    readonly countBytes: () => FetchBytes;
    /** The bytes that were reserved at the last check with the result `fits`: bytes on disk and bytes still to fetch. */
    reserved: number;
  }
  interface Turn {
    readonly bytes: number;
    readonly untilMs: number;
  }
  /** The fetches that have reserved space, in the order of their first checks. */
  const shares = new Set<Share>();
  /** The turns of owners that wait for space, in the order in which the owners began to wait. */
  const turns = new Map<string, Turn>();
  /** The time at which each owner began to wait. */
  const waits = new LRUCache<string, number>({ max: MOST_WAITING });
  /** Runs one check at a time, because each check must count the reservations of the earlier ones. */
  const alone = pLimit(1);

  /** Returns the bytes that are reserved for owners that have waited longer than `owner`. */
  function waitingBefore(owner: string): number {
    let bytes = 0;
    for (const [other, turn] of turns) {
      if (turn.untilMs <= now()) turns.delete(other);
      else if (other === owner) return bytes;
      else bytes += turn.bytes;
    }
    return bytes;
  }

  /** Gives an owner a turn of twice the time that it has waited. If all workers are busy, its job starts again late. */
  function wait(owner: string, bytes: number): void {
    const began = waits.get(owner) ?? now();
    waits.set(owner, began);
    const keptMs = Math.min(Math.max(TURN_MS, 2 * (now() - began)), LONGEST_TURN_MS);
    turns.set(owner, { bytes, untilMs: now() + keptMs });
  }

  function endWait(owner: string): void {
    turns.delete(owner);
    waits.delete(owner);
  }

  async function findFit(own: Share | undefined, owner: string | undefined, isOpenEnded: boolean): Promise<Fit> {
    const free = (await freeBytes()) - minFreeBytes;
    const { written, missing } = own?.countBytes() ?? { written: 0, missing: 0 };
    const hasBegun = own !== undefined && shares.has(own);
    const turn = hasBegun || owner === undefined ? 0 : (turns.get(owner)?.bytes ?? 0);
    const total = Math.max(written + missing, turn);
    const wanted = total - written;
    const countsLast = isOpenEnded || !hasBegun || total > own.reserved;
    let reservedByOthers = hasBegun || owner === undefined ? 0 : waitingBefore(owner);
    let writtenByOthers = 0;
    let isAfterOwn = false;
    for (const other of shares) {
      if (other === own) {
        isAfterOwn = true;
        continue;
      }
      const bytes = other.countBytes();
      writtenByOthers += bytes.written;
      if (countsLast || !isAfterOwn) reservedByOthers += Math.max(0, other.reserved - bytes.written);
    }
    if (wanted > free + writtenByOthers) {
      if (owner !== undefined) endWait(owner);
      return 'full';
    }
    if (wanted > free - reservedByOthers) {
      if (owner !== undefined) wait(owner, total);
      return 'taken';
    }
    if (own !== undefined) own.reserved = total;
    return 'fits';
  }

  return {
    /**
     * Opens the share of one fetch, which is all files of a job or the file of a probe. If a check returns `taken`, the `owner` gets a turn
     * for some minutes: later fetches must leave enough space for it. Otherwise small fetches could delay a large one forever.
     *
     * @param countBytes Returns the current bytes of the fetch.
     */
    open: (countBytes: () => FetchBytes, owner?: string) => {
      const own: Share = { countBytes, reserved: 0 };
      let hasEnded = false;
      return {
        /**
         * Reserves the missing bytes if they fit. If the share has grown since its last check, or may still grow, its bytes must fit in
         * addition to all other shares. Otherwise they must fit in addition to the older shares only. So the oldest fetches continue when
         * the disk fills up.
         *
         * @param isOpenEnded Whether the size of one of the files is unknown.
         */
        check: (isOpenEnded: boolean): Promise<Fit> =>
          alone(async () => {
            const found = await findFit(own, owner, isOpenEnded);
            if (found !== 'fits') return found;
            if (owner !== undefined) endWait(owner);
            if (!hasEnded) shares.add(own);
            return found;
          }),
        /** Ends the reservation. Call this when the files are removed. */
        end: (): void => {
          hasEnded = true;
          shares.delete(own);
        },
      };
    },
    /** Whether there is now space for the next fetch of this owner. */
    mayBegin: (owner: string): Promise<boolean> =>
      alone(async () => !turns.has(owner) || (await findFit(undefined, owner, false)) !== 'taken'),
  };
}
