import { expect, test } from 'vitest';
import { ladderPoints, plotLadder } from './ladder-plot.ts';
import { PLOT } from './quality-plot.ts';

const HD = { width: 1280, height: 720 };
const SD = { width: 640, height: 360 };
const LADDER = {
  ...{ option: 'crf', target: 0.98 },
  rungs: [
    { ...HD, value: 23, score: 0.98, bandwidth: 2_400_000, averageBandwidth: 2_000_000 },
    { ...SD, value: 28.5, score: 0.93, bandwidth: 700_000, averageBandwidth: 500_000 },
  ],
  tried: [
    { ...HD, value: 23, score: 0.98, bitsPerSecond: 1_900_000 },
    { ...SD, value: 29, score: 0.92, bitsPerSecond: 400_000 },
  ],
};

test('rungs and what was tried are placed by quality and bit rate, and the rungs are joined', () => {
  const { points, line, targetX, highestBits } = plotLadder(LADDER);
  expect(points.map((one) => [one.text, one.isRung])).toEqual([
    ['640 × 360, crf 29', false],
    ['1280 × 720, crf 23', false],
    ['640 × 360, crf 28.5', true],
    ['1280 × 720, crf 23', true],
  ]);
  expect(highestBits).toBe(2_000_000);
  expect(points.at(-1)).toMatchObject({ x: targetX, y: PLOT.top });
  expect(line).toBe(`${points[2]?.x},102 ${targetX},12`);
});

test('the best rung is listed first, and what was tried last', () => {
  expect(ladderPoints(LADDER).map(({ score, isRung }) => [score, isRung])).toEqual([
    [0.98, true],
    [0.93, true],
    [0.98, false],
    [0.92, false],
  ]);
});
