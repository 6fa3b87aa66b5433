import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';

/** A file that a pass has found. */
export interface FoundFile {
  readonly path: MediaPath;
  readonly bytes: number;
  /** Differs for each content of the file. */
  readonly version: string;
  /** Stays the same when the file is renamed. Absent: the storage has none. */
  readonly fileKey?: string;
  /** Whether the file is certainly complete, as an object is. Otherwise, it must stay the same for some time. */
  readonly isWhole: boolean;
}

/** What a watch looks at. */
export interface WatchedFolder {
  /** Ends with a slash. '' is the media root. Can begin with `s3://bucket/`. */
  readonly folder: string;
  readonly subfolders: boolean;
  /** Whether files with this name are wanted. Called for each name that is no name of a transfer, so it must be fast. */
  accepts(name: string): boolean;
}

/**
 * What a pass looks at. `marked`: at marked paths, and at the files of `again`. `quick`: also at folders that have changed, of which it
 * reads the names. `thorough`: at each file, because content can change while its folder does not. These three yield the files that are
 * new or changed since an earlier pass with the same memory. `full`: looks at each file and yields all.
 */
export type PassKind = 'marked' | 'quick' | 'thorough' | 'full';

/** `local`: a disk that answers in microseconds. `remote`: a network disk. `bucket`: an object store, where each pass is a list. */
export type WatchedStorage = 'local' | 'remote' | 'bucket';

export interface PassCost {
  readonly processorMs: number;
  /** The files and folders that the pass has looked at, and the names or keys that it has read. */
  readonly looks: number;
}

/**
 * What the passes over one folder remember, in memory only: the first pass with a new memory yields all files. Use it for one watch and one
 * pass at a time.
 */
export interface PassMemory {
  /** Lets the next pass look at a file, or at a folder if the path ends with a slash. Never throws. */
  mark(path: string): void;
  readonly hasMarks: boolean;
  /** Whether there were so many marks that they were dropped. Then a thorough pass must find the changes. */
  readonly isOverflowed: boolean;
  /** undefined before the first pass that has reached the folder. */
  readonly storage: WatchedStorage | undefined;
  /** The wanted files in the folder, as of the last pass. */
  readonly files: number;
  /** What the last pass has cost, also if it failed. */
  readonly cost: PassCost;
}

export interface PassOptions {
  readonly memory: PassMemory;
  readonly kind: PassKind;
  /** Files to look at and to yield in any case, if they exist. They come first. */
  readonly again: readonly MediaPath[];
  readonly signal: AbortSignal;
}

/** Finds the files of watched folders. */
export interface WatchSource {
  newMemory(where: Pick<WatchedFolder, 'folder'>): PassMemory;
  /**
   * Yields pages of files. A page counts as reported when the next one is asked for: if the caller breaks off or throws instead, a later
   * pass with this memory yields its files again. Throws `FolderUnreachable`, and the reason of an abort.
   */
  pass(root: MediaRoot, where: WatchedFolder, options: PassOptions): AsyncIterable<readonly FoundFile[]>;
  /**
   * Marks in `memory` what may have changed, and then calls `onHint`. Only hints: it may miss changes, and it knows only the folders that
   * passes with this memory have read. undefined: the storage has no hints.
   */
  listen?(root: MediaRoot, where: WatchedFolder, memory: PassMemory, onHint: () => void): Disposable | undefined;
  /** Finds one file, whatever its name. undefined: there is none. Throws `FolderUnreachable`. */
  find(root: MediaRoot, path: MediaPath): Promise<FoundFile | undefined>;
}

/**
 * Why nothing is known of a folder. `missing`: it is not there, or its disk is not mounted. `denied`: the service may not read it. `down`:
 * the storage failed. `timeout`: it has not answered.
 */
export type UnreachableReason = 'missing' | 'denied' | 'down' | 'timeout';

/** Thrown if a folder cannot be read now. What is known of its files stays as it is. The cause is only for the log. */
export class FolderUnreachable extends Error {
  override readonly name = 'FolderUnreachable';
  readonly reason: UnreachableReason;

  constructor(reason: UnreachableReason, cause?: unknown) {
    super(`The watched folder is unreachable: ${reason}.`, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

/** The most files in a page. */
export const PAGE_FILES = 500;
