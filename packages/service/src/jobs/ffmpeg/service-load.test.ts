import { expect, test } from 'vitest';
import type { WorkerRecord } from '../../workers/ports/worker-store.ts';
import { queuedBefore, serviceLoad } from './service-load.ts';

const WORKER: WorkerRecord = {
  ...{ workerId: 'w1', hostName: 'encoder-1', pid: 1, version: '0.1.0', ffmpegVersion: '7.1', buildKey: 'b1' },
  ...{ catalogueKey: 'c1', concurrency: 2, processors: 4, sandbox: 'bubblewrap', state: 'running' },
  ...{ freeScratchBytes: 1, startedAt: '2026-01-31T12:00:00.000Z', lastSeenAt: '2026-01-31T12:00:00.000Z' },
};

type Queued = Parameters<typeof queuedBefore>[0];

const loadOf = (workers: readonly WorkerRecord[], queued: Queued = [], ownCores?: number, pausedAt?: string) =>
  serviceLoad({
    workers: { seenWithin: async () => workers },
    jobs: {
      countPending: async () => queued.reduce((sum, { jobs }) => sum + jobs, 0),
      queueDepthsOfClients: async () => queued.map((one) => ({ ...one, oldestSeconds: 1 })),
    },
    queueControl: { pausedAt: async () => pausedAt },
    ...(ownCores !== undefined && { ownCores }),
  })('amy', 'full');

test('an idle service starts a job at once, on any of its machines', async () => {
  expect(await loadOf([WORKER])).toEqual({
    candidates: [{ cores: 4, busyCores: 0 }],
    workers: [WORKER],
    jobsBefore: undefined,
  });
});

test('a job beside others counts the cores that they use', async () => {
  const { candidates, jobsBefore } = await loadOf([{ ...WORKER, load: { slots: 1, cores: 3.4 } }]);
  expect([candidates[0]?.busyCores, jobsBefore]).toEqual([3.4, undefined]);
});

test('a job that finds all slots in use waits, and then runs beside other jobs', async () => {
  const { candidates, jobsBefore } = await loadOf([{ ...WORKER, load: { slots: 2, cores: 6.8 } }]);
  expect([candidates[0]?.busyCores, jobsBefore]).toEqual([3.4, 0]);
});

test('counts the queued jobs that start before', async () => {
  const { jobsBefore } = await loadOf([WORKER], [{ clientId: 'bob', lane: 'full', jobs: 9 }]);
  expect(jobsBefore).toBe(1);
});

test.each<[what: string, queued: Queued, before: number]>([
  ['nothing', [], 0],
  ['own jobs', [{ clientId: 'amy', lane: 'full', jobs: 3 }], 3],
  [
    'own jobs and as many of each other client, and one',
    [
      { clientId: 'amy', lane: 'full', jobs: 3 },
      { clientId: 'bob', lane: 'full', jobs: 100 },
      { clientId: 'cat', lane: 'full', jobs: 2 },
    ],
    9,
  ],
  ['no jobs of another lane', [{ clientId: 'amy', lane: 'light', jobs: 3 }], 0],
])('before a new job come %s', (_what, queued, before) => {
  expect(queuedBefore(queued, 'amy', 'full')).toBe(before);
});

test('counts only workers that take jobs, and this machine before its worker has reported', async () => {
  const stopped = { ...WORKER, state: 'stopped' as const };
  expect(await loadOf([stopped])).toMatchObject({ candidates: [], workers: [] });
  expect((await loadOf([], [], 8)).candidates).toEqual([{ cores: 8 }]);
});

test('no job starts at once while the queue is paused, or without a worker', async () => {
  expect((await loadOf([WORKER], [], undefined, '2026-01-31T12:00:00.000Z')).jobsBefore).toBe(0);
  expect((await loadOf([])).jobsBefore).toBe(0);
});

test('very many queued jobs are not counted', async () => {
  const load = serviceLoad({
    workers: { seenWithin: async () => [WORKER] },
    jobs: {
      countPending: async (_clientId, limit) => limit,
      queueDepthsOfClients: async () => {
        throw new Error('This would read all jobs.');
      },
    },
    queueControl: { pausedAt: async () => undefined },
  });
  const { candidates, jobsBefore } = await load('amy', 'full');
  expect([candidates[0]?.busyCores, jobsBefore]).toEqual([3.4, undefined]);
});
