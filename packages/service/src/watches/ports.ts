import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type {
  SkipReason,
  Watch,
  WatchedCounts,
  WatchedFailure,
  WatchedFile,
  WatchedFileState,
  WatchScan,
  WatchSettings,
  WatchState,
  WatchWait,
} from '@telecine/contract/domain/watch.ts';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';

/** A file in a watched folder. */
export interface FoundFile {
  readonly path: MediaPath;
  readonly bytes: number;
  /** Differs for each content of the file: its size and time on a disk, and its ETag and size in an object store. */
  readonly version: string;
  /** Stays the same when the file is renamed: the inode number, or `version` in an object store. Absent: the storage has none. */
  readonly fileKey?: string;
}

/** A file as it is now. */
export interface FoundNow extends FoundFile {
  /** See `FileFacts.fingerprint`. */
  readonly fingerprint: string;
  /** When it was changed, by the clock of the storage. */
  readonly modifiedMs: number;
  /** See `OpenFile.isOutput`. */
  isOutput(fingerprint: string | undefined): boolean;
}

/** What a client changes of a watch. null removes a value. */
export type WatchSettingsChange = {
  readonly [K in keyof WatchSettings]?: WatchSettings[K] | (undefined extends WatchSettings[K] ? null : never);
} & {
  readonly state?: WatchState;
};

/** What the service notes about a watch. null removes a value. */
export interface WatchNotes {
  readonly firstScanAt?: string;
  readonly unreachableSince?: string | null;
  readonly waitingFor?: WatchWait | null;
  readonly stopped?: WatchedFailure | null;
  readonly lastScan?: WatchScan;
}

export interface WatchStore {
  /** Resolves to false if the client already has `max` watches. */
  add(watch: Watch, max: number): Promise<boolean>;
  /** Lists the watches of a client, or of all clients, oldest first. */
  list(clientId?: string): Promise<readonly Watch[]>;
  get(watchId: string): Promise<Watch | undefined>;
  /** Lists the watches that are not paused. */
  running(): Promise<readonly Watch[]>;
  /** Whether a watch is not paused. One cheap read: a service without watches does it each minute. */
  hasRunning(): Promise<boolean>;
  /** Resolves to the changed watch. undefined: it does not exist. */
  change(watchId: string, change: WatchSettingsChange, at: string): Promise<Watch | undefined>;
  /** Stores what the service notes. At least one member is set. */
  note(watchId: string, notes: WatchNotes): Promise<void>;
  /** Removes a watch with its ledger. Resolves to false if there is none. */
  remove(watchId: string): Promise<boolean>;
  counts(watchIds: readonly string[]): Promise<ReadonlyMap<string, WatchedCounts>>;
}

/** A new row of the ledger. */
export interface NewWatchedFile
  extends Pick<WatchedFile, 'path' | 'version' | 'bytes' | 'fileKey' | 'origins' | 'skipReason'> {
  readonly state: 'READY' | 'SKIPPED';
}

/** What a poll changes in the ledger. */
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
  /** Rows with an unfinished job whose files have other content by now. */
  readonly outdated: readonly MediaPath[];
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
  /** Absent while the job is not finished, and for a folder. */
  readonly bytes?: number;
  /** See `identityOf`. */
  readonly fingerprint?: string;
  /** Whether a job is going to write it. */
  readonly isPending: boolean;
  readonly origins: readonly string[];
}

/** A text that differs for each file of a disk: the fingerprint of an output. undefined: the storage has none. */
export const identityOf = ({ fileKey, version }: Pick<FoundFile, 'fileKey' | 'version'>): string | undefined =>
  fileKey === undefined ? undefined : `${fileKey}:${version}`;

/** What becomes of a file when its job ends. */
export type AfterJob =
  | { readonly state: 'CONVERTED' }
  /** To be converted again, because it has changed. `replaces`: outputs were published. */
  | { readonly state: 'READY'; readonly replaces: boolean }
  | { readonly state: 'FAILED'; readonly failure: WatchedFailure; readonly dueAt: string }
  | { readonly state: 'NEEDS_ATTENTION'; readonly failure: WatchedFailure };

