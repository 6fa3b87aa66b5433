import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { filterMatcher, idRange, readJobFilter, readSearch } from './job-filter.ts';

const job = {
  jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
  status: 'FAILED',
  client: 'amy',
  input: 'raw/Take 2.mov',
  output: 'web/take-2.mp4',
  metadata: { order: 'A-1042', title: 'Big Buck Bunny' },
  error: { code: 'INPUT_NOT_FOUND', message: 'raw/Take 2.mov is not there.' },
} as unknown as Job;

test.each([
  ['', true],
  ['take', true],
  ['TAKE web', true],
  ['take nothing', false],
  ['input_not_found', true],
  ['6a4f0c9b8e10', true],
  ['order=A-1042', true],
  ['order=A-10', false],
  ['order=A-1042 take', true],
  ['"title=Big Buck Bunny"', true],
  ['bunny', true],
])('the search %j: found %s', (q, found) => {
  expect(filterMatcher({ q })(job)).toBe(found);
  expect(filterMatcher({ q, status: 'COMPLETED' })(job)).toBe(false);
});

test('the service gets the values of metadata and the words of a search, with their quotes', () => {
  expect(readSearch('Bunny order=A-1042 x= "take 2')).toEqual({
    metadata: { order: 'A-1042' },
    q: 'Bunny x= "take 2"',
  });
});

test('an address says what to show; what it does not know is left out', () => {
  expect(readJobFilter({ status: 'FAILED', q: 'a b', other: 1 })).toEqual({ status: 'FAILED', q: 'a b' });
  expect(readJobFilter({ status: 'failed', q: '' })).toEqual({});
  expect(readJobFilter({ q: 1042 })).toEqual({ q: '1042' });
});

test.each([
  ['a preview', { output: 'console-previews/ab12.mp4' }],
  ['what a preview is measured against', { output: 'console-previews/cd34.mkv' }],
  ['the measurement of a preview', { analysis: {}, input: 'console-previews/ab12.mp4' }],
])('the job of %s is listed only where previews are asked for', (_what, own) => {
  const preview = { ...job, output: undefined, ...own } as unknown as Job;
  expect(filterMatcher({})(preview)).toBe(false);
  expect(filterMatcher({ q: 'console-previews' })(preview)).toBe(false);
  expect(filterMatcher(readJobFilter({ previews: true }))(preview)).toBe(true);
});

test('the jobs that were run again together are those between two ids', () => {
  const ids = ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e00', '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e20'] as const;
  const filter = readJobFilter({ retries: ids.join('..') });
  expect(filter).toEqual({ retries: ids.join('..') });
  expect(idRange(filter)).toEqual({ first: ids[0], last: ids[1] });
  expect(filterMatcher(filter)(job)).toBe(false);
  expect(filterMatcher(filter)({ ...job, retryOf: ids[0] })).toBe(true);
  expect(filterMatcher(filter)({ ...job, retryOf: ids[0], jobId: ids[1].replace('20', '21') })).toBe(false);
  expect(readJobFilter({ retries: 'all' })).toEqual({});
});

test('the filter of a watch shows only its jobs, and is read from the URL if it is an id', () => {
  const watch = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16';
  expect(readJobFilter({ watch })).toEqual({ watch });
  expect(readJobFilter({ watch: 'in/' })).toEqual({});
  expect([{ ...job, watchId: watch }, job].map(filterMatcher({ watch }))).toEqual([true, false]);
});
