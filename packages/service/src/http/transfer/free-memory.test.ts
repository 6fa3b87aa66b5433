import { expect, test } from 'vitest';
import { freeMemory } from './reply-pieces.ts';

test('a buffer with memory of its own has no bytes afterwards', () => {
  const buffer = Buffer.alloc(100_000, 1);
  freeMemory(buffer);
  expect(buffer).toHaveLength(0);
});

test.each([
  ['in the pool of Node', () => Buffer.from('short')],
  ['a part of another buffer', () => Buffer.alloc(100_000, 1).subarray(1)],
])('a buffer that is %s stays as it is', (_, make) => {
  const buffer = make();
  freeMemory(buffer);
  expect([...buffer]).toEqual([...make()]);
});
