import { expect, test } from 'vitest';
import type { RunningJob, WorkerRecord } from './ports/worker-store.ts';
import {
  queuedByLane,
  queuesByClient,
  shownState,
  workerOperations,
  workersOfBuild,
  workersOfLargestBuild,
} from './worker-operations.ts';

const JOB: RunningJob = { jobId: 'job', clientId: 'amy', phase: 'CONVERTING' };
const FULL = { check: 'disk', message: 'The disk is full.' };
const drainRequestedAt = '2026-11-20T10:00:00.000Z';

test.each([
  ['running', { state: 'running' }, true, []],
  ['running', { state: 'running' }, true, [JOB]],
  ['draining', { state: 'running', drainRequestedAt }, true, [JOB]],
  ['drained', { state: 'running', drainRequestedAt }, true, []],
  ['draining', { state: 'draining' }, true, []],
  ['unready', { state: 'running', failedChecks: [FULL] }, true, [JOB]],
  ['drained', { state: 'running', failedChecks: [FULL], drainRequestedAt }, true, []],
  ['lost', { state: 'running', failedChecks: [FULL] }, false, [JOB]],
  ['lost', { state: 'draining', drainRequestedAt }, false, []],
  ['stopped', { state: 'stopped', drainRequestedAt }, false, []],
] as const)('shows %s for %o', (shown, worker, isLive, jobs) => {
  expect(shownState(worker, isLive, jobs)).toBe(shown);
});

const ofBuild = (buildKey: string, concurrency: number) => ({ buildKey, concurrency, state: 'running' }) as const;

test('a worker with another build of ffmpeg, and one that takes no jobs, share no chunks', () => {
  const workers = [
    ...[ofBuild('a', 2), ofBuild('b', 4), ofBuild('a', 1)],
    { ...ofBuild('a', 8), state: 'draining' } as const,
    { ...ofBuild('a', 8), state: 'stopped' } as const,
    { ...ofBuild('a', 8), drainRequestedAt },
    { ...ofBuild('a', 8), failedChecks: [FULL] },
  ];
  expect(workersOfBuild(workers, 'a')).toEqual([ofBuild('a', 2), ofBuild('a', 1)]);
  expect(workersOfBuild(workers, 'c')).toEqual([]);
});

test('a dry run counts the slots of the build that has most', () => {
  const worker = (buildKey: string, concurrency: number) => ({ buildKey, concurrency, processors: 4 });
  const many = [worker('a', 2), worker('b', 1), worker('a', 3), worker('b', 1)];
  expect(workersOfLargestBuild(many)).toEqual([worker('a', 2), worker('a', 3)]);
  expect(workersOfLargestBuild([])).toEqual([]);
});

const QUEUED = [
  { clientId: 'amy', lane: 'full', jobs: 2, oldestSeconds: 5 },
  { clientId: 'bob', lane: 'full', jobs: 3, oldestSeconds: 9 },
  { clientId: 'amy', lane: 'light', jobs: 4, oldestSeconds: 1 },
] as const;

test('the queued jobs of all clients are added up by lane, with the age of the oldest', () => {
  expect(queuedByLane(QUEUED)).toEqual([
    { lane: 'full', jobs: 5, oldestSeconds: 9 },
    { lane: 'light', jobs: 4, oldestSeconds: 1 },
  ]);
});

test('the client with the most queued jobs comes first, and one that only runs jobs is shown too', () => {
  const queues = queuesByClient(QUEUED, [{ clientId: 'zoe' }, { clientId: 'bob' }]);
  expect(queues.map(({ clientId, running }) => [clientId, running])).toEqual([
    ['amy', 0],
    ['bob', 1],
    ['zoe', 1],
  ]);
});

test('lists a worker that was lost for a day with what became of its jobs, and one that stopped for ten minutes', async () => {
  const nowMs = Date.parse('2026-11-20T10:00:00.000Z');
  const seen = (workerId: string, secondsAgo: number, change: Partial<WorkerRecord> = {}): WorkerRecord => ({
    ...{
      workerId,
      hostName: 'encoder',
      pid: 1,
      version: '0.1.0',
      ffmpegVersion: '7.1',
      buildKey: 'b',
      catalogueKey: 'c',
    },
    ...{ concurrency: 2, processors: 4, sandbox: 'none', state: 'running', freeScratchBytes: 1 },
    startedAt: '2026-11-18T10:00:00.000Z',
    lastSeenAt: new Date(nowMs - secondsAgo * 1000).toISOString(),
    ...change,
  });
  const all = [
    seen('lost before', 90_000),
    seen('lost', 80_000, { load: { slots: 2, cores: 2, jobIds: ['queued', 'deleted', 'done'] } }),
    seen('lost without jobs', 70_000, { state: 'draining' }),
    seen('stopped', 700, { state: 'stopped' }),
    seen('stopped now', 500, { state: 'stopped' }),
    seen('live', 5, { load: { slots: 1, cores: 1, jobIds: ['other'] } }),
  ];
  const asked: (readonly string[])[] = [];
  const { list } = workerOperations({
    workers: {
      seenWithinEach: async (spans) =>
        spans.map((seconds) =>
          all.filter(({ lastSeenAt }) => nowMs - Date.parse(lastSeenAt) <= seconds * 1000),
        ) as never,
      requestDrain: async () => false,
    },
    control: {
      runningJobs: async () => [],
      statusesOf: async (jobIds) => {
        asked.push(jobIds);
        return [
          { jobId: 'done', clientId: 'amy', status: 'COMPLETED' },
          { jobId: 'queued', clientId: 'bob', status: 'PENDING' },
        ];
      },
      pausedAt: async () => undefined,
      pause: async () => {},
      resume: async () => {},
    },
    queuedJobs: async () => [],
  });
  const shown = await list();
  expect(shown.map(({ workerId, state }) => [workerId, state])).toEqual([
    ['lost', 'lost'],
    ['lost without jobs', 'lost'],
    ['stopped now', 'stopped'],
    ['live', 'running'],
  ]);
  expect(asked).toEqual([['queued', 'deleted', 'done']]);
  expect(shown.map(({ lastJobs }) => lastJobs)).toEqual([
    [
      { jobId: 'queued', clientId: 'bob', status: 'PENDING' },
      { jobId: 'done', clientId: 'amy', status: 'COMPLETED' },
    ],
    ...[undefined, undefined, undefined],
  ]);
});
