import type { AuditEvent } from '../../packages/contract/src/domain/audit.ts';
import { type BatchWithJobs, countJobs } from '../../packages/contract/src/domain/batch.ts';
import { type Caller, DEFAULT_SCOPES, type Scope } from '../../packages/contract/src/domain/client.ts';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { Job } from '../../packages/contract/src/domain/job.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { Share } from '../../packages/contract/src/domain/share.ts';
import type { AuditOperations } from '../../packages/service/src/audit/audit-log.ts';
import type { ClientAdministration } from '../../packages/service/src/auth/client-administration.ts';
import type { ClientView } from '../../packages/service/src/auth/clients.ts';
import type { LinkOperations } from '../../packages/service/src/auth/links.ts';
import type { TokenOperations } from '../../packages/service/src/auth/token-operations.ts';
import type { SessionOperations } from '../../packages/service/src/auth/token-service.ts';
import type { FileOperations } from '../../packages/service/src/files/file-operations.ts';
import type { UploadOperations } from '../../packages/service/src/files/uploads.ts';
import type { HttpDeps } from '../../packages/service/src/http/deps.ts';
import type { BatchToRead } from '../../packages/service/src/jobs/batches.ts';
import type { JobOperations } from '../../packages/service/src/jobs/job-operations.ts';
import type { DryRun } from '../../packages/service/src/jobs/submit/dry-run.ts';
import type { IdempotencyKey } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import type { PreviewOperations } from '../../packages/service/src/previews/preview-operations.ts';
import type { WebhookOperations } from '../../packages/service/src/webhooks/webhook-operations.ts';
import type { WorkerOperations, WorkerStatus } from '../../packages/service/src/workers/worker-operations.ts';
import { mediaRoot } from './media-root.ts';

// In-memory use cases and tokens, so that a test can provoke every reply of the HTTP layer. End-to-end tests run the real
// ones.

export const JOB_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

export const jobOf = (change: Partial<Job> = {}): Job => ({
  jobId: JOB_ID,
  clientId: 'alice',
  status: 'PENDING',
  request: { input: 'in.mov', output: 'out.mp4' },
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
  ...change,
});

const batchOf = (): BatchWithJobs => ({
  batchId: JOB_ID,
  clientId: 'alice',
  createdAt: '2026-01-31T12:00:00.000Z',
  size: 1,
  jobs: [jobOf()],
});

/** A batch for `readBatch`: the batch of `batchOf`, with `jobs` jobs of `bytes` stored bytes together. */
export function batchToRead({ jobs = 1, bytes = 1000, onRead = () => {} } = {}): BatchToRead {
  const { jobs: _, ...batch } = batchOf();
  const read = async function* () {
    for (let i = 0; i < jobs; i += 1) {
      onRead();
      yield jobOf();
    }
  };
  return {
    batch: { ...batch, size: jobs },
    states: Array.from({ length: jobs }, () => ({ ...jobOf(), bytes: bytes / jobs })),
    bytes,
    jobs: read,
    allJobs: async () => {
      const all = [];
      for await (const job of read()) all.push(job);
      return all;
    },
  };
}

export const DRY_RUN: DryRun = {
  argv: [['ffmpeg', '-i', 'in/0.mov', 'out/out.mp4']],
  plan: {
    inputs: [{ name: 'in/0.mov', path: 'in.mov' }],
    outputs: [
      {
        name: 'out/out.mp4',
        path: 'out.mp4',
        muxer: 'mp4',
        replace: false,
        files: [['out.mp4']],
        encoders: { video: ['libx264'] },
      },
    ],
    passes: 1,
  },
  warnings: [],
};

interface Submitted {
  readonly caller: Caller;
  readonly request: ConversionRequest;
  readonly idempotency: IdempotencyKey | undefined;
}

