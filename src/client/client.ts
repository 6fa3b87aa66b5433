import type { AcceptedView } from '../wire/accepted.ts';
import type { AuditListView } from '../wire/audit.ts';
import type { AcceptedBatchView, BatchListView, BatchView } from '../wire/batch.ts';
import type { ClientListView, ClientWithSecretView, DoctorView, RegisteredClientView } from '../wire/clients.ts';
import type { OperationId } from '../wire/endpoints.ts';
import type { FileListView } from '../wire/files.ts';
import type { JobListView, JobView } from '../wire/job.ts';
import type { Declared } from '../wire/operations/operations.ts';
import type { ReplyOf, SentBodyOf, SentQueryOf } from '../wire/operations/types.ts';
import type { MediaInfoView } from '../wire/probe.ts';
import type { UsageView } from '../wire/usage.ts';
import type {
  AddedWebhookView,
  DeliveryListView,
  DeliveryView,
  RotatedSecretView,
  WebhookListView,
  WebhookView,
} from '../wire/webhook.ts';
import type { QueueView, WorkerListView, WorkerView } from '../wire/workers.ts';
import { ClientError } from './client-error.ts';
import { type DownloadOptions, downloadOutput } from './download.ts';
import { type FollowOptions, followEvents, type LiveEventView } from './events.ts';
import { uploadBlob } from './resumable-upload.ts';
import type { ClientAuth } from './tokens.ts';
import { type Call, type CallOptions, createTransport } from './transport.ts';
import { type UploadOptions, uploadFile } from './upload.ts';
import { type PollOptions, pollJob } from './wait.ts';

/** The body of `POST /api/conversion`. */
export type ConversionBody = SentBodyOf<Declared['submitConversion']>;

/** The states of a job that has not ended. */
export const UNFINISHED = ['PENDING', 'PROCESSING'] as const;

/** The longest run of the checks of a service. */
const DOCTOR_SECONDS = 120;

/** The body of `POST /api/probe`. */
export type ProbeBody = SentBodyOf<Declared['probeFile']>;

/** The body of `POST /api/conversions`. */
export type BatchBody = SentBodyOf<Declared['submitBatch']>;

/** The body of `POST /api/clients`. */
export type NewClientBody = SentBodyOf<Declared['addClient']>;

/** The body of `PATCH /api/clients/{clientId}`. */
export type ClientChangesBody = SentBodyOf<Declared['changeClient']>;

type BatchDryRunReply = ReplyOf<Declared['submitBatch'], 200>;

type DryRunReply = ReplyOf<Declared['submitConversion'], 200>;

export interface SubmitOptions extends CallOptions {
  /**
   * Within 24 hours, the same key and request return the same job. Default: a new key, so that each call creates a job.
   */
  readonly idempotencyKey?: string;
}

