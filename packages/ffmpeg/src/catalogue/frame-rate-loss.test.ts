import { expect, test } from 'vitest';
import type { Build } from './build.ts';
import { setptsLosesRate } from './frame-rate-loss.ts';

test.each<[release: NonNullable<Build['release']>, loses: boolean]>([
  [[5, 1], false],
  [[6, 1], false],
  [[7, 0], true],
  [[7, 1], true],
  [[8, 0], true],
  [[8, 1], false],
  [[9, 0], false],
])('with ffmpeg %j, the frame rate is lost after "setpts": %j', (release, loses) => {
  expect(setptsLosesRate({ release })).toBe(loses);
});

test('a snapshot, whose release is unknown, is taken for one that keeps the frame rate', () => {
  expect(setptsLosesRate({})).toBe(false);
});
