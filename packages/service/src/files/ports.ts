import type { Readable } from 'node:stream';
import type { ReadOutputs } from '@telecine/contract/domain/all-outputs.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { CountedFile } from '@telecine/contract/domain/stored-files.ts';

/** The state of a file at one moment. */
export interface FileFacts {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Differs for each content at this path. Clients never see it. */
  readonly fingerprint: string;
}

/** The header fields of a reply with a file. */
export interface FileReply {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** An open file. If another file replaces it at its path, `read` never returns bytes of the other file. */
export interface OpenFile extends FileFacts {
  /** Whether the file is an unchanged output with this `JobOutput.fingerprint`. */
  isOutput(fingerprint: string | undefined): boolean;
  /**
   * Returns a URL at which anyone can download the file for a short time. Its reply has the header fields `reply`. Absent if only
   * the service can send the file.
   */
  directUrl?(reply: FileReply): Promise<string>;
  /**
   * Reads the bytes from `first` to `last`, both included. Fails if the file is shorter. Closes the file when the stream ends or is
   * destroyed. Call this once.
   *
   * @param unsentBytes Returns how many of the last bytes are still in use. Earlier memory is used again. Absent: all are in use.
   */
  read(first: number, last: number, unsentBytes?: () => number): Readable;
  /** Call this only if you do not call `read`. */
  close(): Promise<void>;
}

/** Throws `Problem` if the file at a path, `current`, must not be changed. `current`: undefined if there is no file. */
export type FileCheck = (current: FileFacts | undefined) => void;

/** An upload in progress. The file is invisible until `publish`. */
export interface UploadSession {
  /** Adds bytes at the end. Throws NO_SPACE, STORAGE_FAULT, and errors of `bytes`. */
  append(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes the whole file durable and visible, or changes nothing. Runs the check of `beginUpload` again. */
  publish(): Promise<{ readonly file: FileFacts; readonly created: boolean }>;
  /** Removes temporary files. Call this last, whether the upload succeeded or not. */
  discard(): Promise<void>;
}

export type FileEntry =
  | ({ readonly kind: 'file' } & FileFacts)
  /** `path` ends with a slash. */
  | { readonly kind: 'folder'; readonly path: string };

export interface FolderQuery {
  /** '' for the media root itself; otherwise ends with a slash. */
  readonly folder: string;
  /** Only names that start with this text. */
  readonly nameStart: string;
  /** Only entries after this one: the last name of the previous page, with a slash if it is a folder. */
  readonly after?: string;
  readonly limit: number;
}

/** Stores clients' files. Throws FILE_NOT_FOUND, NOT_A_FILE, STORAGE_FAULT, INVALID_REQUEST for a path outside the media root. */
export interface FileStore {
  open(root: MediaRoot, path: MediaPath): Promise<OpenFile>;
  /** `sizeBytes`: the size of the file, if known. Throws NO_SPACE and the error of `check`. */
  beginUpload(
    root: MediaRoot,
    path: MediaPath,
    options: { readonly sizeBytes?: number; readonly check: FileCheck },
  ): Promise<UploadSession>;
  remove(root: MediaRoot, path: MediaPath, check: FileCheck): Promise<void>;
  /** Deletes an empty folder. Throws FOLDER_NOT_EMPTY. */
  removeFolder(root: MediaRoot, path: MediaPath): Promise<void>;
  /** Lists one folder, sorted by name; an object store sorts folders with their slash. A missing folder is empty. */
  list(
    root: MediaRoot,
    query: FolderQuery,
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>;
}

/** A right that one holder has for a time. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** The data for another holder after the end of the lease. */
  readonly data?: string;
}

/** Leases that all services of a database share. */
export interface Leases {
  /** Gives the holder a lease, or renews it. `data` replaces the data of the lease. Resolves to false if another holder has it. */
  take(lease: Lease, seconds: number): Promise<boolean>;
  /** Ends a lease, unless another holder has it. */
  release(lease: Lease): Promise<void>;
  /** Whether one of these leases has a holder now. */
  anyHeld(names: readonly string[]): Promise<boolean>;
  /** Lists all leases whose names begin with `prefix`, with expired ones. */
  list(prefix: string): Promise<readonly Omit<Lease, 'holder'>[]>;
  /** Lists expired leases whose names begin with `prefix`. */
  expired(prefix: string, limit: number): Promise<readonly Omit<Lease, 'holder'>[]>;
}

/** Finds jobs and their outputs. */
export interface JobLookup {
  /** Throws JOB_NOT_FOUND, also for a job that the caller may not see. */
  get(caller: Caller, jobId: string): Promise<Job>;
  /** Empty for an unknown job. */
  readonly outputs: ReadOutputs;
  rootOf(clientId: string): Promise<MediaRoot>;
}

/** A counted file of a client. */
export interface FileToCheck extends CountedFile {
  readonly clientId: string;
}

/** Finds counted files to check: another program may have changed them, or a crash may have prevented their publishing. */
export interface FileChecks {
  /**
   * Lists files that were counted before this time, the oldest first. A corrected file counts as five hours younger, because each
   * look is a request to an object store.
   *
   * @param except Clients whose files are not listed.
   */
  checkedBefore(at: string, limit: number, except?: readonly string[]): Promise<readonly FileToCheck[]>;
  /**
   * Ends at most `limit` files that are pending since before this time, because their publisher was killed. `checkedBefore` lists
   * these files first. Resolves to their number.
   */
  expirePending(at: string, limit: number): Promise<number>;
  /** Lists clients whose files were not added up since this time. */
  clientsToAddUp(at: string, limit: number): Promise<readonly string[]>;
  /** Adds up the files of a client. */
  addUp(clientId: string): Promise<void>;
}

/** The used upload links. Each link works once. */
export interface UsedLinks {
  /**
   * Marks a link as used. Resolves to true for one of several calls at once, and to false for a used link. The mark stays until a
   * day after `expiresAt`; later, every call resolves to false.
   */
  use(linkId: string, expiresAt: Date): Promise<boolean>;
  /** Removes the mark of a link whose upload failed. */
  release(linkId: string): Promise<void>;
  isUsed(linkId: string): Promise<boolean>;
}

/** The record of a resumable upload. */
export interface UploadRecord {
  readonly uploadId: string;
  readonly clientId: string;
  /** The path of the file in the media root of the client. */
  readonly path: MediaPath;
  readonly sizeBytes: number;
  /** The number of bytes that are stored and survive a crash. */
  readonly offsetBytes: number;
  /** `Upload-Metadata` as the client sent it. */
  readonly metadata: string;
  /** The client's conditions for the replaced file, as JSON. */
  readonly precondition: string;
  /** The engine's data about the bytes. '' until `UploadParts.begin` returns, and after the bytes are removed. */
  readonly data: string;
  /** Whether the file is complete and at its path. */
  readonly isPublished: boolean;
}

export type UploadChange = Partial<Pick<UploadRecord, 'offsetBytes' | 'data' | 'isPublished'>>;

/** The limits for the uploads of a client. */
interface UploadLimits {
  /** Unfinished uploads. */
  readonly maxOpen: number;
  /** Records of published uploads. */
  readonly maxPublished: number;
  readonly maxStoredBytes?: number;
}

/** The records of resumable uploads. Times are by the clock of the database. */
export interface UploadStore {
  /**
   * Adds a record that expires after `seconds`. Resolves to false if the client has `maxOpen` unfinished uploads. Throws
   * QUOTA_EXCEEDED if its uploads and files would exceed `maxStoredBytes`. If the client has `maxPublished` published uploads,
   * removes the oldest ones without bytes.
   */
  add(record: UploadRecord, seconds: number, limits: UploadLimits): Promise<boolean>;
  /** Finds an upload that has not expired. */
  find(clientId: string, uploadId: string): Promise<UploadRecord | undefined>;
  /** Lets only `holder` save changes, and renews the record unless it is published. Resolves to undefined for an unknown upload. */
  claim(clientId: string, uploadId: string, holder: string, seconds: number): Promise<UploadRecord | undefined>;
  /**
   * Changes and renews a record. Resolves to false, without a change, if another holder has claimed the record or it is gone.
   * `isPublished` counts the file (`StoredFiles`) instead of the upload, and forgets the conditions.
   */
  save(uploadId: string, holder: string, change: UploadChange, seconds: number): Promise<boolean>;
  /** Resolves to false if the record is missing. */
  remove(uploadId: string): Promise<boolean>;
  /** Removes at most `limit` expired records of published uploads without bytes. Returns the number of removed records. */
  removePublished(limit: number): Promise<number>;
  /** Lists expired uploads, the oldest first. */
  expired(limit: number): Promise<readonly UploadRecord[]>;
  /** Finds the uploads that have a record. */
  recorded(uploadIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The number of unfinished uploads of all clients. */
  countOpen(): Promise<number>;
}

/** An upload, with the media root of its client. */
export type StoredUpload = Pick<UploadRecord, 'uploadId' | 'path' | 'sizeBytes' | 'offsetBytes' | 'data'> & {
  readonly root: MediaRoot;
};

/** Stores the bytes of resumable uploads. They are invisible until `publish`. Every method throws `Problem`. */
export interface UploadParts {
  /** Prepares the storage of an upload, and returns `UploadRecord.data`. Throws NO_SPACE, and the error of `check`. */
  begin(upload: Omit<StoredUpload, 'data'>, check: FileCheck): Promise<string>;
  /**
   * Stores `bytes` from `upload.offsetBytes` on. Calls `onSaved` with the new offset after each save, at least once a second for a
   * fast client, and at the end for all bytes that arrived. Then throws the error of `bytes`. Also throws NO_SPACE, STORAGE_FAULT.
   */
  append(
    upload: StoredUpload,
    bytes: AsyncIterable<Uint8Array>,
    onSaved: (offsetBytes: number) => Promise<void>,
  ): Promise<void>;
  /**
   * Makes the complete file appear at its path if `check` allows it, or changes nothing. Can be repeated after a crash at any
   * instruction, and does not check a file that has appeared. Calls `save` with a new `UploadRecord.data` before that.
   */
  publish(upload: StoredUpload, check: FileCheck, save: (data: string) => Promise<void>): Promise<FileFacts>;
  /** Removes the bytes of an upload. A published file stays. `data`: '' after a crash in `begin`. */
  remove(upload: Pick<UploadRecord, 'uploadId' | 'data'>): Promise<void>;
  /** Lists the uploads that have bytes. Absent if the engine itself removes bytes without a record. */
  list?(): Promise<readonly string[]>;
}
