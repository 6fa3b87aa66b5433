import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';

interface FetchSpaceDeps {
  /** The free disk space where the files are written. */
  readonly freeBytes: () => Promise<number>;
  /** Free disk space that the files must leave. */
  readonly minFreeBytes: number;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/** `taken`: there is no room because of other fetches. `full`: there is no room even without them. */
type Fit = 'fits' | 'taken' | 'full';

/** The bytes of the files of one fetch, if their sizes are known. */
interface FetchBytes {
  readonly written: number;
  /** Announced and not written yet. */
  readonly missing: number;
}

/** The first turn of an owner. A deferred job starts again after ten seconds, or when a worker may fetch for it. */
const TURN_MS = 120_000;

/** The longest turn, because a job may never come back. */
const LONGEST_TURN_MS = 3_600_000;

/** The most waiting owners in memory. */
const MOST_WAITING = 1000;

export type FetchSpace = ReturnType<typeof fetchSpace>;

/** Shares the free disk space among all fetches of this process. */
export function fetchSpace({ freeBytes, minFreeBytes, now = () => performance.now() }: FetchSpaceDeps) {
  interface Share {
    readonly countBytes: () => FetchBytes;
    /** The written and missing bytes at the last check with the result `fits`. */
    reserved: number;
  }
  interface Turn {
    readonly bytes: number;
    readonly untilMs: number;
  }
  /** In the order of their first checks. */
  const shares = new Set<Share>();
  /** The turns of owners without room, in the order in which they began to wait. */
  const turns = new Map<string, Turn>();
  /** When the wait of each owner began. */
  const waits = new LRUCache<string, number>({ max: MOST_WAITING });
  /** One check at a time, because its reservation counts in the next one. */
  const alone = pLimit(1);

  /** The bytes for owners that wait longer than `owner`. */
  function waitingBefore(owner: string): number {
    let bytes = 0;
    for (const [other, turn] of turns) {
      if (turn.untilMs <= now()) turns.delete(other);
      else if (other === owner) return bytes;
      else bytes += turn.bytes;
    }
    return bytes;
  }

  /** Gives an owner a turn twice as long as its wait so far: if all workers are busy, its job comes back late. */
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
     * Opens the share of one fetch: the files of a job, or the file of a probe. If the result is `taken`, an `owner` gets a turn for
     * some minutes: later fetches leave it the bytes that it needs. Otherwise small fetches could delay a large one for ever.
     *
     * @param countBytes Returns the bytes of the fetch now.
     */
    open: (countBytes: () => FetchBytes, owner?: string) => {
      const own: Share = { countBytes, reserved: 0 };
      let hasEnded = false;
      return {
        /**
         * Reserves the missing bytes if they fit. A share that grew since its last check, or that may grow, must fit after all
         * others. Any other share must fit after the older ones, so that the oldest fetches continue when the disk fills up.
         *
         * @param isOpenEnded Whether the size of a file is unknown.
         */
        check: (isOpenEnded: boolean): Promise<Fit> =>
          alone(async () => {
            const found = await findFit(own, owner, isOpenEnded);
            if (found !== 'fits') return found;
            if (owner !== undefined) endWait(owner);
            if (!hasEnded) shares.add(own);
            return found;
          }),
        /** Ends the reservation. Call it when the files are removed. */
        end: (): void => {
          hasEnded = true;
          shares.delete(own);
        },
      };
    },
    /** Whether the next share of this owner can begin. */
    mayBegin: (owner: string): Promise<boolean> =>
      alone(async () => !turns.has(owner) || (await findFit(undefined, owner, false)) !== 'taken'),
  };
}
