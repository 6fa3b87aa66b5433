import { expect, test } from 'vitest';
import { copyStarts, isAtKeyFrame, nextStart, snapTime, startIndex } from './key-frames.ts';

const KEYS = [0, 2.002, 4.004667, 10];
const STARTS = copyStarts(KEYS, ['mov', 'mp4']);

test('a copy begins at a key frame if it starts there, and never before it', () => {
  expect(STARTS).toEqual([0, 2.002, 4.005, 10]);
});

test('in Matroska, a copy must start a little later, unless all frames are key frames', () => {
  expect(copyStarts(KEYS, ['matroska', 'webm'])).toEqual([0, 2.133, 4.136, 10.131]);
  expect(copyStarts([0, 0.04, 0.08], ['matroska', 'webm'])).toEqual([0, 0.04, 0.08]);
});

test('a copy begins at the key frame before its start', () => {
  expect(startIndex(STARTS, 3.9)).toBe(1);
  expect(startIndex(STARTS, 4.005)).toBe(2);
  expect(startIndex([5], 3)).toBe(-1);
});

test('a point snaps to the nearest key frame', () => {
  expect(snapTime(STARTS, 3.9)).toBe(4.005);
  expect(snapTime(STARTS, 2.5)).toBe(2.002);
  expect(snapTime([], 2.5)).toBeUndefined();
  expect(isAtKeyFrame(STARTS, 4.005)).toBe(true);
  expect(isAtKeyFrame(STARTS, 4.1)).toBe(false);
});

test('arrows go from key frame to key frame', () => {
  expect(nextStart(STARTS, 4.005, 1)).toBe(10);
  expect(nextStart(STARTS, 4.005, -1)).toBe(2.002);
  expect(nextStart(STARTS, 10, 1)).toBeUndefined();
});
