import { expect, test } from 'vitest';
import { maxBitsOf } from './search-quality.ts';

const SOURCE = { seconds: 10, isKnown: true };
const bitsOf = (bytes: number, isAssumed = false, limits: Parameters<typeof maxBitsOf>[0] = { maxSize: 100_000 }) =>
  maxBitsOf(limits, SOURCE, { bytes, isAssumed });

test('a size leaves for the video what the audio does not need', () => {
  expect(bitsOf(0)).toEqual({ maxBitsPerSecond: 76_000 });
  expect(bitsOf(15_000)).toEqual({ maxBitsPerSecond: 64_000 });
  expect(bitsOf(0, false, { maxSize: 100_000, maxBitrate: 50_000 })).toEqual({ maxBitsPerSecond: 48_500 });
});

test('only audio that was measured can be too large', () => {
  expect(bitsOf(160_000)).toMatchObject({ message: expect.stringContaining('the audio alone needs') });
  expect(bitsOf(160_000, true)).toEqual({ maxBitsPerSecond: 38_000 });
});