/** Use cases that return `jobOf()` and record their calls. A test can replace each of them. */
export function fakeJobs(change: Partial<JobOperations> = {}) {
  const submitted: Submitted[] = [];
  const reservations = { taken: 0, accepted: 0, refused: 0 };
  const jobs: JobOperations = {
    admit: async () => {
      reservations.taken += 1;
      return {
        release: (accepted) => {
          reservations[accepted ? 'accepted' : 'refused'] += 1;
        },
      };
    },
    submit: async (caller, request, idempotency) => {
      submitted.push({ caller, request, idempotency });
      return { jobId: JOB_ID, status: 'PENDING' };
    },
    dryRun: async () => DRY_RUN,
    measured: async () => ({ count: 0, entries: [] }),
    key: async () => '00112233445566778899aabbccddeeff',
    select: async () => ({ jobs: [] }),
    change: async () => [],
    cancelQueuedOf: async () => {},
    submitWatched: async () => {},
    submitBatch: async () => ({ batchId: JOB_ID, jobs: [{ jobId: JOB_ID, status: 'PENDING' }] }),
    dryRunBatch: async () => ({ jobs: [DRY_RUN] }),
    repeatBatch: async () => undefined,
    getBatch: async () => batchToRead(),
    findBatch: async () => batchOf(),
    listBatches: async () => ({ batches: [{ ...batchOf(), counts: countJobs([jobOf()]) }], nextCursor: JOB_ID }),
    cancelBatch: async () => batchToRead(),
    get: async () => jobOf(),
    wait: async () => jobOf(),
    waitForAll: async (_caller, _selection, { keep }) => ({ jobs: [keep(jobOf())], running: 0, hasMore: false }),
    follow: async (_caller, { start }) => {
      const writer = start();
      writer.write({ kind: 'snapshot', job: jobOf() }, 7);
      await writer.end();
    },
    list: async () => ({ jobs: [jobOf()], nextCursor: JOB_ID }),
    outputs: async () => ({ outputs: jobOf().outputs ?? [], count: 1 }),
    listInSteps: async (caller, query, { requireRoom, write }) => {
      const { jobs: found, ...page } = await jobs.list(caller, query);
      requireRoom?.(found.map(({ jobId }) => ({ jobId, bytes: 0 })));
      write(found);
      return page;
    },
    log: async () => 'frame=1\n',
    cancel: async () => jobOf({ status: 'CANCELLED', error: { code: 'CANCELLED', message: 'Cancelled.' } }),
    openRetry: async (caller) => ({ job: jobOf({ status: 'FAILED' }), owner: caller }),
    retry: async () => ({ jobId: JOB_ID, status: 'PENDING' }),
    dryRunRetry: async () => DRY_RUN,
    remove: async () => {},
    usage: async () => USAGE,
    usageOfAll: async () => ({
      ...{ day: USAGE.day, resetsAt: USAGE.resetsAt, total: { clients: 0, storedBytes: 0, binBytes: 0 } },
      clients: [],
    }),
    largestFiles: async () => ({
      ...{ clientId: 'alice', folder: '', files: 0, bytes: 0, largestFolders: [], largestFiles: [] },
    }),
    ...change,
  };
  return { jobs, submitted, reservations };
}

const USAGE = {
  clientId: 'alice',
  day: '2026-11-20',
  resetsAt: '2026-11-21T00:00:00.000Z',
  slots: 2,
  quotas: [{ name: 'jobs', used: 3, limit: 10 }],
} as const;

const callerWith = (scopes: readonly Scope[]): Caller => ({
  clientId: 'alice',
  scopes,
  root: mediaRoot('/media/alice'),
  policy: {},
});

const PAIR = {
  clientId: 'alice',
  accessToken: 'access',
  refreshToken: 'refresh',
  tokenType: 'Bearer',
  expiresIn: 900,
  refreshExpiresIn: 2_592_000,
  scope: DEFAULT_SCOPES.join(' '),
} as const;

/** Accepts the client alice with the secret `secret`. Tokens are `good`, and `only <scope>` for one scope. */
/** One session, with the secret `session`, of the client and the login of `fakeTokens`. */
export function fakeSessions(change: Partial<SessionOperations> = {}): SessionOperations {
  const { clientId } = PAIR;
  const session = { clientId, scopes: DEFAULT_SCOPES, expiresAt: '2026-11-20T22:00:00.000Z' };
  const started = { ...session, secret: 'session' };
  const ended = new Problem('INVALID_TOKEN', 'The session has ended.');
  return {
    start: async ({ clientSecret }) => {
      if (clientSecret !== 'secret')
        throw new Problem('INVALID_CLIENT', 'The client id or the client secret is wrong.');
      return started;
    },
    startByCode: async (code) => {
      if (code !== 'code') throw new Problem('INVALID_CLIENT', 'The link was used.');
      return started;
    },
    verify: (secret) => {
      if (secret !== 'session') throw ended;
      return callerWith(DEFAULT_SCOPES);
    },
    get: async () => session,
    end: async () => undefined,
    ...change,
  };
}

