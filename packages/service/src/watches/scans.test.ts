import { expect, test } from 'vitest';
import type { ScanKind, WatchedStorage } from './ports.ts';
import {
  addScan,
  type EndedScan,
  type LastScans,
  laterPauses,
  NO_SCANS,
  nextScan,
  pauseAfterScan,
  type ScanHistory,
  type ScanWishes,
} from './scans.ts';

const HOUR = 3_600_000;
const LOCAL: ScanWishes = { storage: 'local' };
const BUCKET: ScanWishes = { storage: 'bucket' };

const after = (history: ScanHistory, endedMs: number, more: Partial<EndedScan> = {}): ScanHistory =>
  addScan(history, { kind: 'full', storage: 'local', processorMs: 0, end: 'complete', ...more, endedMs });

const looked = after(NO_SCANS, 0);
const listed = after(NO_SCANS, 0, { storage: 'bucket' });

test('the first scan is full and at once', () => {
  expect(nextScan(NO_SCANS, LOCAL, 500)).toEqual({ atMs: 0, kind: 'full' });
  expect(nextScan(NO_SCANS, { ...LOCAL, hintedMs: 0 }, 5000)).toMatchObject({ kind: 'full' });
});

test('a folder on a disk is looked at every 15 seconds, a bucket is listed every minute', () => {
  expect(nextScan(looked, LOCAL, 0)).toEqual({ atMs: 15_000, kind: 'quick' });
  expect(nextScan(after(looked, 15_000, { kind: 'quick' }), LOCAL, 0)).toEqual({ atMs: 30_000, kind: 'quick' });
  expect(nextScan(listed, BUCKET, 0)).toEqual({ atMs: 60_000, kind: 'quick' });
});

test('a list that takes a second of processor time is repeated after two and a half minutes', () => {
  const costly = after(listed, 100_000, { kind: 'quick', storage: 'bucket', processorMs: 1000 });
  expect(nextScan(costly, BUCKET, 0)).toEqual({ atMs: 250_000, kind: 'quick' });
});

test('the pause after a scan is that until the next look at the folder', () => {
  expect(pauseAfterScan(looked, LOCAL, 0)).toBe(15_000);
  expect(pauseAfterScan(listed, BUCKET, 20_000)).toBe(40_000);
  const costly = after(listed, 100_000, { kind: 'quick', storage: 'bucket', processorMs: 1000 });
  expect(pauseAfterScan(costly, BUCKET, 100_000)).toBe(150_000);
  // A scan is overdue, not in the past.
  expect(pauseAfterScan(looked, LOCAL, 20_000)).toBe(0);
});

test('a hint leads to a scan after a second, which looks at what was marked', () => {
  expect(nextScan(looked, { ...LOCAL, hintedMs: 5000 }, 5000)).toEqual({ atMs: 6000, kind: 'marked' });
  // Not more often than once a second, however many hints there are.
  expect(nextScan(after(looked, 6000, { kind: 'marked' }), { ...LOCAL, hintedMs: 5100 }, 6000)).toEqual({
    ...{ atMs: 7000, kind: 'marked' },
  });
});

test('a scan looks at a file when it can be whole', () => {
  expect(nextScan(looked, { ...LOCAL, settlesMs: 10_000 }, 0)).toEqual({ atMs: 10_000, kind: 'marked' });
});

test('when a client asks, the next scan is at once on a disk, and after ten seconds at most on a bucket', () => {
  expect(nextScan(looked, { ...LOCAL, askedMs: 3000 }, 3000)).toEqual({ atMs: 3000, kind: 'quick' });
  expect(nextScan(listed, { ...BUCKET, askedMs: 3000 }, 3000)).toEqual({ atMs: 10_000, kind: 'quick' });
});

test('each file is looked at each ten minutes, and all files are yielded once a day', () => {
  const quick = after(looked, 599_000, { kind: 'quick' });
  expect(nextScan(quick, LOCAL, 0)).toEqual({ atMs: 600_000, kind: 'thorough' });
  const day = after(after(quick, 24 * HOUR - 20_000, { kind: 'thorough' }), 24 * HOUR - 5000, { kind: 'quick' });
  expect(nextScan(day, LOCAL, 0)).toEqual({ atMs: 24 * HOUR, kind: 'full' });
  expect(nextScan(after(listed, 24 * HOUR - 5000, { kind: 'quick', storage: 'bucket' }), BUCKET, 0)).toEqual({
    ...{ atMs: 24 * HOUR + 55_000, kind: 'full' },
  });
});

