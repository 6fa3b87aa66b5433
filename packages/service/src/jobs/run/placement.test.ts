import type { MeasuredSpeed } from '@telecine/contract/domain/work-kinds.ts';
import { expect, test } from 'vitest';
import { type PlacedWorker, secondsToLeave } from './placement.ts';

const speed = (ratio: number, more: Partial<MeasuredSpeed> = {}): MeasuredSpeed => ({
  ...{ kind: 'x264-large', jobs: 10, ratio, spread: 0.2 },
  ...more,
});

const worker = (workerId: string, ratio: number, more: Partial<PlacedWorker> = {}): PlacedWorker => ({
  ...{ workerId, buildKey: 'b1', processors: 4, concurrency: 2, state: 'running', speeds: [speed(ratio)] },
  ...more,
});

const SLOW = worker('slow', 3);
const leave = (...peers: readonly PlacedWorker[]) => secondsToLeave('x264', SLOW, [SLOW, ...peers]);

test('leaves a long job to a worker that is much faster and has a free slot', () => {
  expect(leave(worker('fast', 1))).toBe(60);
  expect(leave(worker('fast', 2.1))).toBe(0);
  expect(secondsToLeave('x264', worker('fast', 1), [SLOW])).toBe(0);
});

test('more processors make a worker faster', () => {
  expect(leave(worker('large', 3, { processors: 8 }))).toBe(60);
});

test('waits for a tenth of what the shortest long job takes, at most', () => {
  const own = worker('own', 1, { processors: 12 });
  // 1200 processor seconds take about two minutes on twelve cores.
  const seconds = secondsToLeave('x264', own, [worker('fast', 0.5, { processors: 12 })]);
  expect(seconds).toBeCloseTo(11.8, 1);
});

test('leaves no job to a worker without a free slot, unless one will be free soon', () => {
  const busy = (endsInSeconds?: number) =>
    worker('fast', 1, { load: { slots: 2, cores: 4, ...(endsInSeconds !== undefined && { endsInSeconds }) } });
  expect(leave(busy())).toBe(0);
  expect(leave(busy(600))).toBe(0);
  expect(leave(busy(20))).toBe(60);
  expect(leave(worker('fast', 1, { load: { slots: 1, cores: 3 } }))).toBe(60);
});

test.each<[what: string, change: Partial<PlacedWorker>]>([
  ['takes no jobs', { state: 'draining' }],
  ['an operator has drained', { drainRequestedAt: '2026-01-31T12:00:00.000Z' }],
  ['has another ffmpeg', { buildKey: 'b2' }],
  ['has measured no speed', { speeds: [] }],
  ['has run too few jobs', { speeds: [speed(1, { jobs: 2 })] }],
  ['is fast at something else', { speeds: [speed(1, { kind: 'av1-large' })] }],
])('leaves no job to a worker that %s', (_what, change) => {
  expect(leave(worker('fast', 1, change))).toBe(0);
});

test('a worker that has measured nothing takes every job', () => {
  expect(secondsToLeave('x264', worker('new', 1, { speeds: [] }), [worker('fast', 0.1)])).toBe(0);
});