export function fakeTokens(change: Partial<TokenOperations> = {}): TokenOperations {
  const check = (clientSecret: string): void => {
    if (clientSecret !== 'secret') throw new Problem('INVALID_CLIENT', 'The client id or the client secret is wrong.');
  };
  const { refreshToken: _, refreshExpiresIn: __, ...access } = PAIR;
  return {
    issue: async ({ clientSecret }) => {
      check(clientSecret);
      return PAIR;
    },
    clientCredentials: async ({ clientSecret }) => {
      check(clientSecret);
      return access;
    },
    refresh: async ({ refreshToken, client }) => {
      if (client !== undefined) check(client.clientSecret);
      if (refreshToken !== 'refresh') throw new Problem('INVALID_TOKEN', 'The refresh token is not known.');
      return PAIR;
    },
    verify: (token) => {
      if (token === 'good') return callerWith(DEFAULT_SCOPES);
      if (token?.startsWith('only-')) return callerWith([token.slice(5) as Scope]);
      throw new Problem('INVALID_TOKEN', token === undefined ? 'A token is needed.' : 'The token is not valid.');
    },
    ...change,
  };
}

const noUpload = async (): Promise<never> => {
  throw new Problem('UPLOAD_NOT_FOUND', 'This client has no such upload.');
};

/** No upload exists. A test replaces what it needs. */
export const fakeUploads = (change: Partial<UploadOperations> = {}): UploadOperations => ({
  maxBytes: 1000,
  expirySeconds: 3600,
  lock: async () => ({ holder: 'test', release: async () => {} }),
  put: noUpload,
  create: noUpload,
  find: noUpload,
  settle: noUpload,
  append: noUpload,
  remove: noUpload,
  ...change,
});

const noFile = async (): Promise<never> => {
  throw new Problem('FILE_NOT_FOUND', 'There is no such file.');
};

/** File operations on an empty media root. */
export const fakeFiles = (change: Partial<FileOperations> = {}): FileOperations => ({
  open: noFile,
  remove: noFile,
  move: noFile,
  createFolder: noFile,
  removeAll: noFile,
  keepSecondsOf: async () => 60,
  listBin: noFile,
  restore: noFile,
  deleteEntry: noFile,
  emptyBin: noFile,
  list: async () => ({ entries: [] }),
  search: async () => ({ entries: [] }),
  outputs: noFile,
  batchOutputs: noFile,
  near: async () => undefined,
  chosen: noFile,
  ...change,
});

/** Previews of files that do not exist. */
export const fakePreviews = (change: Partial<PreviewOperations> = {}): PreviewOperations => ({
  find: noFile,
  ...change,
});

/** Rejects every link. */
export const fakeLinks = (): LinkOperations => ({
  sign: async ({ clientId }) => ({ client: clientId, issued: '1', expires: '2', key: 'k', signature: 's' }),
  verify: async () => {
    throw new Problem('INVALID_LINK', 'The link is not valid.');
  },
  readerOf: async () => {
    throw new Problem('INVALID_LINK', 'The client is not there.');
  },
  writerOf: async () => {
    throw new Problem('INVALID_LINK', 'The client is not there.');
  },
});

/** One share, of a file, which each client may revoke. Every link is invalid. */
export const fakeShares = (change: Partial<HttpDeps['shares']> = {}): HttpDeps['shares'] => ({
  create: async (_caller, { path, jobId }) => ({
    share: { ...SHARE, ...(path !== undefined && { path: path as MediaPath }), ...(jobId !== undefined && { jobId }) },
    secret: `tcl_${'x'.repeat(43)}`,
  }),
  list: async () => [{ ...SHARE, path: 'out.mp4' as MediaPath }],
  revoke: async () => {},
  find: async () => {
    throw new Problem('INVALID_LINK', 'The link is not valid.');
  },
  open: noFile,
  readerOf: fakeLinks().readerOf,
  writerOf: fakeLinks().writerOf,
  uses: { add: () => undefined },
  ...change,
});

const SHARE: Share = {
  shareId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15',
  clientId: 'alice',
  createdAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-07T12:00:00.000Z',
  uses: 0,
};

const SHOP: ClientView = { clientId: 'shop', scopes: ['jobs:read'], createdAt: '2026-01-31T12:00:00.000Z' };

