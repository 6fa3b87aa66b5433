import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import type { FoundFile } from './ports.ts';
import { createSettling, EMPTY_SETTLE_MS } from './settling.ts';

const at = (path: string): MediaPath => path as MediaPath;
const file = (path: string, bytes = 10, isWhole = false): FoundFile => ({
  ...{ path: at(path), bytes, isWhole },
  version: `${bytes}:1`,
});

/** Observes the files in a scan that starts and ends at `nowMs`. Returns the paths of whole files. */
function scanAt(settling: ReturnType<typeof createSettling>, nowMs: number, ...files: readonly FoundFile[]) {
  settling.startScan(nowMs);
  const whole = settling.observe(files, nowMs);
  settling.endScan();
  return whole?.map(({ path }) => path);
}

test('a file is whole after two observations ten seconds apart with the same size and time', () => {
  const settling = createSettling(10_000);
  expect(scanAt(settling, 0, file('a.mov'))).toEqual([]);
  expect(settling.dueMs()).toBe(10_000);
  expect(scanAt(settling, 9_999, file('a.mov'))).toEqual([]);
  expect(scanAt(settling, 10_000, file('a.mov'))).toEqual(['a.mov']);
});

test('a growing file waits until it has stopped to grow', () => {
  const settling = createSettling(10_000);
  for (const [nowMs, bytes] of [
    [0, 1],
    [10_000, 2],
    [20_000, 3],
    [29_999, 3],
  ] as const)
    expect(scanAt(settling, nowMs, file('a.mov', bytes))).toEqual([]);
  expect(scanAt(settling, 30_000, file('a.mov', 3))).toEqual(['a.mov']);
});

test('a file that got its old content back in the meantime has changed all the same', () => {
  const settling = createSettling(10_000);
  scanAt(settling, 0, file('a.mov', 1));
  scanAt(settling, 5_000, file('a.mov', 2));
  scanAt(settling, 9_000, file('a.mov', 1));
  expect(scanAt(settling, 10_000, file('a.mov', 1))).toEqual([]);
  expect(scanAt(settling, 19_000, file('a.mov', 1))).toEqual(['a.mov']);
});

test('the duration of a scan does not count: its observations are at its start or later', () => {
  const settling = createSettling(10_000);
  settling.startScan(0);
  // This scan took eight seconds until it looked at the file.
  settling.observe([file('a.mov')], 8_000);
  settling.endScan();
  settling.startScan(9_000);
  expect(settling.observe([file('a.mov')], 30_000)).toEqual([]);
  settling.startScan(18_000);
  expect(settling.observe([file('a.mov')], 18_000)).toHaveLength(1);
});

test('a whole file is returned again until it is stored', () => {
  const settling = createSettling(1000);
  scanAt(settling, 0, file('a.mov'));
  expect(scanAt(settling, 1000, file('a.mov'))).toEqual(['a.mov']);
  expect(scanAt(settling, 1500, file('a.mov'))).toEqual(['a.mov']);
  settling.remove([at('a.mov')]);
  expect(settling.startScan(2000)).toEqual([]);
  expect(settling.dueMs()).toBeUndefined();
});

test('a file that is gone is forgotten, but not after a scan that was broken off', () => {
  const settling = createSettling(1000);
  scanAt(settling, 0, file('a.mov'), file('b.mov'));
  settling.startScan(500);
  settling.observe([file('a.mov')], 500);
  expect(settling.startScan(600)).toEqual(['a.mov', 'b.mov']);
  settling.observe([file('a.mov')], 600);
  settling.endScan();
  expect(settling.startScan(700)).toEqual(['a.mov']);
});

test('an object is whole at once', () => {
  const settling = createSettling(10_000);
  expect(scanAt(settling, 0, file('a.mov', 10, true))).toEqual(['a.mov']);
  expect(settling.startScan(1)).toEqual([]);
});

test('an empty file counts as whole only after ten minutes', () => {
  const settling = createSettling(10_000);
  expect(scanAt(settling, 0, file('a.mov', 0))).toEqual([]);
  expect(scanAt(settling, EMPTY_SETTLE_MS - 1, file('a.mov', 0))).toEqual([]);
  expect(scanAt(settling, EMPTY_SETTLE_MS, file('a.mov', 0))).toEqual(['a.mov']);
});

test('more files than there is room for are observed in later scans, and none is lost', () => {
  const all = Array.from({ length: 95 }, (_, i) => file(`${i}.mov`));
  const settling = createSettling(10_000, 20);
  const stored = new Set<MediaPath>();
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 10_000) {
    const again = settling.startScan(nowMs);
    // As the source does: first the files to look at again, then pages of the others.
    const settled = all.filter(({ path }) => again.includes(path));
    const others = all.filter(({ path }) => !again.includes(path) && !stored.has(path));
    const pages = [settled];
    for (let i = 0; i < others.length; i += 6) pages.push(others.slice(i, i + 6));
    for (const page of pages) {
      const whole = settling.observe(page, nowMs);
      if (whole === undefined) break;
      for (const { path } of whole) stored.add(path);
      settling.remove(whole.map(({ path }) => path));
    }
  }
  expect(stored.size).toBe(95);
});
