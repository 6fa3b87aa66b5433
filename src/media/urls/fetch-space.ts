import pLimit from 'p-limit';

export interface FetchSpaceDeps {
  /** The free disk space where the files are written. */
  readonly freeBytes: () => Promise<number>;
  /** Free disk space that the files must leave. */
  readonly minFreeBytes: number;
}

/**
 * `taken`: there would be room without what other fetches have announced and not written yet. `full`: there is none even
 * then.
 */
export type Fit = 'fits' | 'taken' | 'full';

/** The part of the disk that one fetch uses: the files of a job, or the file of a probe. */
export interface FetchShare {
  /**
   * Checks whether the bytes that are missing fit beside those of other fetches, and if so, reserves them. A share that grew
   * since its last check, or that may grow, counts after all others. Another one counts only after those that were reserved
   * before it, so that of several the oldest go on if something else fills the disk.
   *
   * @param isOpenEnded Whether the size of a file is unknown.
   */
  check(isOpenEnded: boolean): Promise<Fit>;
  /** Ends the reservation. Call it when the files are complete or removed. */
  end(): void;
}

/** The disk space for all fetches of this process, so that no two of them count on the same free bytes. */
export interface FetchSpace {
  /** @param missingBytes Returns how many bytes are announced and not written yet, as far as their size is known. */
  open(missingBytes: () => number): FetchShare;
}

export function fetchSpace({ freeBytes, minFreeBytes }: FetchSpaceDeps): FetchSpace {
  interface Share {
    readonly missingBytes: () => number;
    /** The missing bytes at the last check that they passed. */
    reserved: number;
  }
  /** In the order of their first checks. */
  const shares = new Set<Share>();
  /** One check at a time: what one reserves counts in the next. */
  const alone = pLimit(1);

  return {
    open: (missingBytes) => {
      const own: Share = { missingBytes, reserved: 0 };
      let hasEnded = false;
      return {
        check: (isOpenEnded) =>
          alone(async () => {
            const free = (await freeBytes()) - minFreeBytes;
            const missing = missingBytes();
            const countsLast = isOpenEnded || !shares.has(own) || missing > own.reserved;
            let ofOthers = 0;
            for (const other of shares) {
              if (other !== own) ofOthers += Math.min(other.reserved, other.missingBytes());
              else if (!countsLast) break;
            }
            if (missing > free) return 'full';
            if (missing > free - ofOthers) return 'taken';
            own.reserved = missing;
            if (!hasEnded) shares.add(own);
            return 'fits';
          }),
        end: () => {
          hasEnded = true;
          shares.delete(own);
        },
      };
    },
  };
}
