import type { PrepareOptions, Scratch } from './media-store.ts';

/**
 * The encoded chunks of running jobs, where all workers that may encode or join them can read them. The id of a file
 * is `<chunkId>.<fence>`, so that two claims of a chunk never write the same file. Every method throws `JobFailed`.
 *
 * `options`: where the chunks are in an object store, an abort stops the copy with the reason of the abort, and
 * `whileDown` repeats the requests.
 */
export interface ChunkFiles {
  /** Moves a file that ffmpeg has written to `pass/<name>` of a scratch folder to the store. Durable when it resolves, to its size in bytes. */
  keep(scratch: Scratch, name: string, id: string, options?: PrepareOptions): Promise<number>;
  /**
   * Links or copies a stored file to `pass/<name>` of a scratch folder. Replaces a file with this name. Resolves to false if the stored file is missing.
   */
  link(scratch: Scratch, id: string, name: string, options?: PrepareOptions): Promise<boolean>;
  /** Removes files. Ignores those that are missing. `scratch`: also what `keep` has left of them in this scratch folder. */
  remove(ids: readonly string[], scratch?: Scratch): Promise<void>;
  /**
   * Removes the files that are not in the result of `readLive`. Lists the files first, so that a file that is stored
   * meanwhile stays.
   */
  sweep(readLive: () => Promise<ReadonlySet<string>>): Promise<void>;
}
