import type { Caller } from '../domain/client.ts';
import type { JobOutput } from '../domain/job.ts';
import type { UploadLink } from '../domain/signed-link.ts';
import type { FileEntry, FileFacts, OpenFile } from './ports.ts';
import type { Precondition } from './precondition.ts';

export interface UploadRequest {
  /** The Content-Length of the request; undefined if it has none. */
  readonly sizeBytes?: number;
  readonly precondition: Precondition;
  /** Not read until the precondition and the limits are checked. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** At most five files, the closest in spelling to a missing one first. */
export interface NearFiles {
  /** Their folder with a slash at its end, or '' for the media root. */
  readonly folder: string;
  readonly paths: readonly string[];
  /** Present if it is the one file in other folders that has the name of the missing one. */
  readonly isSameName?: true;
}

/** The outputs of a job. */
export interface OutputsToOpen {
  /** Finds the output at `path`. Throws INVALID_REQUEST for a path that is not an output. */
  find(path: string): Promise<JobOutput>;
  /**
   * Opens the output at `path`. Default: the main output. Throws INVALID_REQUEST for a path that is not an output, and OUTPUT_GONE
   * if the file was deleted, replaced or changed after the job wrote it.
   */
  open(path?: string): Promise<OpenFile>;
  /** Opens the output whose `outputLinkPath` is `linkPath`, as `open` does. Throws FILE_NOT_FOUND for any other. */
  openLinked(linkPath: string): Promise<OpenFile>;
}

/** The operations on files, for HTTP and MCP. Paths are as the client sent them. Throws what `FileStore` throws. */
export interface FileOperations {
  open(caller: Caller, path: string): Promise<OpenFile>;
  /** Stores the whole file or nothing. Throws BODY_TOO_LARGE, QUOTA_EXCEEDED, PRECONDITION_FAILED, NO_SPACE. */
  upload(
    caller: Caller,
    path: string,
    upload: UploadRequest,
  ): Promise<{ readonly file: FileFacts; readonly created: boolean }>;
  /**
   * The terms of a link by which anyone can upload a file to `path`, once. `maxBytes`: at most, and by default, the limit of the
   * service. `replace`: whether the file may replace another; default: false. Throws INVALID_REQUEST, also if there is a file that it
   * may not replace.
   */
  newUploadLink(
    caller: Caller,
    path: string,
    terms: { readonly maxBytes?: number; readonly replace?: boolean },
  ): Promise<UploadLink>;
  /**
   * Stores a file as `upload` does, within the terms of a verified link. `caller`: the client that signed the link. A failed
   * upload does not use the link, unless the file may have been stored. Throws LINK_USED.
   */
  uploadByLink(
    caller: Caller,
    link: UploadLink,
    upload: UploadRequest & { readonly expiresAt: Date },
  ): Promise<{ readonly file: FileFacts; readonly created: boolean }>;
  /** Deletes a file, or an empty folder if `path` ends with a slash. Throws PRECONDITION_FAILED, FOLDER_NOT_EMPTY. */
  remove(caller: Caller, path: string, precondition: Precondition): Promise<void>;
  /**
   * Lists the files and folders whose paths start with `prefix`, up to the next slash. `after`: `nextAfter` of the
   * previous page.
   */
  list(
    caller: Caller,
    query: { readonly prefix: string; readonly limit: number; readonly after?: string },
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly nextAfter?: string }>;
  /** Files near a missing one, in the media root of the caller. Undefined if there are none. */
  near(caller: Caller, path: string): Promise<NearFiles | undefined>;
  /**
   * The outputs of a job, each of which is read once. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED, and FILE_NOT_FOUND for a job
   * without outputs.
   */
  outputs(caller: Caller, jobId: string): Promise<OutputsToOpen>;
}
