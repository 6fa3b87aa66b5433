import { expect, test } from 'vitest';
import { barWidth } from './progress-bar.ts';

test('a narrow terminal shows the percentage, and a wide one the whole bar', () => {
  expect(barWidth(80)).toBe(28);
  expect(barWidth()).toBe(28);
  for (const columns of [20, 38, 45, 60]) {
    const percentEndsAt = 10 + barWidth(columns) + 5;
    expect(percentEndsAt, `${columns} columns`).toBeLessThanOrEqual(columns);
    expect(barWidth(columns)).toBeGreaterThan(0);
  }
});
