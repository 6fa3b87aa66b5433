import type { Caller } from '../domain/client.ts';
import type { JobOutput } from '../domain/job.ts';
import type { FileEntry, FileFacts, OpenFile } from './ports.ts';
import type { Precondition } from './precondition.ts';

export interface Upload {
  /** Where the request says it. */
  readonly sizeBytes?: number;
  readonly precondition: Precondition;
  /** Nothing of it is asked for before the upload is welcome. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What the doors can ask for. Paths are as the client wrote them. Each throws `Problem`, as `FileStore` does. */
export interface FileOperations {
  open(caller: Caller, path: string): Promise<OpenFile>;
  /** Whole or not at all. Throws BODY_TOO_LARGE, PRECONDITION_FAILED, NO_SPACE. */
  upload(
    caller: Caller,
    path: string,
    upload: Upload,
  ): Promise<{ readonly file: FileFacts; readonly created: boolean }>;
  /** A path that ends with a slash is an empty folder. Throws PRECONDITION_FAILED, FOLDER_NOT_EMPTY. */
  remove(caller: Caller, path: string, precondition: Precondition): Promise<void>;
  /** Files and folders whose paths begin with `prefix`, not below the next slash. `after`: `nextAfter` of the page before. */
  list(
    caller: Caller,
    query: { readonly prefix: string; readonly limit: number; readonly after?: string },
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly nextAfter?: string }>;
  /** What a job made, or one file of it. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED, FILE_NOT_FOUND for a job that made nothing. */
  outputs(caller: Caller, jobId: string, path?: string): Promise<readonly [JobOutput, ...JobOutput[]]>;
  /** One file of it; left out: the output itself. Throws OUTPUT_GONE where it is no longer the file that the job made. */
  output(caller: Caller, jobId: string, path?: string): Promise<OpenFile>;
}
