import { expect, test } from 'vitest';
import { bitRateText, PLOT, plotQuality, type Quality, qualityText } from './quality-plot.ts';

const QUALITY: Quality = {
  ...{ metric: 'ssim', target: 0.98, reached: 0.9806, isReached: true, option: 'crf', value: 26.4 },
  tried: [
    { value: 24.8, score: 0.9838, bitsPerSecond: 2_000_000 },
    { value: 26.4, score: 0.9806, bitsPerSecond: 1_500_000, isWhole: true },
    { value: 27, score: 0.9783, bitsPerSecond: 1_000_000 },
  ],
};

test('places the values by quality and size, inside the plot', () => {
  const { points, line, targetX, highestBits, lowest, highest } = plotQuality(QUALITY);
  expect(points.map(({ value, isWhole }) => [value, isWhole])).toEqual([
    [27, false],
    [26.4, true],
    [24.8, false],
  ]);
  expect(points.map(({ y }) => y)).toEqual([72, 42, PLOT.top]);
  const [worst, whole, best] = points.map(({ x }) => x);
  expect(worst).toBeGreaterThan(PLOT.left);
  expect(best).toBeLessThan(PLOT.right);
  expect(targetX).toBeGreaterThan(worst ?? 0);
  expect(targetX).toBeLessThan(whole ?? 0);
  expect(line).toBe(`${worst},72 ${best},12`);
  expect(highestBits).toBe(2_000_000);
  expect([lowest, highest]).toEqual([
    { score: 0.9783, x: worst },
    { score: 0.9838, x: best },
  ]);
});

test('a target far from everything that was tried is inside the plot', () => {
  const { targetX } = plotQuality({ ...QUALITY, target: 0.5 });
  expect(targetX).toBeGreaterThan(PLOT.left);
});

test('one value with the quality of the target has a place', () => {
  const { points, targetX } = plotQuality({ target: 0.98, tried: [{ value: 1, score: 0.98, bitsPerSecond: 0 }] });
  expect(points).toEqual([{ x: targetX, y: PLOT.bottom, value: 1, isWhole: false }]);
});

test('says what the output has', () => {
  expect(qualityText(QUALITY)).toBe('SSIM 0.9806 with crf 26.4. The target 0.98 is reached.');
  expect(qualityText({ ...QUALITY, reached: 0.97, isReached: false })).toMatch(/The target 0\.98 is missed\.$/);
  const { reached: _, isReached: __, ...unknown } = QUALITY;
  expect(qualityText(unknown)).toBe('The output has crf 26.4. Its SSIM was not measured; the target is 0.98.');
});

test.each([
  [850_400, '850 kb/s'],
  [999_600, '1 Mb/s'],
  [12_340_000, '12.3 Mb/s'],
])('%d bits per second are %s', (bits, text) => expect(bitRateText(bits)).toBe(text));
