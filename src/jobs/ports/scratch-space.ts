/**
 * The private scratch folder of one attempt. Use cases know only its name. `ConverterFiles` maps it to a local path.
 */
export interface Scratch {
  /** `<jobId>.<fence>` */
  readonly name: string;
}

/** The disk space and the number of files that an attempt has used so far. */
export interface ScratchUsage {
  /** The disk space in use. A sparse file uses less than its size. */
  readonly bytes: number;
  /** The number of files and folders. */
  readonly files: number;
}

export interface ScratchSpace {
  /** Creates the empty scratch folder of an attempt. */
  openScratch(jobId: string, fence: number): Promise<Scratch>;
  /** Measures a scratch folder, without the staged inputs. Throws LIMIT_EXCEEDED for too many files to measure. */
  scratchUsage(scratch: Scratch): Promise<ScratchUsage>;
  /** Returns the free bytes on the fullest of the disks that conversions write to. */
  freeBytes(): Promise<number>;
  /** Removes a scratch folder and its contents. Does nothing if there is none. */
  discard(scratch: Scratch): Promise<void>;
  /**
   * Removes the scratch folders of earlier attempts of a job, which a crashed or lost worker left. Keeps `kept`, and those
   * that this process still uses.
   */
  discardEarlier(jobId: string, fence: number, kept: string | undefined): Promise<void>;
  /** Ends the use of a scratch folder that `openScratch` created, without removing it. Does nothing if it has ended. */
  release(scratch: Scratch): Promise<void>;
  /**
   * Ends processes of an earlier run, and removes every scratch folder whose name is not live. Calls `readLive` after it
   * has listed the folders.
   */
  sweep(readLive: () => Promise<readonly string[]>): Promise<void>;
}
