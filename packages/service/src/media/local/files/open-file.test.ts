import { expect, test } from 'vitest';
import { chunkBuffers } from './open-file.ts';

/** Adds this number of chunks of 10 bytes. Returns how many buffers they used. `inUse`: bytes in use before chunk i. */
function buffersOf(chunks: number, inUse?: (i: number) => number): number {
  let i = 0;
  const buffers = chunkBuffers(inUse && (() => inUse(i)));
  const used = new Set<Buffer>();
  for (; i < chunks; i += 1) {
    used.add(buffers.next(10));
    buffers.fill(10);
  }
  return used.size;
}

test.each([
  ['two, if the last chunk is in use', 2, () => 10],
  ['two, if none is in use', 2, () => 0],
  ['one for each chunk, if a part of the last but one is in use', 100, () => 11],
  ['one for each chunk, if all stay in use', 100, undefined],
  ['another one for each of the ten times that the reader fell behind', 12, (i: number) => (i % 10 === 5 ? 20 : 10)],
])('a hundred chunks have %s', (_, count, inUse) => expect(buffersOf(100, inUse)).toBe(count));

test('a buffer is used again for a shorter chunk, but not for a longer one', () => {
  const buffers = chunkBuffers(() => 0);
  const lengths = [10, 20, 5, 20, 20].map((length) => {
    const buffer = buffers.next(length);
    buffers.fill(length);
    return buffer.length;
  });
  expect(lengths).toEqual([10, 20, 10, 20, 20]);
});
