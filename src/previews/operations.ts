import type { Caller } from '../domain/client.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { PreviewImage, PreviewSpec } from '../domain/preview.ts';

/** The file that a caller names, by paths as the caller wrote them. */
export type PreviewSubject =
  | { readonly path: string }
  /** Without `output`: the main output of the job. */
  | { readonly jobId: string; readonly output?: string }
  /** An output by the path of its signed link. */
  | { readonly jobId: string; readonly linkPath: string };

/** What stands beside the file, on its left: a file of the caller, or the first input of the job (`job input`). */
export type ComparedWith = { readonly path: string } | 'job input';

/** A preview that can be made. */
export interface PreviewTarget {
  /** The path of the file that it shows. */
  readonly path: MediaPath;
  /** Differs for each content of its files and each view of them. Never shown. */
  readonly fingerprint: string;
  /**
   * Makes the preview, or takes it from the cache. Throws INVALID_REQUEST, INPUT_INVALID, UNSUPPORTED, TIMEOUT, RATE_LIMITED,
   * UNAVAILABLE, NOT_IMPLEMENTED, or the reason of an abort.
   */
  make(signal: AbortSignal): Promise<PreviewImage>;
}

export interface FindOptions {
  readonly signal: AbortSignal;
  readonly comparedWith?: ComparedWith | undefined;
}

/** Previews of files and of outputs of jobs, for HTTP and MCP. */
export interface PreviewOperations {
  /**
   * Finds the files of a preview. Throws INVALID_REQUEST, what `FileOperations` throws when it opens them, and the reason of an
   * abort of `signal`.
   */
  find(caller: Caller, subject: PreviewSubject, spec: PreviewSpec, options: FindOptions): Promise<PreviewTarget>;
}
