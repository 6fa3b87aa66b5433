import { expect, test } from 'vitest';
import { progressTitle } from './progress-title.ts';

test('the title has the progress of one job, or the number of several and their mean', () => {
  expect(progressTitle([])).toBe('');
  expect(progressTitle([42.9])).toBe('42 % · ');
  expect(progressTitle([100])).toBe('99 % · ');
  expect(progressTitle([0, 50, 100])).toBe('3 jobs, 50 % · ');
});
