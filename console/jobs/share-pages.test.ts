import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { sharePages } from './share-pages.ts';

const job = (jobId: string, status: Job['status'] = 'PENDING') => ({ jobId, status }) as Job;
const pages = (...all: readonly Job[][]) => ({ pages: all.map((jobs) => ({ jobs })), pageParams: all.map(() => '') });

test('a job that has not changed is the same object, also on another page', () => {
  const before = pages([job('3'), job('2')], [job('1')]);
  const now = sharePages(before, pages([job('4'), job('3', 'PROCESSING')], [job('2'), job('1')]));
  const [four, three, two, one] = now.pages.flatMap(({ jobs }) => jobs);
  expect([four?.jobId, three?.status]).toEqual(['4', 'PROCESSING']);
  expect(two).toBe(before.pages[0]?.jobs[1]);
  expect(one).toBe(before.pages[1]?.jobs[0]);
});

test('one more page leaves the others as they are', () => {
  const before = pages([job('2')]);
  const now = { ...pages([], [job('1')]), pages: [...before.pages, { jobs: [job('1')] }] };
  expect(sharePages(before, now)).toBe(now);
});
