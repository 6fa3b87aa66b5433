import { z } from 'zod';
import {
  queueHistoryQuery,
  queueHistorySchema,
  queueSchema,
  workerId,
  workerListSchema,
  workerSchema,
} from '../workers.ts';
import { jsonReply, type Operations, token } from './operation.ts';

const QUEUED = [{ lane: 'full', jobs: 12, oldestSeconds: 41.5 }];

const QUEUE_EXAMPLE = { state: 'running', queued: QUEUED, clients: [{ client: 'shop', queued: QUEUED, running: 4 }] };

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

const params = z.object({ workerId });

export const WORKER_OPERATIONS = {
  getQueue: {
    tag: 'Operation',
    summary: 'Read the state of the queue',
    description: 'Returns whether the queue is paused, and the number of queued jobs by lane and client.',
    access: token('admin'),
    replies: { 200: jsonReply('The queue.', queueSchema, QUEUE_EXAMPLE) },
  },
  getQueueHistory: {
    tag: 'Operation',
    summary: 'Read how many jobs were accepted and ended',
    description:
      'Returns counts of the jobs of all clients by time, also of jobs that were deleted since. Each process adds its counts ' +
      'every five seconds; a crash loses those since then.',
    access: token('admin'),
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
        failures: [{ code: 'INPUT_NOT_FOUND', jobs: 1 }],
      }),
    },
  },
  pauseQueue: {
    tag: 'Operation',
    summary: 'Pause the queue',
    description:
      'No queued job starts until the queue is resumed, on any machine and after restarts too. Jobs are still accepted, ' +
      'and running ones go on.',
    access: token('admin'),
    audit: { action: 'queue.pause', target: 'nothing' },
    replies: { 200: jsonReply('The queue.', queueSchema, PAUSED_EXAMPLE) },
  },
  resumeQueue: {
    tag: 'Operation',
    summary: 'Resume the queue',
    description: 'Queued jobs start again within a second.',
    access: token('admin'),
    audit: { action: 'queue.resume', target: 'nothing' },
    replies: { 200: jsonReply('The queue.', queueSchema, QUEUE_EXAMPLE) },
  },
  listWorkers: {
    tag: 'Operation',
    summary: 'List the workers',
    description:
      'Lists the processes that run jobs, with the jobs that they run. One that is gone is listed for ten minutes; the last one ' +
      'with each ffmpeg build, as long as requests are accepted for it (`TELECINE_BUILD_RETENTION_DAYS`).',
    access: token('admin'),
    replies: { 200: jsonReply('The workers.', workerListSchema, { workers: [WORKER_EXAMPLE] }) },
  },
  drainWorker: {
    tag: 'Operation',
    summary: 'Drain a worker',
    description:
      'The worker takes no more jobs, and running ones go on. Its process goes on, so `resume` undoes this. After a ' +
      'restart it is a new worker, which takes jobs.',
    access: token('admin'),
    audit: { action: 'worker.drain', target: 'workerId' },
    params,
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
    tag: 'Operation',
    summary: 'Let a drained worker take jobs again',
    description: 'It takes jobs again within a second.',
    access: token('admin'),
    audit: { action: 'worker.resume', target: 'workerId' },
    params,
    replies: { 200: jsonReply('The worker.', workerSchema, WORKER_EXAMPLE) },
    problems: ['WORKER_NOT_FOUND'],
  },
} satisfies Operations;
