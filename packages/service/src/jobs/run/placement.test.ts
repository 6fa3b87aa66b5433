import { expect, test } from 'vitest';
import { type PlacedWorker, secondsToLeave } from './placement.ts';

const worker = (workerId: string, processors: number, more: Partial<PlacedWorker> = {}): PlacedWorker => ({
  ...{ workerId, processors, buildKey: 'b1', concurrency: 2, state: 'running', load: { slots: 0, cores: 0 } },
  lastSeenAt: '2026-01-31T12:00:00.000Z',
  ...more,
});

const SMALL = worker('small', 2);
const leave = (...peers: readonly PlacedWorker[]) => secondsToLeave(SMALL, [SMALL, ...peers]);

test('leaves a long job to a worker with many more processors and a free slot', () => {
  expect(leave(worker('large', 8))).toBe(60);
  expect(leave(worker('alike', 2))).toBe(0);
  expect(secondsToLeave(worker('large', 8), [SMALL])).toBe(0);
});

test('waits for a tenth of what the shortest long job takes, at most', () => {
  expect(secondsToLeave(worker('own', 8), [worker('large', 12)])).toBeCloseTo(17.6, 1);
});

test('leaves no job to a worker without a free slot, unless one will be free soon', () => {
  const busy = (endsInSeconds?: number) =>
    worker('large', 8, { load: { slots: 2, cores: 4, ...(endsInSeconds !== undefined && { endsInSeconds }) } });
  expect(leave(busy())).toBe(0);
  expect(leave(busy(600))).toBe(0);
  expect(leave(busy(20))).toBe(60);
  expect(leave(worker('large', 8, { load: { slots: 1, cores: 3 } }))).toBe(60);
});

test('an end that a worker foresees comes nearer while its report grows old, and says nothing once it is past', () => {
  const busy = worker('large', 8, { load: { slots: 2, cores: 4, endsInSeconds: 65 } });
  expect([0, 10, 60, 70].map((age) => secondsToLeave(SMALL, [SMALL, busy], age))).toEqual([0, 60, 60, 0]);
  expect(leave({ ...busy, lastSeenAt: '2026-01-31T11:59:50.000Z' })).toBe(60);
});

test.each<[what: string, change: Partial<PlacedWorker>]>([
  ['takes no jobs', { state: 'draining' }],
  ['an operator has drained', { drainRequestedAt: '2026-01-31T12:00:00.000Z' }],
  ['has another ffmpeg', { buildKey: 'b2' }],
  ['is not ready', { failedChecks: [{ check: 'disk', message: 'The disk is full.' }] }],
])('leaves no job to a worker that %s', (_what, change) => {
  expect(leave(worker('large', 8, change))).toBe(0);
});

test('leaves no job to a worker that reports no load, because it cannot start one', () => {
  const { load: _load, ...broken } = worker('large', 8);
  expect(leave(broken)).toBe(0);
});
