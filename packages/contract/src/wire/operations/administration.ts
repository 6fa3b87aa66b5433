import { z } from 'zod';
import { auditListSchema, auditQuery } from '../audit.ts';
import {
  clientChangesBody,
  clientListSchema,
  clientSchema,
  clientWithSecretSchema,
  doctorSchema,
  newClientBody,
  rotateClientQuery,
} from '../clients.ts';
import { text } from '../described-schemas.ts';
import { flag } from '../paging.ts';
import {
  largestFilesQuery,
  largestFilesSchema,
  usageListQuery,
  usageListSchema,
  usageQuery,
  usageSchema,
} from '../usage.ts';
import {
  queueHistoryQuery,
  queueHistorySchema,
  queueSchema,
  workerId,
  workerListSchema,
  workerSchema,
} from '../workers.ts';
import { jsonBody, jsonReply, type Operations, token } from './operation.ts';
import { clientLocationHeader } from './problem-replies.ts';

const ADMIN = { tag: 'Operation', access: token('admin') } as const;

const CLIENT_EXAMPLE = {
  clientId: 'shop',
  scopes: ['jobs:read', 'jobs:write'] as const,
  root: 'shop',
  limits: { duration: 7200 },
  createdAt: '2026-01-31T12:00:00.000Z',
};

const WITH_SECRET_EXAMPLE = { ...CLIENT_EXAMPLE, clientSecret: 'tcs_the-secret' };

const params = z.object({
  clientId: text('The name of the client.', 'shop'),
});

/** The operations behind the commands `telecine client` and `telecine doctor`. */
export const CLIENT_OPERATIONS = {
  listClients: {
    ...ADMIN,
    summary: 'List the clients',
    verb: 'client list',
    description: 'Lists all clients, also revoked ones, and the limits that apply where a client has none of its own.',
    replies: {
      200: jsonReply('The clients.', clientListSchema, {
        clients: [CLIENT_EXAMPLE],
        defaultLimits: { duration: 172_800, files: 10_000 },
      }),
    },
  },
  addClient: {
    ...ADMIN,
    summary: 'Add a client',
    verb: 'client add',
    description:
      'Returns its secret, once. If the reply is lost, rotate the secret. Without `scopes`: all except `admin`. Without ' +
      '`root`: a folder with its name in the media root of the service.',
    audit: { action: 'client.add', target: 'clientId' },
    body: jsonBody(newClientBody, {
      clientId: 'shop',
      scopes: ['jobs:read', 'jobs:write'],
      limits: { duration: '2h' },
    }),
    replies: {
      201: jsonReply('The client and its secret.', clientWithSecretSchema, WITH_SECRET_EXAMPLE, clientLocationHeader),
    },
  },
  getClient: {
    ...ADMIN,
    summary: 'Get a client',
    description: 'Returns a client without its secret.',
    params,
    replies: { 200: jsonReply('The client.', clientSchema, CLIENT_EXAMPLE) },
    problems: ['NOT_FOUND'],
  },
  changeClient: {
    ...ADMIN,
    summary: 'Change a client',
    verb: 'client set',
    description:
      'Changes its folder, scopes or limits. Tokens lose a scope within a second; a new scope needs a new token. Running ' +
      'jobs keep their folder and limits.',
    audit: { action: 'client.change', target: 'clientId' },
    params,
    body: jsonBody(clientChangesBody, { limits: { time: '1h' } }),
    replies: { 200: jsonReply('The client.', clientSchema, CLIENT_EXAMPLE) },
    problems: ['NOT_FOUND', 'LAST_ADMIN'],
  },
  rotateClient: {
    ...ADMIN,
    summary: 'Give a client a new secret',
    verb: 'client rotate',
    description:
      'Returns the new secret, once. The old one works for `graceHours` more, so that programs can be changed meanwhile. Then ' +
      'it and all earlier tokens and links of the client become invalid. Without `graceHours`, they do at once.',
    audit: { action: 'client.rotate', target: 'clientId' },
    params,
    query: rotateClientQuery,
    replies: { 200: jsonReply('The client and its secret.', clientWithSecretSchema, WITH_SECRET_EXAMPLE) },
    problems: ['NOT_FOUND'],
  },
  revokeClient: {
    ...ADMIN,
    summary: 'Revoke a client',
    verb: 'client revoke',
    description:
      'Revokes the client for good: its tokens stop working within a second, its jobs are cancelled, and its name stays ' +
      'taken. Its files and jobs stay. A repeated request changes nothing.',
    audit: { action: 'client.revoke', target: 'clientId' },
    params,
    query: z.strictObject({ lastAdmin: flag('`true`: even if no client with the scope `admin` is left.') }),
    replies: {
      200: jsonReply('The revoked client.', clientSchema, { ...CLIENT_EXAMPLE, revokedAt: '2026-01-31T13:00:00.000Z' }),
    },
    problems: ['NOT_FOUND', 'LAST_ADMIN'],
  },
  runDoctor: {
    ...ADMIN,
    summary: 'Check the service',
    description:
      'Runs the checks of `telecine doctor` in this service: Node, settings, ffmpeg, sandbox, store, webhooks and media, and says how ' +
      'to fix each. It takes some seconds.',
    replies: {
      200: jsonReply('The results.', doctorSchema, { findings: [{ name: 'node', state: 'ok', says: '24.21.0' }] }),
    },
  },
} satisfies Operations;

