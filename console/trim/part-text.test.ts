import { expect, test } from 'vitest';
import { partOf } from './part-text.ts';

test.each([
  ['2-5', 2, 5],
  ['0:02.000 – 0:05.500', 2, 5.5],
  ['2 to 5', 2, 5],
  ['2s-5s', 2, 5],
  ['2+3', 2, 5],
  ['1:00 + 1.5', 60, 61.5],
  ['28-40', 28, 30.04],
])('reads %s', (text, start, end) => {
  expect(partOf(text, end === 30.04 ? 30.04 : 100)).toEqual({ start, end });
});

test.each(['', '2', '2-', '5-2', '2+0', '2-5-7', '40-50', 'middle'])('reads no part in "%s"', (text) => {
  expect(partOf(text, 30)).toBeUndefined();
});
