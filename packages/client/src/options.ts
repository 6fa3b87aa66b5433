import type { Batch, Delivery, Job, SessionCodeRequest, SessionRequest } from './api.ts';

/*
 * Options for callers of the client. Imports only types, because the package publishes this file.
 */

/**
 * How the client authenticates: by its id and secret, or by an access token that it already has. A function returns a new
 * token; it is called for the first request, and when the service rejects the last token, such as an expired one.
 * So a web page can get tokens from its own server, and never has the secret. `session`: by the session of the browser, for pages
 * of the service itself.
 */
export type ClientAuth =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly session: true }
  | { readonly accessToken: string | (() => string | Promise<string>) };

/** How a browser signs in: as a client, or with the code of a sign-in link. */
export type SignIn = SessionRequest | SessionCodeRequest;

/** The time limits for the retries of a call: sums of its pauses, in seconds. */
export interface RetryBudget {
  /** The limit if the service replies that it is busy (429, 503). */
  readonly busySeconds: number;
  /** The limit if the service cannot be reached. */
  readonly unreachableSeconds: number;
}

/** The function that sends requests, as the standard defines `fetch`. */
export type Fetch = (url: URL | string, init: RequestInit) => Promise<Response>;

/** How a client sends its requests. */
export interface ClientOptions {
  /** Sends all requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The time limits for the retries of each call. Default: 30 s while the service is busy, 3 s while it is unreachable. */
  readonly retries?: RetryBudget | undefined;
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SubmitOptions extends CallOptions {
  /** Within 24 hours, the same key and request return the same job. Default: a new key, so that each call creates a job. */
  readonly idempotencyKey?: string | undefined;
  /** The time limits for the retries of this call. Default: the limits of the client. */
  readonly retries?: RetryBudget | undefined;
}

export interface SubmitBatchOptions extends SubmitOptions {
  /** Where the end of the batch is sent, signed with the secret of callbacks. */
  readonly callbackUrl?: string | undefined;
}

/** Which page of a list to return. */
export interface PageOptions extends CallOptions {
  /** The number of items on a page. The service limits it. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Which deliveries to list. */
export interface DeliveryOptions extends PageOptions {
  readonly state?: Delivery['state'] | undefined;
}

/** Which jobs to list. At most 200 on a page. */
export interface ListOptions extends PageOptions {
  readonly status?: Job['status'] | undefined;
  /** Only jobs of this client. Only administrators may name another client. */
  readonly client?: string | undefined;
  /** Only jobs whose metadata has all these values. A page may then have few jobs or none, but still a `nextCursor`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
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
  /** Follow only the jobs of this batch, with its state as events of the type `batch`. */
  readonly batchId?: string | undefined;
  /** The last id of an earlier stream. Events after it come first. */
  readonly lastEventId?: string | undefined;
  /** Called with true when a connection begins, and with false when it is lost. The client then reconnects by itself. */
  readonly onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Called with the progress of a transfer. `totalBytes` is NaN if it is unknown. */
export type OnBytes = (transferredBytes: number, totalBytes: number) => void;

export interface UploadOptions extends CallOptions {
  /** Replaces an existing file. If false, the service rejects the upload with PRECONDITION_FAILED. */
  readonly replace?: boolean | undefined;
  readonly onBytes?: OnBytes | undefined;
  /**
   * The id of an interrupted upload of the same content to the same path, which continues with its own `replace`. If the service no
   * longer has it, the upload begins again.
   */
  readonly uploadId?: string | undefined;
  /** Called with the id of the upload before its content is sent. An interrupted upload then stays, and `uploadId` continues it. */
  readonly onUploadId?: ((uploadId: string) => void) | undefined;
}

/** Bytes of a file. `start` is the first byte, from 0; `end` is the last byte. Default: the last byte of the file. */
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
  /** Replaces an existing file. If false, rejects with EEXIST and keeps that file. */
  readonly replace?: boolean | undefined;
}
