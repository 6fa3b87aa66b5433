import pLimit from 'p-limit';

interface FetchSpaceDeps {
  /** Returns the free space of the disk to which the files are written, in bytes. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes that must stay free on the disk. */
  readonly minFreeBytes: number;
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

export type FetchSpace = ReturnType<typeof fetchSpace>;

/** Shares the free disk space among all fetches of this process. */
export function fetchSpace({ freeBytes, minFreeBytes }: FetchSpaceDeps) {
  interface Share {
    readonly countBytes: () => FetchBytes;
    /** The bytes that the last check with `fits` reserved: those on disk and those still to be fetched. */
    reserved: number;
  }
  /** The fetches that have reserved space, in the order of their first reservation. */
  const shares = new Set<Share>();
  /** Runs one check at a time, so that each check counts the reservations of the earlier ones. */
  const alone = pLimit(1);

  async function findFit(own: Share, isOpenEnded: boolean): Promise<Fit> {
    const free = (await freeBytes()) - minFreeBytes;
    const { written, missing } = own.countBytes();
    const countsLast = isOpenEnded || !shares.has(own) || written + missing > own.reserved;
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
      if (countsLast || !isAfterOwn) reservedByOthers += Math.max(0, other.reserved - bytes.written);
    }
    if (missing > free + writtenByOthers) return 'full';
    if (missing > free - reservedByOthers) return 'taken';
    own.reserved = written + missing;
    return 'fits';
  }

  return {
    /**
     * Opens the share of one fetch: of all files of a job, or of the file of a probe.
     *
     * @param countBytes Returns the current bytes of the fetch.
     */
    open: (countBytes: () => FetchBytes) => {
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
            const found = await findFit(own, isOpenEnded);
            if (found === 'fits' && !hasEnded) shares.add(own);
            return found;
          }),
        /** Ends the reservation. Call this when the files are removed. */
        end: (): void => {
          hasEnded = true;
          shares.delete(own);
        },
      };
    },
  };
}
