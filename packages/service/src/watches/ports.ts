import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type {
  SkipReason,
  Watch,
  WatchedCounts,
  WatchedFailure,
  WatchedFile,
  WatchedFileState,
  WatchPass,
  WatchSettings,
  WatchState,
  WatchWait,
} from '@telecine/contract/domain/watch.ts';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';

/** A file that a pass has found. */
export interface FoundFile {
  readonly path: MediaPath;
  readonly bytes: number;
  /** Differs for each content of the file: size and time on a disk, the ETag and the size in S3. */
  readonly version: string;
  /** Stays the same when the file is renamed: device and inode. Absent in S3. */
  readonly fileKey?: string;
  /** Objects are whole as soon as they exist. */
  readonly isWhole: boolean;
}

/** What is watched. */
export interface WatchedFolder {
  /** Ends with a slash, or is '' for the whole media root. It can begin with `s3://bucket/`. */
  readonly folder: string;
  readonly subfolders: boolean;
  /** Whether a file with this name is wanted. Never called with names of transfers in progress. */
  accepts(name: string): boolean;
}

/**
 * `marked`: looks only at marked paths and at files that are not whole yet. `quick`: also at folders that have changed. `thorough`: looks at
 * each file, and yields those that are new or have changed. `full`: yields every file.
 */
export type PassKind = 'marked' | 'quick' | 'thorough' | 'full';

/** `remote`: a disk of another machine, such as NFS, whose changes no event tells. */
export type WatchedStorage = 'local' | 'remote' | 'bucket';

export interface PassCost {
  /** Processor time in milliseconds. */
  readonly processorMs: number;
  /** Calls to the storage. */
  readonly looks: number;
}

/** What a source remembers between the passes over one folder. It is in memory only: the first pass after a start is a full one. */
export interface PassMemory {
  /** The next pass looks at this path. A folder ends with a slash. */
  mark(path: string): void;
  readonly hasMarks: boolean;
  /** Whether marks were lost, because there were too many: the next pass must be thorough. */
  readonly isOverflowed: boolean;
  /** undefined: no pass has ended. */
  readonly storage: WatchedStorage | undefined;
  /** The files that it knows. */
  readonly files: number;
  /** Of the last pass. */
  readonly cost: PassCost;
}

export interface PassOptions {
  readonly memory: PassMemory;
  readonly kind: PassKind;
  /** Files to look at again, because they were not whole. */
  readonly again: Iterable<MediaPath>;
  readonly signal: AbortSignal;
}

/** Lists the files of watched folders. */
export interface WatchSource {
  newMemory(): PassMemory;
  /**
   * Yields pages of at most 500 files, without names of the service and of transfers in progress. A page counts as seen when the next one is
   * asked for: if the loop breaks or throws, its files come again. Throws `FolderUnreachable`.
   */
  pass(root: MediaRoot, where: WatchedFolder, options: PassOptions): AsyncIterable<readonly FoundFile[]>;
  /**
   * Marks what may have changed in the memory, and then calls `onHint`. These are hints: events can be missing. Absent: the storage tells
   * nothing.
   */
  listen?(root: MediaRoot, where: WatchedFolder, memory: PassMemory, onHint: () => void): AsyncDisposable;
  /** Returns one file as it is now. undefined: it does not exist. Throws `FolderUnreachable`. */
  find(root: MediaRoot, path: MediaPath): Promise<FoundFile | undefined>;
}

/** The folder of a watch cannot be read now, for example because a share is not mounted. It says nothing about the files. */
export class FolderUnreachable extends Error {
  override readonly name = 'FolderUnreachable';
  readonly reason: 'missing' | 'denied' | 'down' | 'timeout';

