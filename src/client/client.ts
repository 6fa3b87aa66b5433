import type { AcceptedView } from '../wire/accepted.ts';
import type { OperationId } from '../wire/endpoints.ts';
import type { JobListView, JobView } from '../wire/job.ts';
import type { Declared } from '../wire/operations/operations.ts';
import type { ReplyOf, SentBodyOf } from '../wire/operations/types.ts';
import type { MediaInfoView } from '../wire/probe.ts';
import { ClientError } from './client-error.ts';
import { type DownloadOptions, downloadOutput } from './download.ts';
import type { ClientAuth } from './tokens.ts';
import { type Call, type CallOptions, createTransport } from './transport.ts';
import { type UploadOptions, uploadFile } from './upload.ts';
import { type PollOptions, pollJob } from './wait.ts';

/** The body of `POST /api/conversion`. */
export type ConversionBody = SentBodyOf<Declared['submitConversion']>;

/** The body of `POST /api/probe`. */
export type ProbeBody = SentBodyOf<Declared['probeFile']>;

type DryRunReply = ReplyOf<Declared['submitConversion'], 200>;

export interface SubmitOptions extends CallOptions {
  /** Within 24 hours, the same key and request give the same job. Left out: a new key, so that each call is a new job. */
  readonly idempotencyKey?: string;
}

export interface ListOptions extends CallOptions {
  readonly status?: JobView['status'] | undefined;
  /** Jobs on one page, 1 to 200. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/**
 * A Telecine service, called by one client. Each call rejects with `ClientError`. Calls are retried while the service is
 * busy (`Retry-After`) or unreachable, if that is safe. Tokens are obtained and renewed as needed.
 */
export interface TelecineClient {
  /** The address of the service. */
  readonly url: string;
  /** Queues a conversion. Sends it again if the reply is lost, which gives the same job. */
  submit(request: ConversionBody, options?: SubmitOptions): Promise<AcceptedView>;
  /** What a submission would run. Nothing is queued. */
  dryRun(request: ConversionBody, options?: CallOptions): Promise<DryRunReply>;
  get(jobId: string, options?: CallOptions): Promise<JobView>;
  /** Newest first. */
  list(options?: ListOptions): Promise<JobListView>;
  cancel(jobId: string, options?: CallOptions): Promise<JobView>;
  /** Queues a new job with the same request. */
  retry(jobId: string, options?: CallOptions): Promise<AcceptedView>;
  /** Deletes a finished job; with `outputs` its files too. */
  remove(jobId: string, options?: CallOptions & { readonly outputs?: boolean }): Promise<void>;
  /** The lines of ffmpeg's log that have a known form. */
  log(jobId: string, options?: CallOptions): Promise<string>;
  /** Waits until the job has ended, whatever its outcome. */
  wait(jobId: string, options?: PollOptions): Promise<JobView>;
  /** Streams, format, chapters and tags of a file. */
  probe(request: ProbeBody, options?: CallOptions): Promise<MediaInfoView>;
  /** Sends a local file to a path of the media root. Rejects if a file is there, unless `replace`. */
  upload(file: string, path: string, options?: UploadOptions): Promise<void>;
  /** Saves an output of a job in a local file, whole or not at all. */
  download(jobId: string, target: string, options?: DownloadOptions): Promise<void>;
  /** Deletes a file of the media root, if it exists. */
  removeFile(path: string, options?: CallOptions): Promise<void>;
  /** Deletes a folder of the media root, if it exists and is empty. */
  removeFolder(path: string, options?: CallOptions): Promise<void>;
}

/** @param url The address of the service, such as `http://127.0.0.1:8080`. It may have a path. */
export function createClient(url: string, auth: ClientAuth): TelecineClient {
  const transport = createTransport(url, auth);
  const { call, read } = transport;

  /** Calls an operation that has one success status, or whose other replies the call rules out. */
  const callFor = <Reply, Id extends OperationId>(id: Id, request: Call<Declared[Id]>): Promise<Reply> =>
    call(id, request) as Promise<Reply>;

  /** Deletes a path. Problems with these codes count as success. */
  const removePath = async (path: string, ignored: readonly string[], options: CallOptions = {}): Promise<void> => {
    try {
      await call('deleteFile', { params: { path }, isRepeatable: true, ...options });
    } catch (error) {
      if (!(error instanceof ClientError) || !ignored.includes(error.problem?.code ?? '')) throw error;
    }
  };

  return {
    url: transport.url,
    submit: (body, { idempotencyKey = crypto.randomUUID(), signal } = {}) =>
      callFor<AcceptedView, 'submitConversion'>('submitConversion', {
        body,
        headers: () => ({ 'idempotency-key': idempotencyKey }),
        isRepeatable: true,
        signal,
      }),
    dryRun: (body, { signal } = {}) =>
      callFor<DryRunReply, 'submitConversion'>('submitConversion', {
        query: { dryRun: 'true' },
        body,
        isRepeatable: true,
        signal,
      }),
    get: (jobId, { signal } = {}) => call('getJob', { params: { jobId }, signal }),
    list: ({ signal, ...query } = {}) => call('listJobs', { query, signal }),
    cancel: (jobId, { signal } = {}) => call('cancelJob', { params: { jobId }, isRepeatable: true, signal }),
    retry: (jobId, { signal } = {}) => call('retryJob', { params: { jobId }, signal }),
    remove: (jobId, { outputs = false, signal } = {}) =>
      call('deleteJob', { params: { jobId }, query: outputs ? { outputs: 'true' } : {}, signal }),
    log: (jobId, { signal } = {}) => read('getJobLog', { params: { jobId }, signal }, (response) => response.text()),
    wait: (jobId, options) => pollJob(transport, jobId, options),
    probe: (body, { signal } = {}) => call('probeFile', { body, isRepeatable: true, timeoutSeconds: 0, signal }),
    upload: (file, path, options) => uploadFile(transport, file, path, options),
    download: (jobId, target, options) => downloadOutput(transport, jobId, target, options),
    removeFile: (path, options) => removePath(path, ['FILE_NOT_FOUND'], options),
    removeFolder: (path, options) => removePath(`${path}/`, ['FILE_NOT_FOUND', 'FOLDER_NOT_EMPTY'], options),
  };
}
