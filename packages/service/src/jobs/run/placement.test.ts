import type { MeasuredSpeed } from '@telecine/contract/domain/work-kinds.ts';
import { expect, test } from 'vitest';
import { type OwnPlace, type PlacedWorker, secondsToLeave } from './placement.ts';

const speed = (ratio: number, more: Partial<MeasuredSpeed> = {}): MeasuredSpeed => ({
  ...{ kind: 'x264-large', jobs: 10, ratio, spread: 0.2 },
  ...more,
});

const worker = (workerId: string, ratio: number, more: Partial<PlacedWorker> = {}): PlacedWorker => ({
  ...{ workerId, version: '0.1.0', buildKey: 'b1', processors: 4, concurrency: 2, state: 'running' },
  ...{ speeds: [speed(ratio)], load: { slots: 0, cores: 0 } },
  lastSeenAt: '2026-01-31T12:00:00.000Z',
  ...more,
});

const own: (...args: Parameters<typeof worker>) => PlacedWorker & OwnPlace = worker;

const SLOW = own('slow', 3);
const leave = (...peers: readonly PlacedWorker[]) => secondsToLeave('x264', SLOW, [SLOW, ...peers]);

test('leaves a long job to a worker that is much faster and has a free slot', () => {
  expect(leave(worker('fast', 1))).toBe(60);
  expect(leave(worker('fast', 2.1))).toBe(0);
  expect(secondsToLeave('x264', own('fast', 1), [SLOW])).toBe(0);
});

test('more processors make a worker faster', () => {
  expect(leave(worker('large', 3, { processors: 8 }))).toBe(60);
});

test('waits for a tenth of what the shortest long job takes, at most', () => {
  const many = own('own', 1, { processors: 12 });
  // 1200 processor seconds take about two minutes on twelve cores.
  const seconds = secondsToLeave('x264', many, [worker('fast', 0.5, { processors: 12 })]);
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

test('an end that a worker foresees comes nearer while its report grows old, and says nothing once it is past', () => {
  const busy = worker('fast', 1, { load: { slots: 2, cores: 4, endsInSeconds: 65 } });
  expect([0, 10, 60, 70].map((age) => secondsToLeave('x264', SLOW, [SLOW, busy], age))).toEqual([0, 60, 60, 0]);
  const older = { ...busy, lastSeenAt: '2026-01-31T11:59:50.000Z' };
  expect(leave(older)).toBe(60);
});

test('leaves a job that weighs two slots only to a worker with two free slots', () => {
  const speeds = (ratio: number) => ({ speeds: [speed(ratio, { kind: 'x265-large' })] });
  const slow = own('slow', 3, speeds(3));
  const leaveHeavy = (more: Partial<PlacedWorker>) =>
    secondsToLeave('x265', slow, [slow, worker('fast', 1, { ...speeds(1), ...more })]);
  expect(leaveHeavy({})).toBe(60);
  expect(leaveHeavy({ load: { slots: 1, cores: 3, endsInSeconds: 5 } })).toBe(0);
  // A worker with one slot uses all of it.
  expect(leaveHeavy({ concurrency: 1 })).toBe(60);
  expect(leaveHeavy({ concurrency: 1, load: { slots: 1, cores: 3, endsInSeconds: 5 } })).toBe(60);
});

test('compares the same size of frames, if possible the large one', () => {
  const both = (large: number, small: number) => ({
    speeds: [speed(small, { kind: 'x264-small' }), speed(large)],
  });
  const leaveTo = (ofOwn: Partial<PlacedWorker>, ofPeer: Partial<PlacedWorker>) => {
    const slow = own('slow', 1, ofOwn);
    return secondsToLeave('x264', slow, [slow, worker('fast', 1, ofPeer)]);
  };
  expect(leaveTo(both(3, 1), both(1, 1))).toBe(60);
  expect(leaveTo(both(1, 9), both(1, 1))).toBe(0);
  expect(leaveTo(both(1, 3), { speeds: [speed(1, { kind: 'x264-small' })] })).toBe(60);
  expect(leaveTo({ speeds: [speed(9)] }, { speeds: [speed(1, { kind: 'x264-small' })] })).toBe(0);
});

test.each<[what: string, change: Partial<PlacedWorker>]>([
  ['takes no jobs', { state: 'draining' }],
  ['an operator has drained', { drainRequestedAt: '2026-01-31T12:00:00.000Z' }],
  ['has another ffmpeg', { buildKey: 'b2' }],
  ['has another version', { version: '0.2.0' }],
  ['is not ready', { failedChecks: [{ check: 'disk', message: 'The disk is full.' }] }],
  ['has measured no speed', { speeds: [] }],
  ['has run too few jobs', { speeds: [speed(1, { jobs: 2 })] }],
  ['is fast at something else', { speeds: [speed(1, { kind: 'av1-large' })] }],
])('leaves no job to a worker that %s', (_what, change) => {
  expect(leave(worker('fast', 1, change))).toBe(0);
});

test('a worker that has measured nothing takes every job', () => {
  expect(secondsToLeave('x264', own('new', 1, { speeds: [] }), [worker('fast', 0.1)])).toBe(0);
});

test('leaves no job to a worker that reports no load, because it cannot start one', () => {
  const { load: _load, ...broken } = worker('fast', 1);
  expect(leave(broken)).toBe(0);
});
