import { expect, test } from 'vitest';
import { comparedRows } from './compared-sizes.ts';

const COMPARED = [
  { width: 640, height: 360, score: 0.938 },
  { width: 1280, height: 720, score: 0.943 },
  { width: 854, height: 480, score: 0.951 },
  { width: 426, height: 240, score: 0.951 },
];

test('each size says how far it is behind the chosen one, the largest first', () => {
  const chosen = { width: 854, height: 480, bitsPerSecond: 480_000, reason: 'Samples.', compared: COMPARED };
  expect(comparedRows(chosen, COMPARED).map(({ size, score, note }) => [size, score, note])).toEqual([
    ['1280 × 720', '0.9430', '−0.0080'],
    ['854 × 480', '0.9510', 'chosen'],
    ['640 × 360', '0.9380', '−0.0130'],
    ['426 × 240', '0.9510', 'the same'],
  ]);
});
