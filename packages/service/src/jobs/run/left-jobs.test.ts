import { expect, test } from 'vitest';
import { createLeftJobs } from './left-jobs.ts';

test('leaves a job that failed here to others, until a while after it can be taken again', () => {
  let [now, peers] = [0, true];
  const left = createLeftJobs(
    () => peers,
    () => now,
  );
  left.add('a', 5);
  expect([left.has('a'), left.has('b')]).toEqual([true, false]);
  now = 19_999;
  expect(left.has('a')).toBe(true);
  peers = false;
  expect(left.has('a'), 'an only worker takes it again').toBe(false);
  peers = true;
  now = 20_000;
  expect(left.has('a')).toBe(false);
});