test('of the scans that are due, the deepest does the work of the others', () => {
  expect(nextScan(looked, { ...LOCAL, hintedMs: 1000 }, 700_000)).toMatchObject({ kind: 'thorough' });
  expect(nextScan(looked, LOCAL, 25 * HOUR)).toMatchObject({ kind: 'full' });
});

test('after so many hints that they were dropped, each file is looked at', () => {
  expect(nextScan(looked, { ...LOCAL, isOverflowed: true, hintedMs: 100 }, 20_000)).toEqual({
    ...{ atMs: 1100, kind: 'thorough' },
  });
});

test.each([
  [1, 1000],
  [2, 2000],
  [4, 8000],
  [7, 60_000],
  [500, 60_000],
])('after %i scans that did not reach the folder, the next one is after %i ms', (count, pauseMs) => {
  let history = looked;
  for (let i = 0; i < count; i += 1) history = after(history, 1000, { kind: 'quick', end: 'unreachable' });
  expect(nextScan(history, LOCAL, 1000)).toEqual({ atMs: 1000 + pauseMs, kind: 'quick' });
  // It goes on as before as soon as the folder is reached.
  expect(nextScan(after(history, 90_000, { kind: 'quick' }), LOCAL, 0)).toEqual({ atMs: 105_000, kind: 'quick' });
});

test('a folder that was never reached is looked at as a whole', () => {
  const history = after(NO_SCANS, 0, { end: 'unreachable' });
  expect(nextScan(history, LOCAL, 100_000)).toEqual({ atMs: 1000, kind: 'full' });
});

test('a scan that was broken off goes on as soon as files can be whole, without what it has yielded', () => {
  const broken = after(NO_SCANS, 1000, { end: 'unfinished' });
  expect(nextScan(broken, { ...LOCAL, settlesMs: 11_000 }, 1000)).toEqual({ atMs: 11_000, kind: 'thorough' });
  const again = after(broken, 12_000, { kind: 'thorough', end: 'unfinished' });
  expect(nextScan(again, { ...LOCAL, settlesMs: 22_000 }, 12_000)).toEqual({ atMs: 22_000, kind: 'thorough' });
  const ended = after(again, 23_000, { kind: 'thorough' });
  expect(ended.fullMs).toBe(23_000);
  expect(nextScan(ended, LOCAL, 23_000)).toEqual({ atMs: 38_000, kind: 'quick' });
});

test('a costly scan that was broken off keeps no file waiting that is whole before it goes on', () => {
  const broken = after(NO_SCANS, 1000, { end: 'unfinished', processorMs: 200 });
  expect(nextScan(broken, { ...LOCAL, settlesMs: 11_000 }, 1000)).toEqual({ atMs: 11_000, kind: 'marked' });
  for (const end of ['complete', 'unfinished', 'unreachable'] as const) {
    const taken = after(broken, 11_500, { kind: 'marked', processorMs: 100, end });
    expect([end, taken.unfinished]).toEqual([end, 'full']);
    if (end !== 'unreachable') expect(nextScan(taken, LOCAL, 11_500)).toEqual({ atMs: 61_000, kind: 'thorough' });
    expect(after(taken, 70_000, { kind: 'thorough' })).toMatchObject({ fullMs: 70_000, unfinished: undefined });
  }
});

/** Simulates an idle day. Returns the share of one processor, and the shortest time between two lists. */
function idleDay(storage: WatchedStorage, costOf: (kind: ScanKind) => number, hints = false, watches = 1) {
  let [nowMs, history, usedMs, listedMs, pauseMs] = [0, NO_SCANS, 0, 0, Number.POSITIVE_INFINITY];
  while (nowMs < 24 * HOUR) {
    const { atMs, kind } = nextScan(history, { storage, watches, hintedMs: hints ? nowMs : undefined }, nowMs);
    const processorMs = costOf(kind);
    const startMs = Math.max(nowMs, atMs);
    if (kind !== 'marked') {
      if (history.endedMs !== undefined) pauseMs = Math.min(pauseMs, startMs - listedMs);
      listedMs = startMs;
    }
    // The first scan is not idle.
    if (history.endedMs !== undefined) usedMs += processorMs;
    nowMs = startMs + processorMs;
    history = addScan(history, { kind, storage, processorMs, endedMs: nowMs, end: 'complete' });
  }
  return { share: usedMs / (24 * HOUR), pauseMs };
}

