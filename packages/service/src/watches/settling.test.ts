import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import type { FoundFile } from './ports.ts';
import { createSettling, EMPTY_SETTLE_MS } from './settling.ts';

const at = (path: string): MediaPath => path as MediaPath;
const file = (path: string, bytes = 10, isWhole = false): FoundFile => ({
  ...{ path: at(path), bytes, isWhole },
  version: `${bytes}:1`,
});

/** Observes the files in a pass that starts and ends at `nowMs`. Returns the paths of whole files. */
function passAt(settling: ReturnType<typeof createSettling>, nowMs: number, ...files: readonly FoundFile[]) {
  settling.startPass(nowMs);
  const whole = settling.observe(files, nowMs);
  settling.endPass();
  return whole?.map(({ path }) => path);
}

test('a file is whole after two observations ten seconds apart with the same size and time', () => {
  const settling = createSettling(10_000);
  expect(passAt(settling, 0, file('a.mov'))).toEqual([]);
  expect(settling.dueMs()).toBe(10_000);
  expect(passAt(settling, 9_999, file('a.mov'))).toEqual([]);
  expect(passAt(settling, 10_000, file('a.mov'))).toEqual(['a.mov']);
});

test('a growing file waits until it has stopped to grow', () => {
  const settling = createSettling(10_000);
  for (const [nowMs, bytes] of [
    [0, 1],
    [10_000, 2],
    [20_000, 3],
    [29_999, 3],
  ] as const)
    expect(passAt(settling, nowMs, file('a.mov', bytes))).toEqual([]);
  expect(passAt(settling, 30_000, file('a.mov', 3))).toEqual(['a.mov']);
});

test('a file that got its old content back in the meantime has changed all the same', () => {
  const settling = createSettling(10_000);
  passAt(settling, 0, file('a.mov', 1));
  passAt(settling, 5_000, file('a.mov', 2));
  passAt(settling, 9_000, file('a.mov', 1));
  expect(passAt(settling, 10_000, file('a.mov', 1))).toEqual([]);
  expect(passAt(settling, 19_000, file('a.mov', 1))).toEqual(['a.mov']);
});

test('the duration of a pass does not count: its observations are at its start or later', () => {
  const settling = createSettling(10_000);
  settling.startPass(0);
  // This pass took eight seconds until it looked at the file.
  settling.observe([file('a.mov')], 8_000);
  settling.endPass();
  settling.startPass(9_000);
  expect(settling.observe([file('a.mov')], 30_000)).toEqual([]);
  settling.startPass(18_000);
  expect(settling.observe([file('a.mov')], 18_000)).toHaveLength(1);
});

test('a whole file is returned again until it is stored', () => {
  const settling = createSettling(1000);
  passAt(settling, 0, file('a.mov'));
  expect(passAt(settling, 1000, file('a.mov'))).toEqual(['a.mov']);
  expect(passAt(settling, 1500, file('a.mov'))).toEqual(['a.mov']);
  settling.remove([at('a.mov')]);
  expect(settling.startPass(2000)).toEqual([]);
  expect(settling.dueMs()).toBeUndefined();
});

test('a file that is gone is forgotten, but not after a pass that was broken off', () => {
  const settling = createSettling(1000);
  passAt(settling, 0, file('a.mov'), file('b.mov'));
  settling.startPass(500);
  settling.observe([file('a.mov')], 500);
  expect(settling.startPass(600)).toEqual(['a.mov', 'b.mov']);
  settling.observe([file('a.mov')], 600);
  settling.endPass();
  expect(settling.startPass(700)).toEqual(['a.mov']);
});

test('an object is whole at once', () => {
  const settling = createSettling(10_000);
  expect(passAt(settling, 0, file('a.mov', 10, true))).toEqual(['a.mov']);
  expect(settling.startPass(1)).toEqual([]);
});

test('an empty file counts as whole only after ten minutes', () => {
  const settling = createSettling(10_000);
  expect(passAt(settling, 0, file('a.mov', 0))).toEqual([]);
  expect(passAt(settling, EMPTY_SETTLE_MS - 1, file('a.mov', 0))).toEqual([]);
  expect(passAt(settling, EMPTY_SETTLE_MS, file('a.mov', 0))).toEqual(['a.mov']);
});

test('more files than there is room for are observed in later passes, and none is lost', () => {
  const all = Array.from({ length: 95 }, (_, i) => file(`${i}.mov`));
  const settling = createSettling(10_000, 20);
  const stored = new Set<MediaPath>();
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 10_000) {
    const again = settling.startPass(nowMs);
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
