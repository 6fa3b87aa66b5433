import type { Readable } from 'node:stream';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';

/** The state of a file at one moment. */
export interface FileFacts {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Differs for each content at this path. Equals `JobOutput.fingerprint` for an unchanged output. Never shown. */
  readonly fingerprint: string;
}

/** An open file. Still reads the same file if another file replaces it at its path. */
export interface OpenFile extends FileFacts {
  /**
   * Reads the bytes from `first` to `last`, both included. Fails if the file is shorter. Closes the file when the
   * stream ends or is destroyed. Call this once.
   */
  read(first: number, last: number): Readable;
  /** Call this only if you do not call `read`, which closes the file itself. */
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
  /** Only names after this one. */
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
  /** Lists one folder, sorted by name. A missing folder is empty. */
  list(
    root: MediaRoot,
    query: FolderQuery,
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>;
}

/** Finds the jobs whose outputs are read. */
export interface JobLookup {
  /** Throws JOB_NOT_FOUND, also for a job that the caller may not see. */
  get(caller: Caller, jobId: string): Promise<Job>;
  rootOf(clientId: string): Promise<MediaRoot>;
}