/** What a look at the source of a converted file has led to. */
export type SourceOutcome =
  /** It was moved or deleted. */
  | { readonly kind: 'done' }
  /** It stays for good. */
  | { readonly kind: 'kept'; readonly failure?: WatchedFailure }
  /** It is still what was converted, and the watch keeps it. */
  | { readonly kind: 'unchanged' }
  /** It has other content than the row says, so it is to be converted again. */
  | { readonly kind: 'changed' }
  /** It is about to be moved to this path, or deleted (`BIN`). */
  | { readonly kind: 'begun'; readonly target: string }
  /** Nothing can be done before `at`. */
  | { readonly kind: 'later'; readonly at: string; readonly failure?: WatchedFailure };

/** `WatchedFile.sourceTarget` of a file that is deleted. No path is the same. */
export const BIN = '/';

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
  /** What jobs of watches of the client have made, or make now, at the paths of these files, or with their identity. */
  madeFiles(
    clientId: string,
    files: readonly Pick<FoundFile, 'path' | 'fileKey' | 'version'>[],
  ): Promise<readonly MadeFile[]>;
  /** Stores what a poll has found. Resolves to false, and stores nothing, if the watch is paused or deleted. */
  record(watchId: string, changes: LedgerChanges, at: string): Promise<boolean>;
  /** Files whose job can be submitted: READY, or FAILED and due at this time. The oldest first. */
  due(watchId: string, at: string, limit: number): Promise<readonly WatchedFile[]>;
  /** When the next failed file is due. undefined: none waits. */
  nextDueAt(watchId: string): Promise<string | undefined>;
  /** How many files have unfinished jobs. */
  unfinished(watchId: string): Promise<number>;
  /**
   * Marks files as submitted, in the transaction that inserts their jobs. Returns the paths that it has marked: only their jobs may be
   * inserted. Another path has another version by now, or its job is already submitted. Marks none if the watch is paused or deleted.
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
      /** Counts as an attempt. */
      | { readonly state: 'FAILED'; readonly failure: WatchedFailure; readonly dueAt: string }
      | { readonly state: 'SKIPPED'; readonly skipReason: SkipReason }
      /** Tried after other files that are ready, by `dueAt`. */
      | { readonly state: 'READY'; readonly dueAt: string },
    at: string,
  ): Promise<boolean>;
  /**
   * Writes how the job of a file has ended, in the transaction that ends it. Costs a job without a watch no statement. `decide`: what becomes
   * of the file. Resolves to the row as it is then. undefined: no row is about this job.
   */
  jobEnded(tx: Tx, end: JobEnd, decide: (file: WatchedFile) => AfterJob): Promise<WatchedFile | undefined>;
  /** How many files need attention, and the one that has last come to need it. */
  attention(watchId: string): Promise<{ readonly files: number; readonly newest: WatchedFile | undefined }>;
  /**
   * Finds the row of a job or, if there is none, the row of `path` in the watch of the job. Also tells whether the watch is paused. undefined:
   * there is no row, or the watch was deleted.
   */
  fileOf(job: {
    readonly watchId: string;
    readonly jobId: string;
    readonly path: string | undefined;
  }): Promise<(WatchedFile & { readonly isPaused: boolean }) | undefined>;
  /** Converts files again. Default of `paths`: all that need attention. Resolves to their number. */
  retry(watchId: string, paths: readonly string[] | undefined, at: string): Promise<number>;
  /**
   * Converted files whose source is to be looked at: whether it is still what was converted, and to be moved or deleted. Those that have
   * waited longest first, without those converted before `sourceSince`.
   */
  sourcesToSettle(
    watch: Pick<Watch, 'watchId' | 'sourceSince'>,
    at: string,
    limit: number,
  ): Promise<readonly WatchedFile[]>;
  /** Whether another watch of the client has taken the file at this path, and has not converted it yet. */
  isWantedByOther(clientId: string, file: Pick<WatchedFile, 'watchId' | 'path'>): Promise<boolean>;
  /** Stores what a look at the source has led to. Resolves to false if the row has another version by now. */
  setSource(
    file: Pick<WatchedFile, 'watchId' | 'path' | 'version'>,
    outcome: SourceOutcome,
    at: string,
  ): Promise<boolean>;
  /** Removes rows of files that were not seen since this time, and facts about outputs that are older. */
  removeUnseen(watchId: string, before: string): Promise<number>;
  /** The files of all watches by state. */
  totals(): Promise<WatchedCounts>;
}
