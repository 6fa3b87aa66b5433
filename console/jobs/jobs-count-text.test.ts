import { expect, test } from 'vitest';
import { jobsCountText } from './jobs-count-text.ts';

test.each([
  ['all of them', { shown: 1234, read: 1234, hasMore: false, isSearch: false }, '1,234 jobs'],
  ['a single one', { shown: 1, read: 40, hasMore: false, isSearch: true }, '1 job'],
  ['the first pages', { shown: 400, read: 420, hasMore: true, isSearch: false }, 'The newest 400 jobs.'],
  [
    'words in the first pages',
    { shown: 12, read: 400, hasMore: true, isSearch: true },
    '12 jobs found in the newest 400.',
  ],
])('the list says how many it shows: %s', (_what, list, text) => {
  expect(jobsCountText(list)).toBe(text);
});
