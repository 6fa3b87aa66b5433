import type { Batch, ConversionRequest, Delivery, Job, SessionCodeRequest, SessionRequest } from './api.ts';

/*
 * Options for callers of the client. Imports only types, because the package publishes this file.
 */

/**
 * How the client authenticates: by its id and secret, by an access token, or by a function that returns a new token.
 * The function is called for the first request, and after the service has rejected a token, for example because it
 * expired. So a web page can get tokens from its own server and never has the secret. `session`: by the session of the
 * browser, for pages of the service itself.
 */
export type ClientAuth =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly session: true }
  | { readonly accessToken: string | (() => string | Promise<string>) };

/** How a browser signs in: with the id and secret of a client, or with the code of a sign-in link. */
export type SignIn = SessionRequest | SessionCodeRequest;

/** How long a call may be retried: the maximum sum of its pauses, in seconds. */
export interface RetryBudget {
  /** The limit while the service replies that it is busy (429, 503), or still reads a file (TIMEOUT). */
  readonly busySeconds: number;
  /** The limit while the service cannot be reached. */
  readonly unreachableSeconds: number;
}

/** A function that sends requests like the standard `fetch`. */
export type Fetch = (url: URL | string, init: RequestInit) => Promise<Response>;

/** How a client sends its requests. */
export interface ClientOptions {
  /** The function that sends all requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The time limits for the retries of each call. Default: 30 s while the service is busy, 3 s while it is unreachable. */
  readonly retries?: RetryBudget | undefined;
}

export interface CallOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface SubmitOptions extends CallOptions {
  /** The same key with the same request returns the same job, within 24 hours. Default: a new key, so that each call creates a job. */
  readonly idempotencyKey?: string | undefined;
  /** The time limits for the retries of this call. Default: the limits of the client. */
  readonly retries?: RetryBudget | undefined;
}

export interface JobRetryOptions extends SubmitOptions {
  /** The request of the new job. Default: that of the job. Parts that are sent as the job shows them, such as hidden keys, stay as they are stored. */
  readonly request?: ConversionRequest | undefined;
}

export interface DryRunOptions extends CallOptions {
  /** Checks the request as that of a retry of this job: with the files, the limits and the hidden parts of its client. */
  readonly retryOf?: string | undefined;
}

export interface SubmitBatchOptions extends SubmitOptions {
  /** The URL that receives the event at the end of the batch. The request is signed with the secret of callbacks. */
  readonly callbackUrl?: string | undefined;
}

/** Which page of a list to return. */
export interface PageOptions extends CallOptions {
  /** The number of items on a page. The service has a maximum. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Which files to list. */
export interface FileListOptions extends PageOptions {
  /** Searches the folder and all folders in it for files and folders with these words. A page may then have few or none, and still a `nextCursor`. */
  readonly q?: string | undefined;
}

/** Which deliveries to list. */
export interface DeliveryOptions extends PageOptions {
  readonly state?: Delivery['state'] | undefined;
}

/** Which jobs to list. A page has at most 200 jobs. */
export interface ListOptions extends PageOptions {
  readonly status?: Job['status'] | undefined;
  /** Lists only jobs of this client. Only administrators may name another client. */
  readonly client?: string | undefined;
  /** Lists only jobs whose error has this code. A page may then have few jobs or none, and still a `nextCursor`. */
  readonly error?: NonNullable<Job['error']>['code'] | undefined;
  /** Lists only jobs of the watch with this id. */
  readonly watch?: string | undefined;
  /** Lists only jobs whose metadata has all these values. A page may then have few jobs or none, and still a `nextCursor`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Lists only jobs that have all these words, for example in a path. A page may then have few jobs or none, and still a `nextCursor`. */
  readonly q?: string | undefined;
}

export interface RotateOptions extends CallOptions {
  /** For how many hours the old secret still works, at most 168. Default: 24. */
  readonly graceHours?: number | undefined;
}

export interface WatchRetryOptions extends CallOptions {
  /** The files to convert again, also skipped and converted ones. Default: all that need attention. */
  readonly paths?: readonly string[] | undefined;
}

export interface PollOptions extends CallOptions {
  /** Called with the job in each reply, including the last. */
  readonly onUpdate?: ((job: Job) => void) | undefined;
}

export interface PollBatchOptions extends CallOptions {
  /** Called with the batch in each reply, including the last. */
  readonly onUpdate?: ((batch: Batch) => void) | undefined;
}

export interface FollowOptions extends CallOptions {
  /** Follow only this job. Default: all jobs of the client; for an administrator, all jobs. */
  readonly jobId?: string | undefined;
  /** Follow only the jobs of this batch. Events of the type `batch` contain the state of the batch. */
  readonly batchId?: string | undefined;
  /** The last id of an earlier stream. The new stream begins with the events after it. */
  readonly lastEventId?: string | undefined;
  /** Called with true when a connection begins, and with false when it is lost. The client then reconnects automatically. */
  readonly onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Called with the progress of a transfer. `totalBytes` is NaN if it is unknown. */
export type OnBytes = (transferredBytes: number, totalBytes: number) => void;

export interface UploadOptions extends CallOptions {
  /** Whether the upload may replace an existing file. If false, the service rejects the upload with PRECONDITION_FAILED. */
  readonly replace?: boolean | undefined;
  /** Whether to keep a file that the upload replaces in the bin, so that `restoreFile` can bring it back for some time. */
  readonly keepReplaced?: boolean | undefined;
  /**
   * With `keepReplaced`: called with the entry of the replaced file in the bin. Not called if nothing was replaced, if the bin could not keep
   * it, or if the reply was lost.
   */
  readonly onReplaced?: ((entryId: string) => void) | undefined;
  readonly onBytes?: OnBytes | undefined;
  /**
   * The id of an interrupted upload of the same content to the same path. The upload continues, with its original `replace`. If the service
   * has deleted it, the upload begins again.
   */
  readonly uploadId?: string | undefined;
  /**
   * Called with the id of the upload before any content is sent. With this callback, an interrupted upload stays on the service, and
   * `uploadId` can continue it.
   */
  readonly onUploadId?: ((uploadId: string) => void) | undefined;
}

/**
 * A range of bytes. `start`: the first byte, from 0. `end`: the last byte, included. Default: to the end of the file.
 */
export interface ByteRange {
  readonly start: number;
  readonly end?: number | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Default: the whole file. */
  readonly range?: ByteRange | undefined;
  readonly onBytes?: OnBytes | undefined;
}

/** An output of a job. */
export interface PreviewedOutput {
  readonly jobId: string;
  /** The path of one of the `outputs` of the job. Default: its `output`. */
  readonly path?: string | undefined;
}

export interface DownloadOptions extends ReadOptions {
  /** The path of one of the `outputs` of the job. Default: its `output`. */
  readonly path?: string | undefined;
}

export interface SaveOptions extends Omit<DownloadOptions, 'range'> {
  /** Whether to replace an existing file. If false, the call rejects with EEXIST and keeps the file. */
  readonly replace?: boolean | undefined;
}
