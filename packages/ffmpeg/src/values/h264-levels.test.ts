import { expect, test } from 'vitest';
import { lowestLevel } from './h264-levels.ts';

test.each([
  [176, 144, 15, '1'],
  [1920, 1080, 30, '4'],
  [1920, 1080, 60, '4.2'],
  [4096, 2304, 25, '5.1'],
  [4096, 2304, 60, '6'],
  [8192, 4320, 60, '6.1'],
  [16_384, 16_384, 1, undefined],
])('a video of %i x %i with %d frames per second needs the level %s', (width, height, fps, level) => {
  expect(lowestLevel({ width, height, fps })?.level).toBe(level);
});
