import { expect, test } from 'vitest';
import { gridLines } from './plot-scale.ts';

test.each([
  [12, 'counts', [0, 5, 10, 15, 20]],
  [1, 'counts', [0, 1, 2, 3, 4]],
  [0, 'counts', [0, 1, 2, 3, 4]],
  [6.2, 'durations', [0, 2, 4, 6, 8]],
  [150, 'durations', [0, 60, 120, 180, 240]],
  [4000, 'durations', [0, 1200, 2400, 3600, 4800]],
  [1.3, 'any', [0, 0.5, 1, 1.5, 2]],
  [30, 'any', [0, 10, 20, 30, 40]],
] as const)('an axis up to %d of %s has five grid lines, at round values', (max, kind, lines) => {
  expect(gridLines(max, kind)).toEqual(lines);
});

test('the grid lines include the largest value, however large it is', () => {
  for (const kind of ['counts', 'durations', 'any'] as const)
    for (const max of [1e-4, 0.3, 7, 999, 1e6, 3e12]) expect(gridLines(max, kind).at(-1)).toBeGreaterThanOrEqual(max);
});
