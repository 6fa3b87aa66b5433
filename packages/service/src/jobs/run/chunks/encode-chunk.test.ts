import { expect, test } from 'vitest';
import { encodedSeconds } from './encode-chunk.ts';

test('the progress of a chunk begins with its first frame, which has the time of the whole', () => {
  const done = [0, 90, 95, 100].map((percent) => Math.round(encodedSeconds(percent, { start: 90, seconds: 10 })));
  expect(done).toEqual([0, 0, 5, 10]);
});
