import { NO_WATCHED_FILES, type WatchScan } from '@telecine/contract/domain/watch.ts';
import { expect, test } from 'vitest';
import { cachedCounts } from './cached-counts.ts';

/** Counts of watches, each of which takes `costMs` and has so many files. `reads`: which watches were counted. */
function counting(costMs: number, files = 100_000) {
  let nowMs = 0;
  const reads: string[] = [];
  const cached = cachedCounts(
    async ([watchId = '']) => {
      reads.push(watchId);
      nowMs += costMs;
      return new Map([[watchId, { ...NO_WATCHED_FILES, CONVERTED: files, READY: reads.length }]]);
    },
    () => nowMs,
  );
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  const counts = (watchIds: readonly string[], lastScan?: WatchScan) =>
    cached.counts(watchIds.map((watchId) => ({ watchId, ...(lastScan && { lastScan }) })));
  return { counts, forget: cached.forget, reads, pass };
}

test('a small watch is counted each time, also by a slow database', async () => {
  const { counts, reads } = counting(20, 100);
  await counts(['a']);
  expect((await counts(['a'])).get('a')?.READY).toBe(2);
  expect(reads).toEqual(['a', 'a']);
});

test('a large watch is counted once for all who ask, and takes at most a hundredth of the time', async () => {
  const { counts, reads, pass } = counting(20);
  await Promise.all([counts(['a', 'b']), counts(['a', 'b'])]);
  expect(reads).toEqual(['a', 'b']);
  pass(1900);
  await counts(['a', 'b']);
  expect(reads).toEqual(['a', 'b']);
  pass(200);
  await counts(['b']);
  expect(reads).toEqual(['a', 'b', 'b']);
});

test('after a change of many files a large watch is counted anew', async () => {
  const { counts, reads, forget } = counting(20);
  await counts(['a']);
  forget('a');
  await counts(['a']);
  expect(reads).toEqual(['a', 'a']);
});

test('a large watch is counted anew once a scan has ended, so that no older count stands beside it', async () => {
  const { counts, reads } = counting(20);
  const scan = (at: string): WatchScan => ({ at, seconds: 1, files: 100_000 });
  await counts(['a']);
  await counts(['a'], scan('2026-11-28T10:00:00.000Z'));
  await counts(['a'], scan('2026-11-28T10:00:00.000Z'));
  expect(reads).toEqual(['a', 'a']);
  await counts(['a'], scan('2026-11-28T10:01:00.000Z'));
  expect(reads).toEqual(['a', 'a', 'a']);
});

test('a count that has failed is not kept', async () => {
  let calls = 0;
  const { counts } = cachedCounts(async () => {
    calls += 1;
    if (calls === 1) throw new Error('down');
    return new Map([['a', NO_WATCHED_FILES]]);
  });
  await expect(counts([{ watchId: 'a' }])).rejects.toThrow('down');
  expect((await counts([{ watchId: 'a' }])).size).toBe(1);
});
