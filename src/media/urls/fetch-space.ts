import pLimit from 'p-limit';

export interface FetchSpaceDeps {
  /** The free disk space where the files are written. */
  readonly freeBytes: () => Promise<number>;
  /** Free disk space that the files must leave. */
  readonly minFreeBytes: number;
}

/**
 * `taken`: there would be room without the other fetches: what they have announced and what they have written. `full`: there
 * is none even then.
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
  /** Ends the reservation. Call it when the files are removed: until then, their bytes become free again. */
  end(): void;
}

/** The bytes of the files of one fetch, as far as their size is known. */
export interface FetchBytes {
  readonly written: number;
  /** Announced and not written yet. */
  readonly missing: number;
}

/** The disk space for all fetches of this process, so that no two of them count on the same free bytes. */
export interface FetchSpace {
  /** @param countBytes Returns the bytes of the fetch at the time of the call. */
  open(countBytes: () => FetchBytes): FetchShare;
}

export function fetchSpace({ freeBytes, minFreeBytes }: FetchSpaceDeps): FetchSpace {
  interface Share {
    readonly countBytes: () => FetchBytes;
    /** The missing bytes at the last check that they passed. */
    reserved: number;
  }
  /** In the order of their first checks. */
  const shares = new Set<Share>();
  /** One check at a time: what one reserves counts in the next. */
  const alone = pLimit(1);

  return {
    open: (countBytes) => {
      const own: Share = { countBytes, reserved: 0 };
      let hasEnded = false;
      return {
        check: (isOpenEnded) =>
          alone(async () => {
            const free = (await freeBytes()) - minFreeBytes;
            const { missing } = countBytes();
            const countsLast = isOpenEnded || !shares.has(own) || missing > own.reserved;
            let reservedByOthers = 0;
            let writtenByOthers = 0;
            let isAfterOwn = false;
            for (const other of shares) {
              if (other === own) {
                isAfterOwn = true;
                continue;
              }
              const bytes = other.countBytes();
              writtenByOthers += bytes.written;
              if (countsLast || !isAfterOwn) reservedByOthers += Math.min(other.reserved, bytes.missing);
            }
            if (missing > free + writtenByOthers) return 'full';
            if (missing > free - reservedByOthers) return 'taken';
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
