import { expect, test } from 'vitest';
import { mostRateOfLevel } from './level-rate.ts';

test.each([
  [1920, 1080, 24, 10_000_000],
  [1920, 1080, 60, 25_000_000],
  [1280, 720, 30, 7_000_000],
  [1280, 720, 30.02, 7_000_000],
  [640, 360, 25, 5_000_000],
  [320, 240, 25, 384_000],
  [16_384, 16_384, 30, Number.POSITIVE_INFINITY],
])(
  '%i x %i at %f frames per second has the level of its size up to %d bits per second',
  (width, height, framesPerSecond, most) => {
    expect(mostRateOfLevel({ codec: 'h264', width, height, framesPerSecond })).toBe(most);
  },
);

test.each([
  [1920, 1080, 24, 12_000_000],
  [1920, 1080, 60, 20_000_000],
  [1280, 720, 30, 10_000_000],
  [320, 240, 25, 1_500_000],
  [16_384, 16_384, 30, Number.POSITIVE_INFINITY],
])('%i x %i at %f frames per second has a level of HEVC up to %d bits per second', (width, height, fps, most) => {
  expect(mostRateOfLevel({ codec: 'hevc', width, height, framesPerSecond: fps })).toBe(most);
});
