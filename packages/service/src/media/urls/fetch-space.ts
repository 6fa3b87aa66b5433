import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';

interface FetchSpaceDeps {
  /** Returns the free space of the disk to which the files are written, in bytes. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes that must stay free on the disk. */
  readonly minFreeBytes: number;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * `fits`: there is enough space. `taken`: there would be enough space without other fetches. `full`: there is not
 * enough space even without other fetches.
 */
type Fit = 'fits' | 'taken' | 'full';

/** The bytes of all files of one fetch together. */
interface FetchBytes {
  readonly written: number;
  /** The bytes that are still to be fetched. Files of unknown size do not count. */
  readonly missing: number;
}

/**
 * How long, at least, a turn reserves space for an owner. A deferred job starts again after ten seconds, or later if
 * all workers are busy.
 */
const TURN_MS = 120_000;

/** How long, at most, a turn reserves space, because the job may never start again. */
const LONGEST_TURN_MS = 3_600_000;

/** The maximum number of owners for which the start of their wait is remembered. */
const MOST_WAITING = 1000;

export type FetchSpace = ReturnType<typeof fetchSpace>;

/** Shares the free disk space among all fetches of this process. */
export function fetchSpace({ freeBytes, minFreeBytes, now = () => performance.now() }: FetchSpaceDeps) {
  interface Share {
    readonly countBytes: () => FetchBytes;
    /** The bytes that the last check with `fits` reserved: those on disk and those still to be fetched. */
    reserved: number;
  }
  interface Turn {
    readonly bytes: number;
    readonly untilMs: number;
  }
  /** The fetches that have reserved space, in the order of their first reservation. */
  const shares = new Set<Share>();
  /** The turns of owners that wait for space, in the order in which they began to wait. */
  const turns = new Map<string, Turn>();
  /** When each owner began to wait. */
  const waits = new LRUCache<string, number>({ max: MOST_WAITING });
  /** Runs one check at a time, so that each check counts the reservations of the earlier ones. */
  const alone = pLimit(1);

  /** Returns how many bytes are reserved for owners that began to wait before `owner`. */
  function waitingBefore(owner: string): number {
    let bytes = 0;
    for (const [other, turn] of turns) {
      if (turn.untilMs <= now()) turns.delete(other);
      else if (other === owner) return bytes;
      else bytes += turn.bytes;
    }
    return bytes;
  }

  /**
   * Gives an owner a turn that lasts twice as long as it has waited: if all workers are busy, its job starts again
   * late.
   */
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
     * Opens the share of one fetch: of all files of a job, or of the file of a probe. If a check returns `taken`,
     * `owner` gets a turn: for some minutes, later fetches must leave enough space for it. Otherwise, small fetches
     * could delay a large one for ever.
     *
     * @param countBytes Returns the current bytes of the fetch.
     */
    open: (countBytes: () => FetchBytes, owner?: string) => {
      const own: Share = { countBytes, reserved: 0 };
      let hasEnded = false;
      return {
        /**
         * Reserves the missing bytes if they fit. If the share has grown since its last check, or may still grow, it
         * must fit beside all other shares. Otherwise, it only has to fit beside the older ones, so that the oldest
         * fetches can continue when the disk fills up.
         *
         * @param isOpenEnded The size of one of the files is unknown.
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
    /** Returns whether there is space now for the next fetch of this owner. */
    mayBegin: (owner: string): Promise<boolean> =>
      alone(async () => !turns.has(owner) || (await findFit(undefined, owner, false)) !== 'taken'),
  };
}
