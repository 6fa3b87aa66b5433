import { expect, test } from 'vitest';
import { readFrameTime } from './frame-time.ts';

test.each([
  ['3.52', 3.52],
  ['0', 0],
  [undefined, null],
  ['', null],
  ['1, 2', null],
  ['soon', null],
])('the reply to an image that says the time "%s" is of the frame at %s', (text, time) => {
  expect(readFrameTime(new Headers(text === undefined ? {} : { 'Frame-Times': text }))).toBe(time);
});
