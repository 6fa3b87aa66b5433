import type { Readable } from 'node:stream';
import type { ReadOutputs } from '../domain/all-outputs.ts';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';

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
