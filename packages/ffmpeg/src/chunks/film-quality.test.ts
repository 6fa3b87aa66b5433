import type { FoundValue } from '@telecine/contract/domain/quality.ts';
import { expect, test } from 'vitest';
import { filmQuality, type MeasuredChunk } from './film-quality.ts';

const TARGET: Parameters<typeof filmQuality>[0] = {
  ...{ metric: 'ssim', target: 0.98 },
  scale: { option: 'crf', min: 1, max: 51, step: 0.1 },
};
const SAMPLES = [
  { value: 24, score: 0.984, bitsPerSecond: 1_800_000 },
  { value: 28, score: 0.975, bitsPerSecond: 1_200_000 },
];
const FOUND: FoundValue = { value: 26, tried: SAMPLES };

/** A chunk with the score of its first encode and, if it was encoded again, of the second. */
const chunk = (
  start: number,
  frames: number,
  first: number,
  second?: { value: number; score: number },
): MeasuredChunk => {
  const before = { value: 26, score: first, bitsPerSecond: 1_000_000, isWhole: true };
  return {
    ...{ start, seconds: frames / 24, frames },
    ...(second === undefined
      ? { quality: before }
      : { quality: { ...second, bitsPerSecond: 3_000_000, isWhole: true }, before }),
  };
};

test('a film in chunks has the mean quality of its frames, and says what was tried and which chunk is worst', () => {
  const chunks = [chunk(0, 240, 0.985), chunk(10, 240, 0.97, { value: 24.2, score: 0.9795 }), chunk(20, 120, 0.981)];
  const { result, limit } = filmQuality(TARGET, FOUND, chunks);
  expect(result).toEqual({
    ...{ metric: 'ssim', target: 0.98, option: 'crf', value: 26, reached: 0.982, isReached: true },
    tried: [
      SAMPLES[0],
      { value: 24.2, score: 0.982, bitsPerSecond: 1_800_000, isWhole: true, chunks: 1 },
      { value: 26, score: 0.9782, bitsPerSecond: 1_000_000, isWhole: true },
      SAMPLES[1],
    ],
    chunks: { worst: { startSeconds: 10, score: 0.9795, value: 24.2 }, encodedAgain: 1 },
  });
  expect(limit).toBeUndefined();
});

test('a film whose chunks were encoded once says what they have, as a film that was encoded whole', () => {
  const { result } = filmQuality(TARGET, FOUND, [chunk(0, 240, 0.985), chunk(10, 120, 0.97)]);
  expect(result).toMatchObject({ value: 26, reached: 0.98, isReached: true, chunks: { encodedAgain: 0 } });
  expect(result.tried.filter(({ isWhole }) => isWhole)).toEqual([
    { value: 26, score: 0.98, bitsPerSecond: 1_000_000, isWhole: true },
  ]);
});

test('a film of which most was encoded again has the second value', () => {
  const second = { value: 24.2, score: 0.981 };
  const { result } = filmQuality(TARGET, FOUND, [chunk(0, 240, 0.97, second), chunk(10, 120, 0.98)]);
  expect(result).toMatchObject({ value: 24.2, tried: [{}, { value: 24.2, chunks: 1 }, { value: 26 }, {}] });
  const all = filmQuality(TARGET, FOUND, [chunk(0, 240, 0.97, second)]).result;
  expect(all.tried[1]).toEqual({ ...second, bitsPerSecond: 3_000_000, isWhole: true });
});

test('a film that was corrected twice says what it had with each value', () => {
  const twice = {
    ...chunk(0, 240, 0.97, { value: 23, score: 0.979 }),
    between: { value: 24.2, score: 0.974, bitsPerSecond: 2_000_000, isWhole: true as const },
  };
  const { result } = filmQuality(TARGET, FOUND, [twice, chunk(10, 240, 0.981)]);
  expect(result.tried.filter(({ isWhole }) => isWhole)).toEqual([
    { value: 23, score: 0.98, bitsPerSecond: 2_000_000, isWhole: true, chunks: 1 },
    { value: 24.2, score: 0.9775, bitsPerSecond: 1_500_000, isWhole: true, chunks: 1 },
    { value: 26, score: 0.9755, bitsPerSecond: 1_000_000, isWhole: true },
  ]);
  expect(result).toMatchObject({ reached: 0.98, isReached: true, chunks: { encodedAgain: 1 } });
});

test('a film with a chunk that was not measured has no quality', () => {
  const { result } = filmQuality(TARGET, FOUND, [chunk(0, 240, 0.985), { start: 10, seconds: 10, frames: 240 }]);
  expect(result).toEqual({ metric: 'ssim', target: 0.98, option: 'crf', value: 26, tried: SAMPLES });
});

test('the best value of the encoder limits a film', () => {
  const best = chunk(0, 240, 0.95, { value: 1, score: 0.97 });
  expect(filmQuality(TARGET, FOUND, [best]).limit).toBe('scale');
  expect(filmQuality(TARGET, { ...FOUND, limit: 'scale' }, [chunk(0, 240, 0.97)]).limit).toBe('scale');
});
