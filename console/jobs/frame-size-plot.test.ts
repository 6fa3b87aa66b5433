import { expect, test } from 'vitest';
import { type ChosenSize, plotSizes } from './frame-size-plot.ts';
import { PLOT } from './quality-plot.ts';

const COMPARED = [
  { width: 1280, height: 720, score: 0.943 },
  { width: 854, height: 480, score: 0.951 },
  { width: 640, height: 360, score: 0.938 },
];
const CHOSEN: ChosenSize = { width: 854, height: 480, bitsPerSecond: 480_000, reason: 'Samples.', compared: COMPARED };

test('places the compared frame sizes by quality and height, inside the plot', () => {
  const { points, line, highestSize, lowest, highest } = plotSizes(CHOSEN, COMPARED);
  expect(points.map(({ size, isChosen }) => [size, isChosen])).toEqual([
    ['1280 × 720', false],
    ['854 × 480', true],
    ['640 × 360', false],
  ]);
  expect(points.map(({ y }) => y)).toEqual([PLOT.top, 52, 72]);
  const [large = 0, best = 0, small = 0] = points.map(({ x }) => x);
  expect([small, large, best].toSorted((a, b) => a - b)).toEqual([small, large, best]);
  expect(small).toBeGreaterThan(PLOT.left);
  expect(best).toBeLessThan(PLOT.right);
  expect(line).toBe(`${large},12 ${best},52 ${small},72`);
  expect(highestSize).toBe(720);
  expect([lowest.score, highest.score]).toEqual([0.938, 0.951]);
});
