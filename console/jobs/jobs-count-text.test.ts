import { expect, test } from 'vitest';
import { jobsCountText } from './jobs-count-text.ts';

test.each([
  ['all of them', { shown: 1234, hasMore: false, isSearch: false }, '1,234 jobs'],
  ['a single one', { shown: 1, hasMore: false, isSearch: true }, '1 job'],
  [
    'failures of which one has become another job',
    { shown: 2, runAgain: 1, hasMore: false, isSearch: false },
    '2 jobs, 1 was run again',
  ],
  ['the first pages', { shown: 400, hasMore: true, isSearch: false }, 'The newest 400 jobs.'],
  ['the first pages of a search', { shown: 400, hasMore: true, isSearch: true }, 'The newest 400 jobs that match.'],
])('the list says how many it shows: %s', (_what, list, text) => {
  expect(jobsCountText(list)).toBe(text);
});