export interface ListOptions extends CallOptions {
  readonly status?: JobView['status'] | undefined;
  /** Only jobs whose metadata has all these values. Then a page may have few jobs, or none, and a `nextCursor`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The number of jobs on a page, from 1 to 200. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Whose usage to return. */
export type UsageOptions = CallOptions & SentQueryOf<Declared['getUsage']>;

/** Which records of the audit log to list. */
export type AuditOptions = CallOptions & SentQueryOf<Declared['listAudit']>;

/**
 * A Telecine service, called by one client. Each call rejects with `ClientError`. Calls are retried while the service
 * is busy (`Retry-After`) or unreachable, if that is safe. Tokens are obtained and renewed as needed.
 */
export interface TelecineClient {
  /** The URL of the service. */
  readonly url: string;
  /** Queues a conversion. If the reply is lost, sends the request again; that returns the same job. */
  submit(request: ConversionBody, options?: SubmitOptions): Promise<AcceptedView>;
  /** Checks a request and returns the plan, without queueing a job. */
  dryRun(request: ConversionBody, options?: CallOptions): Promise<DryRunReply>;
  get(jobId: string, options?: CallOptions): Promise<JobView>;
  /** Lists jobs, newest first. */
  list(options?: ListOptions): Promise<JobListView>;
  /** Queues conversions together, all or none. If the reply is lost, sends them again; that returns the same jobs. */
  submitBatch(
    requests: BatchBody['requests'],
    options?: SubmitOptions & Omit<BatchBody, 'requests'>,
  ): Promise<AcceptedBatchView>;
  /** Checks the requests of a batch and returns their plans, without queueing a job. */
  dryRunBatch(requests: BatchBody['requests'], options?: CallOptions): Promise<BatchDryRunReply>;
  getBatch(batchId: string, options?: CallOptions): Promise<BatchView>;
  /** Lists batches, newest first, without their jobs. */
  listBatches(
    options?: CallOptions & { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<BatchListView>;
  /** Cancels the jobs of a batch that have not ended. */
  cancelBatch(batchId: string, options?: CallOptions): Promise<BatchView>;
  cancel(jobId: string, options?: CallOptions): Promise<JobView>;
  /** Queues a new job with the same request. */
  retry(jobId: string, options?: CallOptions): Promise<AcceptedView>;
  /** Deletes a finished job, and, with `outputs`, its output files. */
  remove(jobId: string, options?: CallOptions & { readonly outputs?: boolean }): Promise<void>;
  /** Returns the lines of ffmpeg's log that have a known form. */
  log(jobId: string, options?: CallOptions): Promise<string>;
  /** Waits until the job is completed, failed or cancelled. */
  wait(jobId: string, options?: PollOptions): Promise<JobView>;
  /**
   * Yields the states and changes of jobs as they come, until the one job or the batch has ended or the caller breaks the
   * loop. Connects again by itself, with the id of the last event.
   */
  events(options?: FollowOptions): AsyncIterable<LiveEventView>;
  /** Returns the format, streams, chapters and tags of a file. */
  probe(request: ProbeBody, options?: CallOptions): Promise<MediaInfoView>;
  /**
   * Uploads a local file to a path in the media root. Without `replace`, rejects if a file exists at that path. The upload
   * of a file from 16 MiB on continues after lost connections and restarts of the service. Needs Node.
   */
  upload(file: string, path: string, options?: UploadOptions): Promise<void>;
  /** Uploads a `Blob` or a `File` of a web page like a large file of `upload`. */
  uploadBlob(blob: Blob, path: string, options?: UploadOptions): Promise<void>;
  /** Downloads an output of a job to a local file, which appears only when it is complete. */
  download(jobId: string, target: string, options?: DownloadOptions): Promise<void>;
  /** Lists one page of the files and folders whose paths begin with `prefix`, without the contents of the folders. */
  listFiles(prefix: string, options?: CallOptions): Promise<FileListView>;
  /** Deletes a file of the media root, if it exists. */
  removeFile(path: string, options?: CallOptions): Promise<void>;
  /** Deletes a folder of the media root, if it exists and is empty. */
  removeFolder(path: string, options?: CallOptions): Promise<void>;
  /** Returns what a client uses of its quotas. Default: this client. Another `client` is for administrators. */
  usage(options?: UsageOptions): Promise<UsageView>;
  /** Registers a webhook. Its secret is returned only now. */
  addWebhook(webhook: SentBodyOf<Declared['addWebhook']>, options?: CallOptions): Promise<AddedWebhookView>;
  /** Lists the webhooks of the client, oldest first. */
  webhooks(options?: CallOptions): Promise<WebhookListView>;
  /** Changes, enables or disables a webhook. */
  changeWebhook(
    webhookId: string,
    change: SentBodyOf<Declared['changeWebhook']>,
    options?: CallOptions,
  ): Promise<WebhookView>;
  removeWebhook(webhookId: string, options?: CallOptions): Promise<void>;
  /** Makes a new secret for a webhook, or with undefined for the `callbackUrl` of requests. It is returned only now. */
  rotateWebhookSecret(webhookId: string | undefined, options?: CallOptions): Promise<RotatedSecretView>;
  /** Sends a test event to a webhook. */
  testWebhook(webhookId: string, options?: CallOptions): Promise<DeliveryView>;
  /** Lists the newest deliveries of a webhook. */
  webhookDeliveries(webhookId: string, options?: CallOptions): Promise<DeliveryListView>;
  /** Lists the newest deliveries about a job. */
  jobDeliveries(jobId: string, options?: CallOptions): Promise<DeliveryListView>;
  /** Sends the event of a delivery to the webhook again. */
  replayDelivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryView>;
  /** Returns the state of the queue. This and the following calls are for administrators. */
  queue(options?: CallOptions): Promise<QueueView>;
  /** Pauses the queue: jobs are accepted and running ones go on, but none starts. */
  pauseQueue(options?: CallOptions): Promise<QueueView>;
  resumeQueue(options?: CallOptions): Promise<QueueView>;
  /** Lists the workers with the jobs that they run. */
  workers(options?: CallOptions): Promise<WorkerListView>;
  /** Tells a worker to take no more jobs. */
  drainWorker(workerId: string, options?: CallOptions): Promise<WorkerView>;
  /** Tells a worker to take jobs again. */
  resumeWorker(workerId: string, options?: CallOptions): Promise<WorkerView>;
  /** Lists one page of the audit log. */
  audit(options?: AuditOptions): Promise<AuditListView>;
  /** Lists all clients. This call and the next five are for administrators. */
  clients(options?: CallOptions): Promise<ClientListView>;
  /** Adds a client. The reply has its secret, once; if it is lost, `rotateClient` makes another. */
  addClient(client: NewClientBody, options?: CallOptions): Promise<ClientWithSecretView>;
  changeClient(clientId: string, changes: ClientChangesBody, options?: CallOptions): Promise<RegisteredClientView>;
  /** Gives a client a new secret. The old one becomes invalid. */
  rotateClient(clientId: string, options?: CallOptions): Promise<ClientWithSecretView>;
  /** Revokes a client for good. Rejects if it is the last administrator. */
  revokeClient(clientId: string, options?: CallOptions): Promise<RegisteredClientView>;
  /** Runs the checks of `telecine doctor` in the service. */
  doctor(options?: CallOptions): Promise<DoctorView>;
}

/** @param url The URL of the service, such as `http://127.0.0.1:8080`. It may have a path. */
export function createClient(url: string, auth: ClientAuth): TelecineClient {
  const transport = createTransport(url, auth);
  const { call, read } = transport;

  /** Calls an operation whose request allows only the success reply of type `Reply`. */
  const callFor = <Reply, Id extends OperationId>(id: Id, request: Call<Declared[Id]>): Promise<Reply> =>
    call(id, request) as Promise<Reply>;

  /** Deletes a file or folder. Problems with the codes in `ignored` count as success. */
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
    list: ({ signal, metadata = {}, ...query } = {}) => {
      const selected = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]);
      return call('listJobs', { query: { ...query, ...Object.fromEntries(selected) }, signal });
    },
    submitBatch: (requests, { idempotencyKey = crypto.randomUUID(), signal, ...more } = {}) =>
      callFor<AcceptedBatchView, 'submitBatch'>('submitBatch', {
        body: { ...more, requests },
        headers: () => ({ 'idempotency-key': idempotencyKey }),
        isRepeatable: true,
        signal,
      }),
    dryRunBatch: (requests, { signal } = {}) =>
      callFor<BatchDryRunReply, 'submitBatch'>('submitBatch', {
        query: { dryRun: 'true' },
        body: { requests },
        isRepeatable: true,
        signal,
      }),
    getBatch: (batchId, { signal } = {}) => call('getBatch', { params: { batchId }, signal }),
    listBatches: ({ signal, ...query } = {}) => call('listBatches', { query, signal }),
    cancelBatch: (batchId, { signal } = {}) => call('cancelBatch', { params: { batchId }, isRepeatable: true, signal }),
    cancel: (jobId, { signal } = {}) => call('cancelJob', { params: { jobId }, isRepeatable: true, signal }),
    retry: (jobId, { signal } = {}) => call('retryJob', { params: { jobId }, signal }),
    remove: (jobId, { outputs = false, signal } = {}) =>
      call('deleteJob', { params: { jobId }, query: outputs ? { outputs: 'true' } : {}, signal }),
    log: (jobId, { signal } = {}) => read('getJobLog', { params: { jobId }, signal }, (response) => response.text()),
    wait: (jobId, options) => pollJob(transport, jobId, options),
    events: (options) => followEvents(transport, options),
    probe: (body, { signal } = {}) => call('probeFile', { body, isRepeatable: true, timeoutSeconds: 0, signal }),
    upload: (file, path, options) => uploadFile(transport, file, path, options),
    uploadBlob: (blob, path, options) => uploadBlob(transport, blob, path, options),
    download: (jobId, target, options) => downloadOutput(transport, jobId, target, options),
    listFiles: (prefix, { signal } = {}) => call('listFiles', { query: { prefix, limit: 1000 }, signal }),
    removeFile: (path, options) => removePath(path, ['FILE_NOT_FOUND'], options),
    usage: ({ signal, ...query } = {}) => call('getUsage', { query, signal }),
    addWebhook: (body, { signal } = {}) => call('addWebhook', { body, signal }),
    webhooks: ({ signal } = {}) => call('listWebhooks', { signal }),
    changeWebhook: (webhookId, body, { signal } = {}) =>
      call('changeWebhook', { params: { webhookId }, body, isRepeatable: true, signal }),
    removeWebhook: (webhookId, { signal } = {}) => call('deleteWebhook', { params: { webhookId }, signal }),
    rotateWebhookSecret: (webhookId, { signal } = {}) =>
      webhookId === undefined
        ? call('rotateCallbackSecret', { signal })
        : call('rotateWebhookSecret', { params: { webhookId }, signal }),
    testWebhook: (webhookId, { signal } = {}) => call('testWebhook', { params: { webhookId }, signal }),
    webhookDeliveries: (webhookId, { signal } = {}) =>
      call('listWebhookDeliveries', { params: { webhookId }, query: {}, signal }),
    jobDeliveries: (jobId, { signal } = {}) => call('listJobDeliveries', { params: { jobId }, query: {}, signal }),
    replayDelivery: (webhookId, deliveryId, { signal } = {}) =>
      call('replayWebhookDelivery', { params: { webhookId, deliveryId }, signal }),
    queue: ({ signal } = {}) => call('getQueue', { signal }),
    pauseQueue: ({ signal } = {}) => call('pauseQueue', { isRepeatable: true, signal }),
    resumeQueue: ({ signal } = {}) => call('resumeQueue', { isRepeatable: true, signal }),
    workers: ({ signal } = {}) => call('listWorkers', { signal }),
    drainWorker: (id, { signal } = {}) => call('drainWorker', { params: { workerId: id }, isRepeatable: true, signal }),
    resumeWorker: (id, { signal } = {}) =>
      call('resumeWorker', { params: { workerId: id }, isRepeatable: true, signal }),
    audit: ({ signal, ...query } = {}) => call('listAudit', { query, signal }),
    clients: ({ signal } = {}) => call('listClients', { signal }),
    addClient: (body, { signal } = {}) => call('addClient', { body, signal }),
    changeClient: (clientId, body, { signal } = {}) =>
      call('changeClient', { params: { clientId }, body, isRepeatable: true, signal }),
    rotateClient: (clientId, { signal } = {}) => call('rotateClient', { params: { clientId }, signal }),
    revokeClient: (clientId, { signal } = {}) =>
      call('revokeClient', { params: { clientId }, isRepeatable: true, signal }),
    doctor: ({ signal } = {}) => call('runDoctor', { timeoutSeconds: DOCTOR_SECONDS, signal }),
    removeFolder: (path, options) => removePath(`${path}/`, ['FILE_NOT_FOUND', 'FOLDER_NOT_EMPTY'], options),
  };
}
