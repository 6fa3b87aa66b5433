import { expect, test } from 'vitest';
import { speedText } from './speed-text.ts';

test.for([
  [1.004, 35, 'as estimated, from 35 jobs'],
  [16.2, 2, '16× slower than estimated, from 2 jobs'],
  [0.5, 1, '2× faster than estimated, from one job'],
] as const)('a worker that takes %f of the estimated time is described in words', ([ratio, jobs, text]) => {
  expect(speedText({ ratio, jobs })).toBe(text);
});
