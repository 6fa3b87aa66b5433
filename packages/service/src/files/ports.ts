import type { Readable } from 'node:stream';
import type { ReadOutputs, ReadOutputsNear } from '@telecine/contract/domain/all-outputs.ts';
import type { AuditRecord } from '@telecine/contract/domain/audit.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MatchesSearch } from '@telecine/contract/domain/file-search.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { Share } from '@telecine/contract/domain/share.ts';
import type { StorageSize, WalkFiles } from '@telecine/contract/domain/stored-files.ts';

export interface FileFacts {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** A text that differs for each content of this path. Clients never see it. */
  readonly fingerprint: string;
}

export interface FileReply {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** An open file. `read` returns only bytes of this file, even if another file takes its path. */
export interface OpenFile extends FileFacts {
  /** Returns whether the file is still the job output with this fingerprint. */
  isOutput(fingerprint: string | undefined): boolean;
  /**
   * Returns a URL from which anyone can download the file for a short time, with the header fields of `reply`.
   * undefined: only the service can send the file.
   */
  directUrl?(reply: FileReply): Promise<string>;
  /**
   * Reads the bytes from `first` to `last`, both included. Fails if the file is shorter. Closes the file when the
   * stream ends or is destroyed. Call this only once.
   *
   * @param unsentBytes Returns how many of the last bytes that were read are still in use. The memory of earlier bytes
   * is reused. undefined: no memory is reused.
   */
  read(first: number, last: number, unsentBytes?: () => number): Readable;
  /** Closes the file. Only needed if `read` is not called. */
  close(): Promise<void>;
}

/**
 * Throws a `Problem` if the file at a path may not be changed. `current`: the file. undefined: there is none. Called again right before a change.
 * What another program puts at the path in the instant after that, or in a bucket that ignores conditions, is changed too.
 */
export type FileCheck = (current: FileFacts | undefined) => void;

/** A published upload. */
export interface Published {
  readonly file: FileFacts;
  /** The file that it has replaced. */
  readonly before: FileFacts | undefined;
  /** The entry of that file in the bin. */
  readonly replaced?: BinEntry | undefined;
}

export type FileEntry =
  | ({ readonly kind: 'file' } & FileFacts)
  /** A folder. Its `path` ends with a slash. */
  | { readonly kind: 'folder'; readonly path: string };

export interface FolderQuery {
  /** The folder to list. It ends with a slash, or is '' for the media root. */
  readonly folder: string;
  /** Lists only names that begin with this text. */
  readonly nameStart: string;
  /** The last name of the previous page. Only entries after it are listed. The name of a folder ends with a slash. */
  readonly after?: string;
  readonly limit: number;
}

export interface SearchQuery extends Omit<FolderQuery, 'after'> {
  /** Where the previous page ended: `FilePage.nextAfter`. */
  readonly after?: string;
  readonly matches: MatchesSearch;
  /** The maximum number of names that are looked at. */
  readonly maxNames: number;
}

export interface FilePage {
  readonly entries: readonly FileEntry[];
  /** Where this page ends: a path below the folder. undefined: it is the last page. */
  readonly nextAfter?: string;
}

/** The files in a folder and in the folders below it. */
export interface FileTree {
  readonly files: readonly FileFacts[];
  /** How many files and folders were found. In an object store, the objects. */
  readonly entries: number;
}

/**
 * Who changes files. Changes on a disk take turns between clients. One that has not begun when `hangUp` is aborted rejects with its reason.
 * Absent: the changes of all such callers take one turn together.
 */
export type ChangedBy = Pick<Caller, 'clientId' | 'hangUp'>;

/**
 * Stores the files of clients. Throws FILE_NOT_FOUND, NOT_A_FILE, STORAGE_FAULT. Throws INVALID_REQUEST for a path
 * outside the media root.
 */
export interface FileStore {
  open(root: MediaRoot, path: MediaPath): Promise<OpenFile>;
  /**
   * Deletes a file, or an empty folder if `isFolder`. `keep`: moves it into the bin of the media root, a folder with all that is in it; no other
   * method finds it there. Resolves to its entry in the bin. undefined: it is not kept, or the files of a folder have become entries of their
   * own. Throws FOLDER_NOT_EMPTY.
   */
  remove(
    root: MediaRoot,
    path: MediaPath,
    options?: {
      readonly isFolder?: boolean;
      readonly keep?: boolean;
      /** Called with the file right before it is deleted. Not for folders. */
      readonly check?: FileCheck | undefined;
      readonly by?: ChangedBy;
    },
  ): Promise<BinEntry | undefined>;
  /**
   * Moves a file or, if `isFolder`, a folder with all that is in it. Errors about a path have the field `/from` or `/to`. After a crash, a file can
   * be at both paths, but never at none; in an object store also after a failure, and the same call ends the move. Throws FILE_EXISTS if `to` is
   * taken, unless it is a file and `replace` is true, and INVALID_REQUEST for a folder with too many files for the engine.
   */
  move(
    root: MediaRoot,
    from: MediaPath,
    to: MediaPath,
    options: {
      readonly isFolder?: boolean;
      readonly replace: boolean;
      /** Called with the file right before it moves. Not for folders. */
      readonly check?: FileCheck | undefined;
      readonly by?: ChangedBy;
    },
  ): Promise<FileEntry>;
  /** Creates an empty folder and missing folders above it. Throws FILE_EXISTS if the path is taken. */
  createFolder(root: MediaRoot, path: MediaPath, by?: ChangedBy): Promise<void>;
  /** Whether this storage has bins. `versions`: a bucket with versions, in which each deletion and replacement keeps a file by itself. */
  binOf(root: MediaRoot): Promise<'folder' | 'versions' | 'none'>;
  /** Lists what can be restored, the newest first. */
  listBin(root: MediaRoot): Promise<readonly BinItem[]>;
  /** Returns where the file or folder of an entry was. undefined: there is no such entry. */
  pathInBin(root: MediaRoot, entryId: string): Promise<string | undefined>;
  /** Moves an entry of the bin to a free path. `bytes`: how much has left the bin. Throws FILE_NOT_FOUND if there is no such entry, FILE_EXISTS. */
  restoreFromBin(
    root: MediaRoot,
    entryId: string,
    to: MediaPath,
    by?: ChangedBy,
  ): Promise<{ readonly entry: FileEntry; readonly bytes: number }>;
  /** Deletes an entry of the bin. Resolves to its bytes. undefined: there is no such entry, or another request has restored or deleted it. */
  purgeFromBin(root: MediaRoot, entryId: string): Promise<number | undefined>;
  /** Returns how many bytes are free on the disk of the bin. */
  freeBytes(root: MediaRoot): Promise<number>;
  /** See `WalkFiles`. Also lists the files in bins. Leaves out symlinks and what the service may not read. A missing folder has no files. */
  readonly walk: WalkFiles;
  /**
   * Lists the entries of one folder, sorted by name. (An object store sorts a folder by its name with the slash.) A
   * missing folder has no entries.
   */
  list(
    root: MediaRoot,
    query: FolderQuery,
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>;
  /**
   * Searches a folder and the folders below it. Leaves out what `list` leaves out, and what is behind a symlink to a folder, which can lead in
   * a circle. A page ends at `limit` entries, when `maxNames` names were looked at, or after some lists of an object store; the next one
   * continues there. A missing folder has no entries. If `signal` is aborted, rejects with the reason of the abort.
   */
  search(root: MediaRoot, query: SearchQuery, signal: AbortSignal): Promise<FilePage>;
  /**
   * Lists all files in a folder and in the folders below it. Leaves out what `list` leaves out, and what is behind a symlink to a folder,
   * which can lead in a circle. Resolves to undefined if there are more than `most` files and folders. Throws FILE_NOT_FOUND if there
   * is no such folder. If `signal` is aborted, rejects with the reason of the abort. `withoutLinks`: leaves out symlinks to files, which have the
   * size of another file.
   */
  listTree(
    root: MediaRoot,
    folder: MediaPath,
    most: number,
    signal: AbortSignal,
    withoutLinks?: boolean,
  ): Promise<FileTree | undefined>;
}

/** A right that only one holder has, for a limited time. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Data that can still be read after the lease has ended. */
  readonly data?: string;
}

/** Leases, which all services with this database share. */
export interface Leases {
  /**
   * Gives a lease to `lease.holder`, or renews it. `lease.data` replaces the stored data. Resolves to false if another
   * holder has the lease.
   */
  take(lease: Lease, seconds: number): Promise<boolean>;
  /** Ends a lease. Does nothing if another holder has the lease. */
  release(lease: Lease): Promise<void>;
  /** Returns whether at least one of these leases has a holder now. */
  anyHeld(names: readonly string[]): Promise<boolean>;
  /** Lists all leases whose names begin with `prefix`, including expired ones. */
  list(prefix: string): Promise<readonly Omit<Lease, 'holder'>[]>;
  /** Lists expired leases whose names begin with `prefix`. */
  expired(prefix: string, limit: number): Promise<readonly Omit<Lease, 'holder'>[]>;
}

export interface JobLookup {
  /** Returns a job. Throws JOB_NOT_FOUND if it does not exist or the caller may not see it. */
  get(caller: Caller, jobId: string): Promise<Job>;
  /** Reads the outputs of a job. An unknown job has none. */
  readonly outputs: ReadOutputs;
  readonly outputsNear: ReadOutputsNear;
  rootOf(clientId: string): Promise<MediaRoot>;
}

/** `request`: JSON of a ConversionRequest. */
export type UnfinishedJob = Pick<Job, 'jobId' | 'status'> & { readonly request: string };

/** Reads queued and running jobs, to find those that use a file. */
export interface UnfinishedJobs {
  /** See `JobStore.unfinished`. */
  unfinished(clientId: string): AsyncIterable<UnfinishedJob>;
}

/** A deleted file or folder that can be restored. */
export interface BinItem {
  readonly entryId: string;
  /** The size of the file, or of all files in the folder. */
  readonly bytes: number;
  readonly deletedAt: Date;
}

export interface BinEntry extends BinItem {
  /** Where the file or folder was. The path of a folder ends with a slash. */
  readonly path: string;
}

export interface UploadRecord {
  readonly uploadId: string;
  readonly clientId: string;
  /** The path of the file in the media root of the client. */
  readonly path: MediaPath;
  /** The size of the file, or the room that is reserved for a body of unknown length. */
  readonly sizeBytes: number;
  /** How many bytes are stored so that they survive a crash. */
  readonly offsetBytes: number;
  /** The header field `Upload-Metadata`, exactly as the client sent it. */
  readonly metadata: string;
  /** The terms of the upload as JSON: the link that it came by, the conditions about the file that it replaces, and whether to keep it. */
  readonly precondition: string;
  /** Data of the engine about the stored bytes. '' after they are removed. */
  readonly data: string;
  /** true: the file is complete and was published at its path. */
  readonly isPublished: boolean;
}

export type UploadChange = Partial<Pick<UploadRecord, 'offsetBytes' | 'precondition' | 'data'>>;

export interface UploadLimits {
  /** The maximum number of unfinished uploads of a client. */
  readonly maxOpen: number;
  /** The maximum number of records of published uploads of a client. */
  readonly maxPublished: number;
  readonly maxStoredBytes?: number | undefined;
  /** The link by which the upload comes. */
  readonly shareId?: string | undefined;
}

/** Stores the records of uploads. All times are by the clock of the database. */
export interface UploadStore {
  /**
   * Adds a record that expires after `seconds`, and that `holder` may change. Resolves to false if the client already has `maxOpen` unfinished
   * uploads. Throws StorageExceeded if the uploads and files of the client would exceed `maxStoredBytes`, and LINK_USED if the link `shareId`
   * has ended or takes no more files; counts the file for the link. If the client has `maxPublished` records of published uploads without bytes,
   * removes the oldest.
   */
  add(record: UploadRecord, holder: string, seconds: number, limits: UploadLimits): Promise<boolean>;
  /** Finds an upload. Resolves to undefined if it has expired. */
  find(clientId: string, uploadId: string): Promise<UploadRecord | undefined>;
  /**
   * Gives `holder` the sole right to save changes of an upload. Renews the record, unless the upload is published.
   * Resolves to undefined if the upload is unknown.
   */
  claim(clientId: string, uploadId: string, holder: string, seconds: number): Promise<UploadRecord | undefined>;
  /**
   * Changes and renews a record. If another holder has claimed the record, or if it was removed, changes nothing and
   * resolves to false.
   */
  save(uploadId: string, holder: string, change: UploadChange, seconds: number): Promise<boolean>;
  /** Adds bytes to the size of an upload. Throws StorageExceeded. */
  grow(clientId: string, uploadId: string, bytes: number, maxStoredBytes: number | undefined): Promise<void>;
  /**
   * Counts a published file instead of its upload (see `StoredFiles`). `change`: what the client then stores more. Removes the conditions of
   * the upload, or with `seconds` 0 its record. Resolves to false as `save` does.
   */
  publish(
    clientId: string,
    uploadId: string,
    holder: string,
    publication: { readonly precondition: string; readonly change: Partial<StorageSize> },
    seconds: number,
  ): Promise<boolean>;
  /** Removes a record. Resolves to false if the record is missing. `shareId`: the link that may take another file instead. */
  remove(uploadId: string, shareId?: string): Promise<boolean>;
  /** Removes expired records of published uploads that have no bytes, `batch` in each transaction. Resolves to their number. */
  removePublished(batch: number): Promise<number>;
  /** Lists expired uploads, the oldest first. */
  expired(limit: number): Promise<readonly UploadRecord[]>;
  /** Returns those of `uploadIds` that have a record. */
  recorded(uploadIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether the data of an upload has the id of a multipart upload. */
  isInUse(multipartId: string): Promise<boolean>;
  /** Returns the number of unfinished uploads of all clients. */
  countOpen(): Promise<number>;
}

/** An upload, and the media root of its client. */
export interface StoredUpload extends Pick<UploadRecord, 'uploadId' | 'path' | 'offsetBytes' | 'data'>, ChangedBy {
  readonly root: MediaRoot;
  /** undefined: the file ends with the bytes that are appended. */
  readonly sizeBytes: number | undefined;
  /** The folder, with a slash at its end, that the file must be in, also if symlinks lead elsewhere. undefined: the media root. */
  readonly folder?: string | undefined;
}

type SaveUpload = (change: UploadChange) => Promise<void>;

/** How to publish an upload. */
export interface Publishing {
  readonly check: FileCheck;
  /** Keeps the file that is replaced in the bin, if that is possible. */
  readonly keepsReplaced?: boolean;
  /** What `append` has not stored. */
  readonly rest?: Uint8Array | undefined;
  /** Called before the file appears, so that publishing can be repeated after a crash. Absent: nobody repeats it. */
  readonly save?: SaveUpload | undefined;
}

/** Stores the bytes of uploads, which no client can see until `publish`. Every method throws `Problem`. */
export interface UploadParts {
  /** Checks whether an upload can begin. Throws NO_SPACE, and the errors of `check`. */
  begin(upload: StoredUpload, check: FileCheck): Promise<void>;
  /**
   * Stores `bytes` from `upload.offsetBytes` on. Calls `save` with each offset up to which the bytes survive a crash, and with data about
   * them: at least once a second if the client sends fast. If `bytes` throws, saves what has arrived and then throws the error. The end of a
   * complete file is only saved by `publish`. Resolves to the new offset. Also throws NO_SPACE, STORAGE_FAULT.
   */
  append(
    upload: StoredUpload,
    bytes: AsyncIterable<Uint8Array>,
    save: SaveUpload,
  ): Promise<{ readonly offsetBytes: number; readonly rest?: Uint8Array }>;
  /**
   * Publishes the complete file at its path if `check` allows it, and otherwise changes nothing. Can be repeated after a crash at any point;
   * a repeated call does not check a file that is already published.
   */
  publish(upload: StoredUpload, publishing: Publishing): Promise<Published>;
  /** Removes the bytes of an upload, but not a published file. */
  remove(upload: Pick<UploadRecord, 'uploadId' | 'data'>): Promise<void>;
  /** Lists the ids of uploads that have bytes. Absent: the engine itself removes bytes that have no record. */
  list?(): Promise<readonly string[]>;
}

/** Stores shares. All times are compared by the clock of the database. */
export interface ShareStore {
  /**
   * Adds a share. `linkHash`: the hash of the secret in its link. `most`: the maximum number of shares of the client that
   * have not ended. Resolves to false if the client has as many. Of those that have ended, only `SHARE_LIMITS.ended` stay.
   */
  add(share: Share, linkHash: string, most: number): Promise<boolean>;
  /** Returns how many shares of a client have not ended. */
  count(clientId: string): Promise<number>;
  /** Finds a share, or one that has ended and is not removed yet. */
  find(linkHash: string): Promise<Share | undefined>;
  /**
   * Lists shares, newest first. `clientId`: only those of this client. `before`: the last id of the previous page. `hasEnded`: also those
   * that have ended.
   */
  list(query: {
    readonly clientId?: string;
    readonly of?: SharedBy;
    readonly before?: string;
    readonly hasEnded: boolean;
    readonly limit: number;
  }): Promise<readonly Share[]>;
  /**
   * Revokes a share, unless it was revoked before. `by`: the client that revokes it. `clientId`: only if it is a share of this client.
   * `recordOf`: makes the audit record, which is stored in the same transaction. Not called if the share was revoked before.
   * Resolves to the share, also in this case.
   */
  revoke(
    shareId: string,
    by: string,
    clientId: string | undefined,
    recordOf: (share: Share) => AuditRecord,
  ): Promise<Share | undefined>;
  /** Adds to the number of uses of shares, by their ids. Unknown ids are ignored. */
  addUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Removes shares that have ended `seconds` ago, at most `limit`. Resolves to the number of removed shares. */
  removeEnded(seconds: number, limit: number): Promise<number>;
}

/** Selects shares by what they share: the outputs of the job, or one of the files of a client. With both, either is enough. */
export interface SharedBy {
  readonly jobId?: string;
  readonly files?: { readonly clientId: string; readonly paths: readonly string[] };
}