const QUEUED = [{ lane: 'full', jobs: 12, oldestSeconds: 41.5 }];

const QUEUE_EXAMPLE = {
  state: 'running',
  queued: QUEUED,
  clients: [{ client: 'shop', queued: QUEUED, running: 4 }],
  slots: { total: 4, used: 4 },
};

const PAUSED_EXAMPLE = { ...QUEUE_EXAMPLE, state: 'paused', pausedAt: '2026-01-31T12:00:00.000Z' };

const WORKER_EXAMPLE = {
  workerId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11',
  state: 'running',
  hostName: 'encoder-1',
  pid: 4711,
  version: '0.1.0',
  ffmpegVersion: '7.1.3-0+deb13u1',
  sandbox: 'bubblewrap',
  concurrency: 4,
  processors: 8,
  machine: '3f8a91c07d52e6b4',
  freeScratchBytes: 80_000_000_000,
  startedAt: '2026-01-31T11:00:00.000Z',
  lastSeenAt: '2026-01-31T12:00:00.000Z',
  jobs: [
    {
      jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
      client: 'shop',
      phase: 'CONVERTING',
      since: '2026-01-31T11:58:00.000Z',
    },
  ],
};

const workerParams = z.object({ workerId });

export const WORKER_OPERATIONS = {
  getQueue: {
    ...ADMIN,
    summary: 'Read the state of the queue',
    verb: 'queue status',
    description: 'Returns whether the queue is paused, and the number of queued jobs by lane and client.',
    replies: { 200: jsonReply('The queue.', queueSchema, QUEUE_EXAMPLE) },
  },
  getQueueHistory: {
    ...ADMIN,
    summary: 'Read how many jobs were accepted and ended',
    description:
      'Returns counts of the jobs of all clients by time, also of jobs that were deleted since. Each process adds its counts ' +
      'every five seconds; a crash loses the counts since then.',
    query: queueHistoryQuery,
    replies: {
      200: jsonReply('The counts.', queueHistorySchema, {
        span: 'hour',
        stepSeconds: 60,
        points: [
          {
            at: '2026-01-31T12:00:00.000Z',
            ...{ accepted: 14, started: 12, completed: 10, failed: 1, cancelled: 0, waitedSeconds: 3.2 },
          },
        ],
        failures: [
          {
            code: 'INPUT_NOT_FOUND',
            jobs: 1,
            clients: [
              {
                ...{ client: 'shop', jobs: 1, lastJobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11' },
                ...{ firstAt: '2026-01-31T12:00:20.000Z', lastAt: '2026-01-31T12:00:20.000Z' },
              },
            ],
          },
        ],
      }),
    },
  },
  pauseQueue: {
    ...ADMIN,
    summary: 'Pause the queue',
    verb: 'queue pause',
    description:
      'No queued job starts until the queue is resumed, on any machine and after restarts too. Jobs are still accepted, ' +
      'and running ones go on.',
    audit: { action: 'queue.pause', target: 'nothing' },
    replies: { 200: jsonReply('The queue.', queueSchema, PAUSED_EXAMPLE) },
  },
  resumeQueue: {
    ...ADMIN,
    summary: 'Resume the queue',
    verb: 'queue resume',
    description: 'Queued jobs start again within a second.',
    audit: { action: 'queue.resume', target: 'nothing' },
    replies: { 200: jsonReply('The queue.', queueSchema, QUEUE_EXAMPLE) },
  },
  listWorkers: {
    ...ADMIN,
    summary: 'List the workers',
    verb: 'workers list',
    description:
      'Lists the processes that run jobs, with the jobs that they run. One that has stopped is listed for ten minutes, one that ' +
      'was lost for a day, with what became of its jobs; the last one with each ffmpeg build, as long as requests are accepted for it (`TELECINE_BUILD_RETENTION_DAYS`).',
    replies: { 200: jsonReply('The workers.', workerListSchema, { workers: [WORKER_EXAMPLE] }) },
  },
  drainWorker: {
    ...ADMIN,
    summary: 'Drain a worker',
    verb: 'workers drain',
    description:
      'The worker takes no more jobs, and running ones go on. Its process goes on, so `resume` undoes this. After a ' +
      'restart it is a new worker, which takes jobs.',
    audit: { action: 'worker.drain', target: 'workerId' },
    params: workerParams,
    replies: {
      200: jsonReply('The worker.', workerSchema, {
        ...WORKER_EXAMPLE,
        state: 'draining',
        drainRequestedAt: '2026-01-31T12:00:00.000Z',
      }),
    },
    problems: ['WORKER_NOT_FOUND'],
  },
  resumeWorker: {
    ...ADMIN,
    summary: 'Let a drained worker take jobs again',
    verb: 'workers resume',
    description: 'It takes jobs again within a second.',
    audit: { action: 'worker.resume', target: 'workerId' },
    params: workerParams,
    replies: { 200: jsonReply('The worker.', workerSchema, WORKER_EXAMPLE) },
    problems: ['WORKER_NOT_FOUND'],
  },
} satisfies Operations;

export const USAGE_OPERATIONS = {
  getUsage: {
    tag: 'Jobs',
    summary: 'Read what a client uses of its quotas',
    verb: 'usage show',
    description:
      'Quotas without `limit` are counted too. A client sees its own usage, an administrator the usage of all clients.',
    access: token('jobs:read'),
    query: usageQuery,
    replies: {
      200: jsonReply('The usage.', usageSchema, {
        client: 'shop',
        day: '2026-01-31',
        resetsAt: '2026-02-01T00:00:00.000Z',
        slots: 4,
        quotas: [
          { name: 'jobs', used: 12, limit: 1000 },
          { name: 'media', used: 5400.5 },
          { name: 'storage', used: 52_428_800, limit: 1_073_741_824 },
        ],
      }),
    },
    problems: ['NOT_FOUND'],
  },
  listUsage: {
    ...ADMIN,
    summary: 'List what all clients use',
    verb: 'usage clients',
    description:
      'Lists the clients, first those whose files take the most space, with the free space of the disk. To see which folders and ' +
      'files of a client take it, read `/api/usage/files`.',
    query: usageListQuery,
    replies: {
      200: jsonReply('The usage.', usageListSchema, {
        day: '2026-01-31',
        resetsAt: '2026-02-01T00:00:00.000Z',
        disk: { totalBytes: 500_000_000_000, freeBytes: 50_000_000_000, otherBytes: 9_000_000_000 },
        total: { clients: 2, storedBytes: 440_000_000_000, binBytes: 1_000_000_000 },
        clients: [
          { client: 'shop', storedBytes: 430_000_000_000, binBytes: 1_000_000_000, jobs: 12, mediaSeconds: 5400.5 },
          { client: 'blog', storedBytes: 10_000_000_000, binBytes: 0, jobs: 0, mediaSeconds: 0 },
        ],
      }),
    },
  },
  listLargestFiles: {
    tag: 'Files',
    summary: 'List the largest folders and files of a client',
    verb: 'usage files',
    description:
      'Adds up the files that uploads and jobs of the client published. A client sees its own files, an administrator those of all ' +
      'clients. A million files take some seconds, so a client can have two of these requests at once.',
    access: token('files:read'),
    query: largestFilesQuery,
    replies: {
      200: jsonReply('The folders and files.', largestFilesSchema, {
        ...{ client: 'shop', folder: '', files: 3, bytes: 52_428_800 },
        largestFolders: [{ path: 'films/', files: 2, bytes: 50_000_000 }],
        largestFiles: [{ path: 'films/a.mp4', bytes: 30_000_000 }],
      }),
    },
    problems: ['NOT_FOUND'],
  },
} satisfies Operations;

export const AUDIT_OPERATIONS = {
  listAudit: {
    ...ADMIN,
    summary: 'Read the audit log',
    verb: 'audit export',
    description:
      'Lists who did what. A page looks at 10,000 records at most, so with a filter it can have fewer than `limit`, even ' +
      'none, and still have a `nextCursor`. Submissions have no address: the access log has it, in the line with their `jobId`.',
    query: auditQuery,
    replies: {
      200: jsonReply('One page.', auditListSchema, {
        records: [
          {
            auditId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12',
            at: '2026-01-31T12:00:00.000Z',
            action: 'job.cancel',
            outcome: 'done',
            via: 'rest',
            client: 'shop',
            target: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
            address: '203.0.113.7',
            requestId: 'q1Zk0v8T-1f',
          },
        ],
        nextCursor: 'MDE5OWE3YzI',
      }),
    },
  },
} satisfies Operations;
