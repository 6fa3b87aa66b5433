import type { BigIntStats } from 'node:fs';
import type { WatchedStorage } from '../../../watches/ports.ts';
import { VersionTable } from '../../version-table.ts';
import { WatchMemory } from '../../watch-memory.ts';

/** The most files and folders that one memory has: about 20 MB. Folders above it are read again in each scan that reaches them. */
const MOST_FILES = 500_000;
const MOST_FOLDERS = 50_000;

/**
 * How long after a change of a folder another one can have the same time: FAT has times of two seconds, ext4 those of a tick of the kernel.
 */
const RACY_MS = 2500;

/** What is known of a folder since it was last read. */
export interface KnownFolder {
  /** See `stateOf`. */
  readonly state: string;
  /** When this state was first seen, by the monotonic clock. */
  readonly seenMs: number;
  /** When the last read began. */
  readonly readMs: number;
  /** Its wanted files. */
  readonly files: VersionTable;
  /** Its wanted files with names that no request can have. Default: none. */
  readonly unusable?: number;
}

/** Follows the folders of a memory, to hear of changes in them. */
export interface FolderFollower {
  follow(top: string, folders: ReadonlyMap<string, KnownFolder>): void;
}

/** What scans over a folder on a disk remember. Folders have paths below the watched one: '' for itself, otherwise with a slash at the end. */
export class DiskMemory extends WatchMemory {
  storage: WatchedStorage | undefined;
  readonly folders = new Map<string, KnownFolder>();
  follower: FolderFollower | undefined;
  #files = 0;
  #unusable = 0;

  get files(): number {
    return this.#files;
  }

  get unusable(): number {
    return this.#unusable;
  }

  remember(folder: string, known: KnownFolder): void {
    this.forget(folder);
    const files = known.files.size;
    if (this.folders.size >= MOST_FOLDERS || this.#files + files > MOST_FILES) return;
    this.#files += files;
    this.#unusable += known.unusable ?? 0;
    this.folders.set(folder, known);
  }

  forget(folder: string): void {
    const known = this.folders.get(folder);
    this.#files -= known?.files.size ?? 0;
    this.#unusable -= known?.unusable ?? 0;
    this.folders.delete(folder);
  }

  /** Begins to remember a folder that is being read for the first time. If the scan breaks off, the folder is read again. */
  begin(folder: string): KnownFolder | undefined {
    if (!this.folders.has(folder))
      this.remember(folder, { state: '', seenMs: 0, readMs: 0, files: new VersionTable() });
    return this.folders.get(folder);
  }

  /** Stores the version of a file in a folder that is known. */
  setVersion(folder: string, name: number, version: number): void {
    const files = this.folders.get(folder)?.files;
    if (files === undefined || (this.#files >= MOST_FILES && files.get(name) === undefined)) return;
    const before = files.size;
    files.set(name, version);
    this.#files += files.size - before;
  }
}

/**
 * Returns a text that differs when entries of a folder were added, removed or renamed, or when another folder has taken its place. It has
 * the time of the last change of the inode too, because programs that copy folders set the other time back.
 */
export const stateOf = ({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string => `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;

/** Returns a text that differs when another folder has taken the place of a folder. */
export const placeOf = ({ state }: Pick<KnownFolder, 'state'>): string => state.split(':', 2).join(':');

/**
 * Whether the last read of a folder has certainly found all changes that led to its present state. A change within one step of the clock of
 * the disk leaves the time as it is, so a folder is read once more after that step. This compares no clocks of two machines.
 */
export const isCertain = (known: KnownFolder | undefined, state: string): known is KnownFolder =>
  known !== undefined && known.state === state && known.readMs - known.seenMs >= RACY_MS;
