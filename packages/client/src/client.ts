import type { Accepted, AcceptedBatch, BatchDryRun, DryRun, UploadTerms, Watch, WatchDryRun } from './api.ts';
import { ClientError } from './client-error.ts';
import { openDownload } from './download.ts';
import { followEvents } from './events.ts';
import type { CallOptions, ClientAuth, ClientOptions, SubmitOptions } from './options.ts';
import { removeUpload, uploadResumably } from './resumable-upload.ts';
import { FOLLOW_BUDGET } from './retry.ts';
import type { TelecineClient } from './telecine-client.ts';
import { createTransport } from './transport.ts';
import { pollBatch, pollJob } from './wait.ts';

/** The maximum time of the service's checks, in seconds. */
const DOCTOR_SECONDS = 120;

/** The maximum time of a dry run of a watch, in seconds: the service reads the folder and examines some of its files. */
const WATCH_CHECK_SECONDS = 120;

/** The maximum time of a submission and of its dry run, in seconds: some recipes encode samples of the film first. */
const SUBMISSION_SECONDS = 120;

/** @param url The URL of the service, such as `http://127.0.0.1:8080`. It may have a path. */
export function createClient(url: string, auth: ClientAuth, options?: ClientOptions): TelecineClient {
  const transport = createTransport(url, auth, options);
  const { call, read } = transport;

  /** The settings of a call that creates jobs. The idempotency key makes it safe to repeat the call. */
  const submission = ({ idempotencyKey = randomKey(), retries, signal }: SubmitOptions = {}) => ({
    headers: () => ({ 'idempotency-key': idempotencyKey }),
    isRepeatable: true,
    timeoutSeconds: SUBMISSION_SECONDS,
    budget: retries,
    signal,
  });

  /** The settings of a check that plans requests. */
  const planned = ({ signal }: CallOptions = {}) =>
    ({ isRepeatable: true, isCostly: true, timeoutSeconds: SUBMISSION_SECONDS, signal }) as const;

  /** The settings of a dry run of a submission. */
  const dry = (options?: CallOptions) => ({ query: { dryRun: 'true' }, ...planned(options) }) as const;

  /** Deletes a file or folder. Problems with a code in `ignored` count as success. */
  const removePath = async (path: string, ignored: readonly string[], options: CallOptions = {}): Promise<void> => {
    try {
      await call('deleteFile', { params: { path }, isRepeatable: true, ...options });
    } catch (error) {
      if (!(error instanceof ClientError) || !ignored.includes(error.problem?.code ?? '')) throw error;
    }
  };

  /** The absolute URL of a link. Without a public URL, the service sends only paths, and does not know the path prefix of a proxy. */
  const absolute = (link: string): string => (link.startsWith('/') ? transport.url + link : link);

  return {
    url: transport.url,
    signIn: (by, { signal } = {}) =>
      'code' in by
        ? call('startSessionByCode', { body: by, signal })
        : call('startSession', { body: by, isRepeatable: true, signal }),
    signInMethods: ({ signal } = {}) => call('getSignInMethods', { signal }),
    session: ({ signal } = {}) => call('getSession', { signal }),
    signOut: ({ signal } = {}) => call('endSession', { isRepeatable: true, signal }),
    submit: (body, options) => call('submitConversion', { body, ...submission(options) }) as Promise<Accepted>,
    dryRun: (body, { retryOf, ...options } = {}) =>
      (retryOf === undefined
        ? call('submitConversion', { body, ...dry(options) })
        : call('retryJob', { params: { jobId: retryOf }, body, ...dry(options) })) as Promise<DryRun>,
    readCommand: (command, options) => call('readCommand', { body: { command }, ...planned(options) }),
    get: (jobId, { signal } = {}) => call('getJob', { params: { jobId }, signal }),
    list: ({ signal, metadata = {}, ...query } = {}) => {
      const selected = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]);
      return call('listJobs', { query: { ...query, ...Object.fromEntries(selected) }, signal });
    },
    submitBatch: (requests, { callbackUrl, ...options } = {}) => {
      const body = { requests, ...(callbackUrl !== undefined && { callbackUrl }) };
      return call('submitBatch', { body, ...submission(options) }) as Promise<AcceptedBatch>;
    },
    dryRunBatch: (requests, options) =>
      call('submitBatch', { body: { requests }, ...dry(options) }) as Promise<BatchDryRun>,
    getBatch: (batchId, { signal } = {}) => call('getBatch', { params: { batchId }, signal }),
    listBatches: ({ signal, ...query } = {}) => call('listBatches', { query, signal }),
    waitBatch: (batchId, options) => pollBatch(transport, batchId, options),
    cancelBatch: (batchId, { signal } = {}) => call('cancelBatch', { params: { batchId }, isRepeatable: true, signal }),
    cancel: (jobId, { signal } = {}) => call('cancelJob', { params: { jobId }, isRepeatable: true, signal }),
    // Retries wait for the next minute of the client's limit of submissions.
    changeJobs: (body, { signal } = {}) =>
      call('changeJobs', { body, isRepeatable: true, timeoutSeconds: 0, budget: FOLLOW_BUDGET, signal }),
    retry: (jobId, { request, ...options } = {}) =>
      call('retryJob', { params: { jobId }, body: request, ...submission(options) }) as Promise<Accepted>,
    remove: (jobId, { outputs = false, signal } = {}) =>
      call('deleteJob', { params: { jobId }, query: outputs ? { outputs: 'true' } : {}, signal }),
    log: (jobId, { signal } = {}) => read('getJobLog', { params: { jobId }, signal }, (response) => response.text()),
    key: (jobId, { signal } = {}) => read('getJobKey', { params: { jobId }, signal }, (response) => response.bytes()),
    wait: (jobId, options) => pollJob(transport, jobId, options),
    events: (options) => followEvents(transport, options),
    probe: (body, { signal } = {}) => call('probeFile', { body, isRepeatable: true, timeoutSeconds: 0, signal }),
    analyze: (body, options) => call('analyzeFile', { body, ...submission(options) }) as Promise<Accepted>,
    upload: (blob, path, options) => uploadResumably(transport, blob, path, options),
    removeUpload: (uploadId, options) => removeUpload(transport, uploadId, options),
    download: (jobId, { path, ...options } = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadOutput', { params: { jobId }, query: { path }, ...settings }, unread),
        options,
      ),
    uploadTerms: (link, { signal } = {}) =>
      read('openShare', { params: { link }, headers: () => ({ accept: 'application/json' }), signal }, (response) =>
        response.json(),
      ) as Promise<UploadTerms>,
    share: async (body, { signal } = {}) => {
      const share = await call('createShare', { body, signal });
      return { ...share, url: absolute(share.url) };
    },
    shares: ({ signal, ...query } = {}) => call('listShares', { query, signal }),
    revokeShare: (shareId, { signal } = {}) => call('revokeShare', { params: { shareId }, signal }),
    downloadAll: (jobId, options = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadOutputs', { params: { jobId }, ...settings }, unread),
        options,
      ),
    outputs: (jobId, { signal, limit = 1000, cursor } = {}) =>
      call('listOutputs', { params: { jobId }, query: { limit, cursor }, signal }),
    measured: (jobId, list, { signal, limit = 1000, cursor } = {}) =>
      call('listMeasured', { params: { jobId, list }, query: { limit, cursor }, signal }),
    links: async (jobId, { signal, ...query } = {}) => {
      const { links, ...more } = await call('getOutputLinks', { params: { jobId }, query, signal });
      return { ...more, links: links.map((link) => ({ ...link, url: absolute(link.url) })) };
    },
    readFile: (path, options = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadFile', { params: { path }, ...settings }, unread),
        options,
      ),
    downloadFiles: (paths, options = {}) =>
      openDownload(
        transport.url,
        (settings) => read('downloadFiles', { query: { path: [...paths] }, ...settings }, unread),
        options,
      ),
    preview: (file, { signal, view = 'frame', ...more } = {}) => {
      // The service itself limits the time of rendering, so set no limit here.
      const settings = { timeoutSeconds: 0, signal } as const;
      const query = { view, ...more };
      const blobOf = (response: Response): Promise<Blob> => response.blob();
      if (typeof file === 'string') return read('downloadFile', { params: { path: file }, query, ...settings }, blobOf);
      const { jobId, path } = file;
      return read('downloadOutput', { params: { jobId }, query: { ...query, path }, ...settings }, blobOf);
    },
    listFiles: (prefix, { signal, limit = 1000, cursor, q } = {}) =>
      call('listFiles', { query: { prefix, q, limit, cursor }, signal }),
    // A folder of an object store takes long to move, so set no limit here.
    moveFile: (body, { signal } = {}) => call('moveFile', { body, timeoutSeconds: 0, signal }),
    createFolder: (path, { signal } = {}) => call('createFolder', { body: { path }, signal }),
    deleteFiles: (body, { signal } = {}) => call('deleteFiles', { body, timeoutSeconds: 0, signal }),
    bin: ({ signal } = {}) => call('listBin', { signal }),
    restoreFile: (entryId, { to, signal } = {}) =>
      call('restoreFile', { params: { entryId }, body: to === undefined ? {} : { to }, timeoutSeconds: 0, signal }),
    removeFromBin: (entryId, { signal } = {}) =>
      entryId === undefined
        ? call('emptyBin', { isRepeatable: true, timeoutSeconds: 0, signal })
        : call('deleteBinEntry', { params: { entryId }, timeoutSeconds: 0, signal }),
    removeFile: (path, options) => removePath(path, ['FILE_NOT_FOUND'], options),
    formats: ({ signal, ...query } = {}) => call('listFormats', { query, signal }),
    format: (name, { signal } = {}) => call('getFormat', { params: { name }, signal }),
    codecs: ({ signal, ...query } = {}) => call('listCodecs', { query, signal }),
    codec: (name, { signal } = {}) => call('getCodec', { params: { name }, signal }),
    filters: ({ signal, ...query } = {}) => call('listFilters', { query, signal }),
    filter: (name, { signal } = {}) => call('getFilter', { params: { name }, signal }),
    options: ({ signal, ...query } = {}) => call('listOptions', { query, signal }),
    option: (name, { signal } = {}) => call('getOption', { params: { name }, signal }),
    recipes: ({ signal, ...query } = {}) => call('listRecipes', { query, signal }),
    recipe: (name, { signal } = {}) => call('getRecipe', { params: { name }, signal }),
    putRecipe: (name, body, { signal } = {}) =>
      call('putRecipe', { params: { name }, body, isRepeatable: true, signal }),
    removeRecipe: (name, { signal } = {}) => call('deleteRecipe', { params: { name }, signal }),
    dryRunRecipe: (name, body, options) => call('dryRunRecipe', { params: { name }, body, ...planned(options) }),
    usage: ({ signal, ...query } = {}) => call('getUsage', { query, signal }),
    usageOfAll: ({ signal, ...query } = {}) => call('listUsage', { query, signal }),
    largestFiles: ({ signal, ...query } = {}) => call('listLargestFiles', { query, signal }),
    addWebhook: (body, { signal } = {}) => call('addWebhook', { body, signal }),
    webhooks: ({ signal } = {}) => call('listWebhooks', { signal }),
    webhook: (webhookId, { signal } = {}) => call('getWebhook', { params: { webhookId }, signal }),
    changeWebhook: (webhookId, body, { signal } = {}) =>
      call('changeWebhook', { params: { webhookId }, body, isRepeatable: true, signal }),
    removeWebhook: (webhookId, { signal } = {}) => call('deleteWebhook', { params: { webhookId }, signal }),
    rotateWebhookSecret: (webhookId, { signal } = {}) =>
      webhookId === undefined
        ? call('rotateCallbackSecret', { signal })
        : call('rotateWebhookSecret', { params: { webhookId }, signal }),
    callbackSecrets: ({ signal } = {}) => call('getCallbackSecret', { signal }),
    testWebhook: (webhookId, { signal } = {}) => call('testWebhook', { params: { webhookId }, signal }),
    webhookDeliveries: (webhookId, { signal, ...query } = {}) =>
      call('listWebhookDeliveries', { params: { webhookId }, query, signal }),
    jobDeliveries: (jobId, { signal, ...query } = {}) =>
      call('listJobDeliveries', { params: { jobId }, query, signal }),
    batchDeliveries: (batchId, { signal, ...query } = {}) =>
      call('listBatchDeliveries', { params: { batchId }, query, signal }),
    webhookDelivery: (webhookId, deliveryId, { signal } = {}) =>
      call('getWebhookDelivery', { params: { webhookId, deliveryId }, signal }),
    replayDelivery: (webhookId, deliveryId, { signal } = {}) =>
      call('replayWebhookDelivery', { params: { webhookId, deliveryId }, signal }),
    replayJobDelivery: (jobId, deliveryId, { signal } = {}) =>
      call('replayJobDelivery', { params: { jobId, deliveryId }, signal }),
    replayBatchDelivery: (batchId, deliveryId, { signal } = {}) =>
      call('replayBatchDelivery', { params: { batchId, deliveryId }, signal }),
    addWatch: (body, { signal } = {}) => call('createWatch', { body, signal }) as Promise<Watch>,
    dryRunWatch: (body, options) =>
      call('createWatch', { body, ...dry(options), timeoutSeconds: WATCH_CHECK_SECONDS }) as Promise<WatchDryRun>,
    watches: ({ signal, ...query } = {}) => call('listWatches', { query, signal }),
    watch: (watchId, { signal } = {}) => call('getWatch', { params: { watchId }, signal }),
    changeWatch: (watchId, body, { signal } = {}) =>
      call('changeWatch', { params: { watchId }, body, isRepeatable: true, signal }),
    removeWatch: (watchId, { signal } = {}) => call('deleteWatch', { params: { watchId }, signal }),
    watchedFiles: (watchId, { signal, ...query } = {}) =>
      call('listWatchedFiles', { params: { watchId }, query, signal }),
    retryWatch: (watchId, { paths, signal } = {}) =>
      call('retryWatchedFiles', {
        params: { watchId },
        body: paths === undefined ? {} : { paths: [...paths] },
        isRepeatable: true,
        signal,
      }),
    health: ({ signal } = {}) => call('getHealth', { signal }),
    // A service that is not ready replies 503 with the usual body. Do not retry.
    ready: ({ signal } = {}) => call('getReadiness', { accepts: [503], signal }),
    queue: ({ signal } = {}) => call('getQueue', { signal }),
    queueHistory: ({ signal, ...query } = {}) => call('getQueueHistory', { query, signal }),
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
    rotateClient: (clientId, { graceHours, signal } = {}) =>
      call('rotateClient', {
        params: { clientId },
        ...(graceHours !== undefined && { query: { graceHours } }),
        signal,
      }),
    revokeClient: (clientId, { signal } = {}) =>
      call('revokeClient', { params: { clientId }, isRepeatable: true, signal }),
    doctor: ({ signal } = {}) => call('runDoctor', { timeoutSeconds: DOCTOR_SECONDS, signal }),
    removeFolder: (path, options) => removePath(`${path}/`, ['FILE_NOT_FOUND', 'FOLDER_NOT_EMPTY'], options),
  };
}

const unread = async (response: Response): Promise<Response> => response;

/** A random key of 128 bits. `crypto.randomUUID` is missing on pages loaded over http from another machine. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
