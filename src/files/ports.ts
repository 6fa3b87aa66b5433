import type { Readable } from 'node:stream';
import type { ReadOutputs } from '../domain/all-outputs.ts';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { CountedFile } from '../domain/stored-files.ts';

/** The state of a file at one moment. */
export interface FileFacts {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Differs for each content at this path. Never shown. */
  readonly fingerprint: string;
}

/** The header fields of a reply with a file. */
export interface FileReply {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** An open file. If another file replaces it at its path, it reads the same file, or fails; it never reads the other. */
export interface OpenFile extends FileFacts {
  /** Whether the file is the one that a job published with this `JobOutput.fingerprint`, unchanged. */
  isOutput(fingerprint: string | undefined): boolean;
  /**
   * Returns an address at which anyone can download the file for a short time, without the credentials of the service.
   * Its reply has the header fields `reply`. Absent if only the service can send the file.
   */
  directUrl?(reply: FileReply): Promise<string>;
  /**
   * Reads the bytes from `first` to `last`, both included. Fails if the file is shorter. Closes the file when the
   * stream ends or is destroyed. Call this once.
   *
   * @param unsentBytes How many of the last bytes of the stream are still in use. The memory of the bytes before them is used
   * again. Absent: all are in use.
   */
  read(first: number, last: number, unsentBytes?: () => number): Readable;
  /** Call this if you do not call `read`, which closes the file itself. */
  close(): Promise<void>;
}

/**
 * Throws `Problem` if `current`, the file at a path, must not be changed. `current` is undefined if there is no file.
 */
export type FileCheck = (current: FileFacts | undefined) => void;

/** An upload in progress. The file is invisible until `publish`. */
export interface UploadSession {
  /** Adds bytes at the end. Throws NO_SPACE, STORAGE_FAULT, and errors of `bytes`. */
  append(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes the whole file appear and durable, or changes nothing. Runs the check of `beginUpload` again. */
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

/**
 * Stores clients' files. Every method throws `Problem`: FILE_NOT_FOUND, NOT_A_FILE, STORAGE_FAULT, or INVALID_REQUEST
 * for a path that resolves outside the media root.
 */
export interface FileStore {
  open(root: MediaRoot, path: MediaPath): Promise<OpenFile>;
  /** `sizeBytes`: the size of the file, if known. Throws NO_SPACE and what `check` throws. */
  beginUpload(
    root: MediaRoot,
    path: MediaPath,
    options: { readonly sizeBytes?: number; readonly check: FileCheck },
  ): Promise<UploadSession>;
  remove(root: MediaRoot, path: MediaPath, check: FileCheck): Promise<void>;
  /** Deletes an empty folder. Throws FOLDER_NOT_EMPTY. */
  removeFolder(root: MediaRoot, path: MediaPath): Promise<void>;
  /**
   * Lists one folder, sorted by name; an object store sorts a folder by its name with the slash. A missing folder is
   * empty.
   */
  list(
    root: MediaRoot,
    query: FolderQuery,
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>;
}

/** A right that one holder has for a time. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** What another holder needs after the end of the lease. */
  readonly data?: string;
}

/** Leases that all services of a database share. */
export interface Leases {
  /**
   * Gives the holder a lease from now on, or renews it. `data` replaces that of the lease; without it, the lease keeps
   * its data. Resolves to false if another holder has the lease.
   */
  take(lease: Lease, seconds: number): Promise<boolean>;
  /** Ends a lease, unless another holder has it. */
  release(lease: Lease): Promise<void>;
  /** Whether anyone has one of these leases now. */
  anyHeld(names: readonly string[]): Promise<boolean>;
  /** Lists all leases whose names begin with `prefix`, also those whose time has ended. */
  list(prefix: string): Promise<readonly Omit<Lease, 'holder'>[]>;
  /** Lists leases whose time has ended without a release, and whose names begin with `prefix`. */
  expired(prefix: string, limit: number): Promise<readonly Omit<Lease, 'holder'>[]>;
}

/** Finds the jobs whose outputs are read. */
export interface JobLookup {
  /** Throws JOB_NOT_FOUND, also for a job that the caller may not see. */
  get(caller: Caller, jobId: string): Promise<Job>;
  /** Empty if there is no such job. */
  readonly outputs: ReadOutputs;
  rootOf(clientId: string): Promise<MediaRoot>;
}

/** A counted file of a client. */
export interface FileToCheck extends CountedFile {
  readonly clientId: string;
}

/** Finds counted files that others may have changed or removed, or that a crash may have kept from appearing. */
export interface FileChecks {
  /**
   * Lists files that were counted before this time, the oldest first. One that was corrected is listed as if it had been
   * counted five hours later: it was there, and each look is a request to an object store.
   *
   * @param except Clients whose files are not listed.
   */
  checkedBefore(at: string, limit: number, except?: readonly string[]): Promise<readonly FileToCheck[]>;
  /**
   * Ends files that are pending since before this time, because their publisher was killed. `checkedBefore` then lists first
   * those that may have appeared. Ends at most `limit`, and resolves to their number.
   */
  expirePending(at: string, limit: number): Promise<number>;
  /** Lists clients whose files were added up last before this time, or never. */
  clientsToAddUp(at: string, limit: number): Promise<readonly string[]>;
  /** Adds the files of a client up. Reads all of them. */
  addUp(clientId: string): Promise<void>;
}

/** The upload links that have been used, so that each is used once. */
export interface UsedLinks {
  /**
   * Marks a link as used. Resolves to false if it is used already: of several calls at once, one resolves to true. The mark
   * stays for a day after `expiresAt`, when the link no longer works; later, every call resolves to false.
   */
  use(linkId: string, expiresAt: Date): Promise<boolean>;
  /** Removes the mark of a link whose upload has failed, so that the link works again. */
  release(linkId: string): Promise<void>;
  isUsed(linkId: string): Promise<boolean>;
}

/** The record of a resumable upload. */
export interface UploadRecord {
  readonly uploadId: string;
  readonly clientId: string;
  /** The path at which the file appears, relative to the media root of the client. */
  readonly path: MediaPath;
  readonly sizeBytes: number;
  /** The number of bytes that are stored and survive a crash. */
  readonly offsetBytes: number;
  /** `Upload-Metadata` as the client sent it. */
  readonly metadata: string;
  /** The conditions of the client for the file that it replaces, as JSON. */
  readonly precondition: string;
  /** What the engine needs to find the bytes. '' until `UploadParts.begin` has returned it, and once the bytes are removed. */
  readonly data: string;
  /** Whether the file is complete and at its path. */
  readonly isPublished: boolean;
}

/** What a request changes in a record. */
export type UploadChange = Partial<Pick<UploadRecord, 'offsetBytes' | 'data' | 'isPublished'>>;

/** The limits of the uploads of a client. */
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
   * Adds a record that expires after `seconds`. Resolves to false if the client has `maxOpen` unfinished uploads already.
   * Throws QUOTA_EXCEEDED if they and its files would be more than `maxStoredBytes`. Removes the oldest of its published uploads
   * that have no bytes any more, if it has `maxPublished` or more.
   */
  add(record: UploadRecord, seconds: number, limits: UploadLimits): Promise<boolean>;
  /** Finds an upload that has not expired. */
  find(clientId: string, uploadId: string): Promise<UploadRecord | undefined>;
  /**
   * Makes `holder` the only one who can save changes, and renews the record unless it is published. Resolves to undefined if
   * there is no such upload of the client.
   */
  claim(clientId: string, uploadId: string, holder: string, seconds: number): Promise<UploadRecord | undefined>;
  /**
   * Changes and renews a record. Resolves to false, without a change, if another holder has claimed it, or it is gone. With
   * `isPublished`, counts its file (`StoredFiles`) in place of the upload, and forgets the conditions.
   */
  save(uploadId: string, holder: string, change: UploadChange, seconds: number): Promise<boolean>;
  /** Resolves to false if there is no such record. */
  remove(uploadId: string): Promise<boolean>;
  /**
   * Removes records of published uploads that have expired and have no bytes any more, up to `limit`. Returns how many it has
   * removed.
   */
  removePublished(limit: number): Promise<number>;
  /** Lists uploads that have expired, the oldest first. */
  expired(limit: number): Promise<readonly UploadRecord[]>;
  /** Which of these uploads have a record. */
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
  /**
   * Prepares the storage of an upload, and returns `UploadRecord.data`. Throws NO_SPACE, and what `check` throws for the
   * file that exists at the path.
   */
  begin(upload: Omit<StoredUpload, 'data'>, check: FileCheck): Promise<string>;
  /**
   * Stores `bytes` from `upload.offsetBytes` on. Calls `onSaved` with the new offset whenever more bytes are on disk, at
   * least once a second for a fast client, and last for all bytes that arrived, also if `bytes` throws. Then rejects with
   * that error. Throws NO_SPACE, STORAGE_FAULT.
   */
  append(
    upload: StoredUpload,
    bytes: AsyncIterable<Uint8Array>,
    onSaved: (offsetBytes: number) => Promise<void>,
  ): Promise<void>;
  /**
   * Makes the complete file appear at its path, or changes nothing; `check` runs as in `FileStore.beginUpload`. May be called
   * again after a crash at any instruction: a file that has appeared is not checked again. `save` stores a new
   * `UploadRecord.data`, and is called before anything appears.
   */
  publish(upload: StoredUpload, check: FileCheck, save: (data: string) => Promise<void>): Promise<FileFacts>;
  /**
   * Removes the bytes, whether the upload is published or not. The published file stays. `data`: '' if a crash has
   * interrupted `begin`.
   */
  remove(upload: Pick<UploadRecord, 'uploadId' | 'data'>): Promise<void>;
  /** Lists the uploads that have bytes. Absent if the engine removes those without a record itself. */
  list?(): Promise<readonly string[]>;
}
