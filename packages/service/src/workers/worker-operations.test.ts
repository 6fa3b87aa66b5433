import { expect, test } from 'vitest';
import type { RunningJob } from './ports/worker-store.ts';
import { queuedByLane, queuesByClient, shownState } from './worker-operations.ts';

const JOB: RunningJob = { jobId: 'job', clientId: 'amy', phase: 'CONVERTING' };
const drainRequestedAt = '2026-11-20T10:00:00.000Z';

test.each([
  ['running', { state: 'running' }, true, []],
  ['running', { state: 'running' }, true, [JOB]],
  ['draining', { state: 'running', drainRequestedAt }, true, [JOB]],
  ['drained', { state: 'running', drainRequestedAt }, true, []],
  ['draining', { state: 'draining' }, true, []],
  ['lost', { state: 'running' }, false, [JOB]],
  ['lost', { state: 'draining', drainRequestedAt }, false, []],
  ['stopped', { state: 'stopped', drainRequestedAt }, false, []],
] as const)('shows %s for %o', (shown, worker, isLive, jobs) => {
  expect(shownState(worker, isLive, jobs)).toBe(shown);
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
