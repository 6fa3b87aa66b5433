import type { Accepted, AcceptedBatch, BatchDryRun, DryRun, Watch, WatchDryRun } from '../api.ts';
import { followEvents } from '../events.ts';
import { FOLLOW_BUDGET } from '../retry.ts';
import type { TelecineClient } from '../telecine-client.ts';
import type { Transport } from '../transport.ts';
import { pollBatch, pollJob } from '../wait.ts';
import { absoluteUrl, dry, planned, submission } from './call-settings.ts';

/** The maximum time of a dry run of a watch, in seconds: the service reads the folder and examines some of its files. */
const WATCH_CHECK_SECONDS = 120;

/** The calls about jobs, batches and watches. */
export function jobCalls(transport: Transport) {
  const { call, read } = transport;

  return {
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
    cancelBatch: (batchId, { signal } = {}) => call('cancelBatch', { params: { batchId }, signal }),
    cancel: (jobId, { signal } = {}) => call('cancelJob', { params: { jobId }, signal }),
    // Retries wait for the next minute of the client's limit of submissions.
    changeJobs: (body, { signal } = {}) =>
      call('changeJobs', { body, timeoutSeconds: 0, budget: FOLLOW_BUDGET, signal }),
    retry: (jobId, { request, ...options } = {}) =>
      call('retryJob', { params: { jobId }, body: request, ...submission(options) }) as Promise<Accepted>,
    remove: (jobId, { outputs = false, signal } = {}) =>
      call('deleteJob', { params: { jobId }, query: outputs ? { outputs: 'true' } : {}, signal }),
    log: (jobId, { signal } = {}) => read('getJobLog', { params: { jobId }, signal }, (response) => response.text()),
    key: (jobId, { signal } = {}) => read('getJobKey', { params: { jobId }, signal }, (response) => response.bytes()),
    wait: (jobId, options) => pollJob(transport, jobId, options),
    events: (options) => followEvents(transport, options),
    probe: (body, { signal } = {}) => call('probeFile', { body, timeoutSeconds: 0, signal }),
    analyze: (body, options) => call('analyzeFile', { body, ...submission(options) }) as Promise<Accepted>,
    outputs: (jobId, { signal, limit = 1000, cursor } = {}) =>
      call('listOutputs', { params: { jobId }, query: { limit, cursor }, signal }),
    measured: (jobId, list, { signal, limit = 1000, cursor } = {}) =>
      call('listMeasured', { params: { jobId, list }, query: { limit, cursor }, signal }),
    links: async (jobId, { signal, ...query } = {}) => {
      const { links, ...more } = await call('getOutputLinks', { params: { jobId }, query, signal });
      return { ...more, links: links.map((link) => ({ ...link, url: absoluteUrl(transport, link.url) })) };
    },
    addWatch: (body, { signal } = {}) => call('createWatch', { body, signal }) as Promise<Watch>,
    dryRunWatch: (body, options) =>
      call('createWatch', { body, ...dry(options), timeoutSeconds: WATCH_CHECK_SECONDS }) as Promise<WatchDryRun>,
    watches: ({ signal, ...query } = {}) => call('listWatches', { query, signal }),
    watch: (watchId, { signal } = {}) => call('getWatch', { params: { watchId }, signal }),
    changeWatch: (watchId, body, { signal } = {}) => call('changeWatch', { params: { watchId }, body, signal }),
    removeWatch: (watchId, { signal } = {}) => call('deleteWatch', { params: { watchId }, signal }),
    watchedFiles: (watchId, { signal, ...query } = {}) =>
      call('listWatchedFiles', { params: { watchId }, query, signal }),
    retryWatch: (watchId, { paths, signal } = {}) =>
      call('retryWatchedFiles', {
        params: { watchId },
        body: paths === undefined ? {} : { paths: [...paths] },
        signal,
      }),
  } satisfies Partial<TelecineClient>;
}
