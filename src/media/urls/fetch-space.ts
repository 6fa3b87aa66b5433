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

/**
 * `taken`: there would be room without the other fetches: what they have announced and what they have written. `full`: there
 * is none even then.
 */
type Fit = 'fits' | 'taken' | 'full';

/** The bytes of the files of one fetch, as far as their size is known. */
interface FetchBytes {
  readonly written: number;
  /** Announced and not written yet. */
  readonly missing: number;
}

/** How long an owner keeps its turn at first. A deferred job starts again after ten seconds, or once a worker may fetch for it. */
const TURN_MS = 120_000;

/** The longest time: the room of a job that never comes back is not lost for longer. */
const LONGEST_TURN_MS = 3_600_000;

/** How many owners are remembered that wait. */
const MOST_WAITING = 1000;

export type FetchSpace = ReturnType<typeof fetchSpace>;

/** The disk space for all fetches of this process, so that no two of them count on the same free bytes. */
export function fetchSpace({ freeBytes, minFreeBytes, now = () => performance.now() }: FetchSpaceDeps) {
  interface Share {
    readonly countBytes: () => FetchBytes;
    /** The bytes, written and missing, at the last check that they passed. */
    reserved: number;
  }
  interface Turn {
    readonly bytes: number;
    readonly untilMs: number;
  }
  /** In the order of their first checks. */
  const shares = new Set<Share>();
  /** Of owners whose shares were taken, in the order in which they began to wait. */
  const turns = new Map<string, Turn>();
  /** When the wait of each owner began. */
  const waits = new LRUCache<string, number>({ max: MOST_WAITING });
  /** One check at a time: what one reserves counts in the next. */
  const alone = pLimit(1);

  /** The bytes of those that wait for longer than `owner`. */
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
   * Where all workers are busy for minutes, the job of an owner comes back later than its turn lasts. So the next turn is twice as
   * long as it has waited.
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
     * Opens the part of the disk that one fetch uses: the files of a job, or the file of a probe. With an `owner`, one that is `taken`
     * keeps its turn until the owner opens its next share, for some minutes: others that begin meanwhile leave it the bytes that it
     * was known to need. Otherwise a stream of small fetches would keep a large one waiting for ever.
     *
     * @param countBytes Returns the bytes of the fetch at the time of the call.
     */
    open: (countBytes: () => FetchBytes, owner?: string) => {
      const own: Share = { countBytes, reserved: 0 };
      let hasEnded = false;
      return {
        /**
         * Checks whether the bytes that are missing fit beside those of other fetches, and if so, reserves them. A share that grew
         * since its last check, or that may grow, counts after all others. Another one counts only after those that were reserved
         * before it, so that of several the oldest go on if something else fills the disk.
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
        /** Ends the reservation. Call it when the files are removed: until then, their bytes become free again. */
        end: (): void => {
          hasEnded = true;
          shares.delete(own);
        },
      };
    },
    /** Whether the next share of this owner can begin, as far as is known. */
    mayBegin: (owner: string): Promise<boolean> =>
      alone(async () => !turns.has(owner) || (await findFit(undefined, owner, false)) !== 'taken'),
  };
}
