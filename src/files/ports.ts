import type { Readable } from 'node:stream';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';

/** A file as it was at one moment. */
export interface FileFacts {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Another for every other content at this path. Of a job's output it is that of `JobOutput`. Not shown. */
  readonly fingerprint: string;
}

/** A file held open: what is read is this very file, whatever gets its name meanwhile. */
export interface OpenFile extends FileFacts {
  /**
   * The bytes from `first` to `last`, both included; an error where the file ends before. Closes the file when it ends
   * or is destroyed. Once only.
   */
  read(first: number, last: number): Readable;
  /** For who does not read. */
  close(): Promise<void>;
}

/** Judges what stands at a path, undefined for nothing, by throwing `Problem`. */
export type FileCheck = (current: FileFacts | undefined) => void;

/** A file on its way in. Nobody sees it before `publish`. */
export interface UploadSession {
  /** Adds bytes at the end. Throws NO_SPACE, STORAGE_FAULT, and what `bytes` throws. */
  append(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Lets it appear whole and durable, or not at all; what stood there is asked after once more. */
  publish(): Promise<{ readonly file: FileFacts; readonly created: boolean }>;
  /** Removes what is left of it. To be called in the end, whatever came of it. */
  discard(): Promise<void>;
}

export type FileEntry =
  | ({ readonly kind: 'file' } & FileFacts)
  /** `path` ends with a slash. */
  | { readonly kind: 'folder'; readonly path: string };

export interface FolderQuery {
  /** '' for the root itself, else it ends with a slash. */
  readonly folder: string;
  /** Only names that begin so. */
  readonly nameStart: string;
  /** Only names after this one. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * Where clients' files lie. `root` is a client's absolute media root. Throws `Problem`: FILE_NOT_FOUND, NOT_A_FILE,
 * INVALID_REQUEST for a path that leads out of the root, STORAGE_FAULT.
 */
export interface FileStore {
  open(root: MediaRoot, path: MediaPath): Promise<OpenFile>;
  /** `sizeBytes`: what is to come, where that is known. Throws what `check` throws, and NO_SPACE. */
  beginUpload(
    root: MediaRoot,
    path: MediaPath,
    options: { readonly sizeBytes?: number; readonly check: FileCheck },
  ): Promise<UploadSession>;
  remove(root: MediaRoot, path: MediaPath, check: FileCheck): Promise<void>;
  /** Deletes an empty folder. Throws FOLDER_NOT_EMPTY. */
  removeFolder(root: MediaRoot, path: MediaPath): Promise<void>;
  /** What is in one folder, by name; nothing where there is no such folder. */
  list(
    root: MediaRoot,
    query: FolderQuery,
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>;
}

/** Jobs as their callers may see them. Throws JOB_NOT_FOUND. */
export interface JobLookup {
  get(caller: Caller, jobId: string): Promise<Job>;
  rootOf(clientId: string): Promise<MediaRoot>;
}