/** One client, shop. */
export const fakeClients = (change: Partial<ClientAdministration> = {}): ClientAdministration => ({
  add: async (clientId) => ({ client: { ...SHOP, clientId }, clientSecret: 'new-secret' }),
  get: async () => SHOP,
  list: async () => [SHOP],
  change: async (_name, { scopes = SHOP.scopes }) => ({ ...SHOP, scopes }),
  rotate: async () => ({ client: SHOP, clientSecret: 'new-secret' }),
  revoke: async () => ({ ...SHOP, revokedAt: '2026-01-31T13:00:00.000Z' }),
  shownRoot: () => 'shop',
  defaultLimits: { files: 10_000 },
  ...change,
});

/** An audit log that keeps its records in `events`. */
export function fakeAudit() {
  const events: AuditEvent[] = [];
  const audit: AuditOperations = {
    note: (event) => void events.push(event),
    record: async (event) => void events.push(event),
    list: async () => ({ records: [] }),
    isClient: async (name) => name === 'alice',
  };
  return { audit, events };
}

export const WORKER_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11';

const WORKER: WorkerStatus = {
  workerId: WORKER_ID,
  state: 'running',
  hostName: 'encoder-1',
  pid: 4711,
  version: '0.1.0',
  ffmpegVersion: '5.1.9',
  buildKey: 'build',
  catalogueKey: 'catalogue',
  concurrency: 2,
  processors: 4,
  machine: { id: 'm1', cpus: '0-3' },
  sandbox: 'bubblewrap',
  freeScratchBytes: 1_000_000,
  startedAt: '2026-01-31T11:00:00.000Z',
  lastSeenAt: '2026-01-31T12:00:00.000Z',
  jobs: [{ jobId: JOB_ID, clientId: 'alice', phase: 'CONVERTING', claimedAt: '2026-01-31T11:59:00.000Z' }],
};

/** One worker, `WORKER_ID`, and a queue with one job. */
export function fakeWorkers(): WorkerOperations {
  const queued = [{ lane: 'full', jobs: 1, oldestSeconds: 2 }] as const;
  const shown = {
    queued,
    clients: [{ clientId: 'alice', queued, running: 1 }],
    slots: { total: 2, used: 1 },
  };
  const find = (workerId: string): WorkerStatus => {
    if (workerId === WORKER_ID) return WORKER;
    throw new Problem('WORKER_NOT_FOUND', `Worker ${workerId} does not exist.`);
  };
  return {
    queue: async () => shown,
    pauseQueue: async () => ({ pausedAt: '2026-01-31T12:00:00.000Z', ...shown }),
    resumeQueue: async () => shown,
    list: async () => [WORKER],
    drain: async (workerId) => ({ ...find(workerId), state: 'draining', drainRequestedAt: '2026-01-31T12:00:00.000Z' }),
    resume: async (workerId) => find(workerId),
  };
}

const noWebhook = async (): Promise<never> => {
  throw new Problem('WEBHOOK_NOT_FOUND', 'There is no such webhook.');
};

const noWatch = async (): Promise<never> => {
  throw new Problem('WATCH_NOT_FOUND', 'There are no watches.');
};

export const fakeWatches = (change: Partial<HttpDeps['watches']> = {}): HttpDeps['watches'] => ({
  createWatch: noWatch,
  listWatches: async () => ({ status: 200, body: { watches: [] } }),
  getWatch: noWatch,
  changeWatch: noWatch,
  deleteWatch: noWatch,
  listWatchedFiles: noWatch,
  retryWatchedFiles: noWatch,
  ...change,
});

/** Webhooks of a client that has none. */
export const fakeWebhooks = (change: Partial<WebhookOperations> = {}): WebhookOperations => ({
  add: noWebhook,
  list: async () => [],
  get: noWebhook,
  change: noWebhook,
  remove: noWebhook,
  rotateSecret: noWebhook,
  callbackSecrets: async () => [],
  test: noWebhook,
  deliveries: noWebhook,
  delivery: noWebhook,
  jobDeliveries: async () => ({ deliveries: [] }),
  batchDeliveries: async () => ({ deliveries: [] }),
  replay: noWebhook,
  ...change,
});

/** The tokens of clients with these limits. */
export function limitedTokens(policy: Caller['policy']): TokenOperations {
  const known = fakeTokens();
  return fakeTokens({ verify: async (token) => ({ ...(await known.verify(token)), policy }) });
}