test.each<[string, WatchedStorage, Readonly<Record<ScanKind, number>>, boolean]>([
  ['100,000 files on a local disk', 'local', { marked: 1, quick: 10, thorough: 400, full: 900 }, false],
  ['with hints all the time', 'local', { marked: 50, quick: 100, thorough: 400, full: 900 }, true],
  ['a slow network disk', 'remote', { marked: 1, quick: 500, thorough: 9000, full: 12_000 }, false],
  ['a bucket', 'bucket', { marked: 1, quick: 300, thorough: 300, full: 900 }, false],
])('an idle watch takes less than a hundredth of a processor: %s', (_what, storage, cost, hints) => {
  const { share, pauseMs } = idleDay(storage, (kind) => cost[kind], hints);
  expect(share).toBeLessThan(0.01);
  expect(pauseMs).toBeGreaterThanOrEqual(storage === 'bucket' ? 60_000 : 0);
});

test('a service with hundreds of large watches takes less than a fifth of a processor for all of them', () => {
  const cost = { marked: 1, quick: 100, thorough: 4000, full: 9000 };
  expect(200 * idleDay('local', (kind) => cost[kind], false, 200).share).toBeLessThan(0.2);
});

test.each([
  ['at once if that was cheap', 0, 2000],
  ['later, the more it has cost', 1000, 31_000],
] as const)('after a change of its settings, a folder is scanned again %s', (_when, processorMs, atMs) => {
  const { last } = after(NO_SCANS, 1000, { processorMs });
  expect(nextScan({ ...NO_SCANS, last }, LOCAL, 1000)).toEqual({ atMs, kind: 'full' });
  // The same holds if the scan was aborted by the change.
  const aborted = after(NO_SCANS, 1000, { processorMs, end: 'aborted' });
  expect(nextScan(aborted, LOCAL, 1000)).toEqual({ atMs, kind: 'full' });
});

test('a thorough scan that was aborted is repeated after a pause, and keeps no quick one waiting', () => {
  const aborted = after(looked, 600_000, { kind: 'thorough', processorMs: 1000, end: 'aborted' });
  expect(nextScan(aborted, LOCAL, 600_000)).toEqual({ atMs: 615_000, kind: 'quick' });
  const quick = after(aborted, 899_000, { kind: 'quick' });
  expect(nextScan(quick, LOCAL, 899_000)).toEqual({ atMs: 900_000, kind: 'thorough' });
});

test('until a costly folder is scanned again after a change, the files that events name are looked at', () => {
  const { last } = after(NO_SCANS, 1000, { storage: 'bucket', processorMs: 20_000 });
  const changed = { ...NO_SCANS, last };
  expect(nextScan(changed, BUCKET, 1000)).toEqual({ atMs: 301_000, kind: 'full' });
  expect(nextScan(changed, { ...BUCKET, hintedMs: 5000 }, 5000)).toEqual({ atMs: 6000, kind: 'marked' });
  expect(nextScan(changed, { ...LOCAL, settlesMs: 11_000 }, 5000)).toEqual({ atMs: 11_000, kind: 'marked' });
  // The scan of the whole folder is still to come, and all files count.
  for (const end of ['complete', 'aborted'] as const) {
    const named = after(changed, 6000, { kind: 'marked', storage: 'bucket', end });
    expect(nextScan(named, BUCKET, 6000)).toEqual({ atMs: 301_000, kind: 'full' });
    expect(nextScan(named, { ...BUCKET, hintedMs: 6000 }, 6000)).toEqual({ atMs: 7000, kind: 'marked' });
  }
  let away = changed;
  for (let i = 0; i < 5; i += 1) away = after(away, 6000, { kind: 'marked', storage: 'bucket', end: 'unreachable' });
  expect(nextScan(away, { ...BUCKET, hintedMs: 6000 }, 6000)).toEqual({ atMs: 22_000, kind: 'marked' });
});

test.each([
  [20_000, 630_000, 14_000],
  [20_000, 630_000, 1],
  [20_000, 7_000_000, 1],
  [1, 1000, 20_000],
])(
  'after scans of two watches of a folder, no pause ends earlier than after one: %i, then at %i ms %i',
  (cost, ms, then) => {
    const scans = [after(NO_SCANS, 0, { processorMs: cost }), after(NO_SCANS, ms, { processorMs: then })] as const;
    const [first, second] = [scans[0].last, scans[1].last];
    const both = laterPauses(first, second);
    expect(laterPauses(second, first)).toEqual(both);
    for (const wishes of [LOCAL, BUCKET])
      for (const hasLooked of [false, true]) {
        const dueAt = (last: LastScans): number => nextScan({ ...NO_SCANS, last, hasLooked }, wishes, 0).atMs;
        // Times have fractions here.
        expect(dueAt(both)).toBeGreaterThan(Math.max(dueAt(first), dueAt(second)) - 0.01);
      }
    expect(laterPauses(first, {})).toEqual(laterPauses({}, first));
  },
);
