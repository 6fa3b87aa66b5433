import type { ChunkTarget } from '@telecine/contract/domain/quality.ts';
import { expect, test } from 'vitest';
import { anotherValue } from './another-value.ts';
import { searchOfChunk } from './find-value.ts';

const TARGET: ChunkTarget = {
  ...{ metric: 'ssim', target: 0.98, encoder: 'libx264', scale: { option: 'crf', min: 1, max: 51, step: 0.1 } },
  ...{ result: [], seconds: 10 },
  found: {
    value: 26,
    tried: [
      { value: 22, score: 0.987, bitsPerSecond: 2_000_000 },
      { value: 28, score: 0.975, bitsPerSecond: 1_000_000 },
    ],
  },
};

/** The value of the second encode of a chunk. */
const valueAfter = (reached: number, more: Partial<ChunkTarget> = {}) => {
  const target = { ...TARGET, ...more };
  const whole = { value: 26, reached, bytes: 1_000_000, videoBytes: 990_000, bitsPerSecond: 800_000 };
  return anotherValue(target, searchOfChunk(target), whole)?.value;
};

test('a chunk that misses the target gets a better value, the better the more it misses', () => {
  const [little = 0, much = 0] = [valueAfter(0.977), valueAfter(0.96)];
  expect(little).toBeLessThan(25.6);
  expect(little).toBeGreaterThan(22);
  expect(much).toBeLessThan(little - 2);
});

test('a chunk that has the target, or is much better, is encoded once', () => {
  expect(valueAfter(0.9785)).toBeUndefined();
  expect(valueAfter(0.995)).toBeUndefined();
});

test('a chunk of a film whose search tried one value gets the usual effect of the encoder', () => {
  const [first] = TARGET.found.tried;
  const found = { value: 26, tried: first === undefined ? [] : [first] };
  expect(valueAfter(0.96, { found })).toBeLessThan(24);
});