  constructor(reason: FolderUnreachable['reason'], cause?: unknown) {
    super(`The watched folder cannot be read: ${reason}.`, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

/** What a client changes of a watch. null removes a value. */
export type WatchSettingsChange = {
  readonly [K in keyof WatchSettings]?: WatchSettings[K] | (undefined extends WatchSettings[K] ? null : never);
} & { readonly state?: WatchState };

/** What the service notes about a watch. null removes a value. */
export interface WatchNotes {
  readonly state?: WatchState;
  readonly firstPassAt?: string;
  readonly unreachableSince?: string | null;
  readonly waitingFor?: WatchWait | null;
  readonly stopped?: WatchedFailure | null;
  readonly lastPass?: WatchPass;
}

export interface WatchStore {
  /** Resolves to false if the client already has `max` watches. */
  add(watch: Watch, max: number): Promise<boolean>;
  /** Lists the watches of a client, or of all clients, oldest first. */
  list(clientId?: string): Promise<readonly Watch[]>;
  get(watchId: string): Promise<Watch | undefined>;
  /** Lists the watches that are not paused. One cheap read: a service without watches does it each minute. */
  running(): Promise<readonly Watch[]>;
  /** Resolves to the changed watch. undefined: it does not exist. */
  change(watchId: string, change: WatchSettingsChange, at: string): Promise<Watch | undefined>;
  /** Stores what the service notes. Does nothing if the watch is gone, or if `ifState` is not its state. */
  note(watchId: string, notes: WatchNotes, ifState?: WatchState): Promise<boolean>;
  /** Removes a watch with its ledger. Resolves to false if there is none. */
  remove(watchId: string): Promise<boolean>;
  counts(watchIds: readonly string[]): Promise<ReadonlyMap<string, WatchedCounts>>;
}

/** A new row of the ledger. */
export interface NewWatchedFile
  extends Pick<WatchedFile, 'path' | 'version' | 'bytes' | 'fileKey' | 'origins' | 'skipReason'> {
  readonly state: 'READY' | 'SKIPPED';
}

/** What a page of a pass changes in the ledger. */
export interface LedgerChanges {
  /** Added if there is no row with their path. */
  readonly added: readonly NewWatchedFile[];
  /** Rows that get a new version, if they still have the old one. */
  readonly renewed: readonly (NewWatchedFile & {
    readonly from: Pick<WatchedFile, 'version' | 'state'>;
    /** The outputs of an earlier version are replaced. */
    readonly replaces: boolean;
  })[];
  /** Rows of files that were renamed. The row keeps everything but its path. */
  readonly moved: readonly { readonly from: MediaPath; readonly to: MediaPath; readonly isReady: boolean }[];
  /** Rows whose files still exist. */
  readonly seen: readonly MediaPath[];
}

/** A file whose job is submitted. */
export interface FileSubmission {
  readonly path: MediaPath;
  readonly version: string;
  readonly jobId: string;
  /** The paths of the outputs that the request names. */
  readonly outputs: readonly string[];
  /** The watches through which the outputs come to be. */
  readonly origins: readonly string[];
}

/** Where a file came from, if a job of a watch has made it. */
export interface MadeFile {
  readonly path: string;
  /** Absent while the job is not finished. */
  readonly bytes?: number;
  readonly origins: readonly string[];
}

/** What becomes of a file when its job ends. */
export type AfterJob =
  | { readonly state: 'CONVERTED' }
  | { readonly state: 'FAILED'; readonly failure: WatchedFailure; readonly dueAt: string }
  | { readonly state: 'NEEDS_ATTENTION'; readonly failure: WatchedFailure };

export interface WatchedFilesQuery {
  readonly state?: WatchedFileState;
  readonly after?: string;
  readonly limit: number;
}

/** The ledger of the files of all watches: what was converted, so that nothing is converted twice and nothing is forgotten. */
export interface WatchLedger {
  list(watchId: string, query: WatchedFilesQuery): Promise<readonly WatchedFile[]>;
  /** The rows of these paths, at most 1,000. */
  find(watchId: string, paths: readonly string[]): Promise<ReadonlyMap<string, WatchedFile>>;
  /** The rows with these file keys, for renames. */
  findByKey(watchId: string, fileKeys: readonly string[]): Promise<readonly WatchedFile[]>;
  /** The files among these paths that jobs of watches of the client have made, or make now. */
  madeFiles(clientId: string, paths: readonly string[]): Promise<readonly MadeFile[]>;
  /** Stores what a page of a pass has found. */
  record(watchId: string, changes: LedgerChanges, at: string): Promise<void>;
  /** Files whose job can be submitted: READY, or FAILED and due. The oldest first. */
  due(watchId: string, at: string, limit: number): Promise<readonly WatchedFile[]>;
  /** When the next failed file is due. undefined: none waits. */
  nextDueAt(watchId: string): Promise<string | undefined>;
  /** How many files have unfinished jobs. */
  unfinished(watchId: string): Promise<number>;
  /**
   * Marks files as submitted, in the transaction that inserts their jobs. Returns the paths that it has marked: only their jobs may be
   * inserted. Another path has another version by now, or its job is already submitted.
   */
  submit(
    tx: Tx,
    watch: Pick<Watch, 'watchId' | 'clientId'>,
    files: readonly FileSubmission[],
    at: string,
  ): Promise<ReadonlySet<string>>;
  /** Writes that a file cannot be submitted, if its row is still as it was read. */
  settle(
    file: Pick<WatchedFile, 'watchId' | 'path' | 'version' | 'state'>,
    as:
      | { readonly state: 'NEEDS_ATTENTION'; readonly failure: WatchedFailure }
      | { readonly state: 'SKIPPED'; readonly skipReason: SkipReason },
    at: string,
    tx?: Tx,
  ): Promise<boolean>;
  /**
   * Writes how the job of a file has ended, in the transaction that ends it. Costs a job without a watch no statement. `decide`: what becomes
   * of the file. Resolves to the row as it is then. undefined: no row is about this job.
   */
  jobEnded(tx: Tx, end: JobEnd, decide: (file: WatchedFile) => AfterJob): Promise<WatchedFile | undefined>;
  /** Converts files again. Default of `paths`: all that need attention. Resolves to their number. */
  retry(watchId: string, paths: readonly string[] | undefined, at: string): Promise<number>;
  /** Converted files whose source is still to be moved or deleted, the oldest first. */
  sourcesToSettle(watchId: string, limit: number): Promise<readonly WatchedFile[]>;
  /** Stores what became of the source. Resolves to false if the row has another version by now. */
  setSource(
    file: Pick<WatchedFile, 'watchId' | 'path' | 'version'>,
    result: NonNullable<WatchedFile['source']>,
    at: string,
  ): Promise<boolean>;
  /** Removes rows of files that were not seen since this time, and facts about outputs that are older. */
  removeUnseen(watchId: string, before: string): Promise<number>;
  /** The files of all watches by state. */
  totals(): Promise<WatchedCounts>;
}
