import { expect, test } from 'vitest';
import { isWatched, MOST_MARKS, WatchMemory } from './watch-memory.ts';

class Memory extends WatchMemory {
  readonly storage = 'local';
  readonly files = 0;
  readonly unusable = 0;
}

const where = { folder: 'in/', subfolders: true, accepts: (name: string) => name.endsWith('.mov') };

test.each([
  ['in/a.mov', true],
  ['in/b/c/a.mov', true],
  ['in/b/', true],
  ['in/', false],
  ['in', false],
  ['inner/a.mov', false],
  ['other/in/a.mov', false],
  ['in/a.mp4', false],
  ['in/a.mov.part', false],
  ['in/.a.mov', false],
  ['in/.thumbs/a.mov', false],
  ['in/b/.thumbs/c/a.mov', false],
  ['in/.thumbs/', false],
])('whether a watch with subfolders looks at %s: %s', (path, expected) => {
  expect(isWatched(where, path)).toBe(expected);
});

test.each([
  ['in/a.mov', true],
  ['in/b/a.mov', false],
  ['in/b/', false],
])('whether a watch without subfolders looks at %s: %s', (path, expected) => {
  expect(isWatched({ ...where, subfolders: false }, path)).toBe(expected);
});

test('a burst of marks is dropped, and is known to be', () => {
  const memory = new Memory();
  for (let i = 0; i < MOST_MARKS; i += 1) memory.mark(`in/${i}.mov`);
  expect([memory.isOverflowed, memory.takeMarks(2)]).toEqual([false, ['in/0.mov', 'in/1.mov']]);
  for (let i = 0; i < 3; i += 1) memory.mark(`in/new-${i}.mov`);
  expect([memory.isOverflowed, memory.hasMarks]).toEqual([true, false]);
  memory.mark('in/a.mov');
  expect(memory.hasMarks).toBe(false);
});
