import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { joinJobs } from './join-jobs.ts';

const job = (jobId: string, status: Job['status'] = 'PENDING') => ({ jobId, status }) as Job;
const ids = (jobs: readonly Job[]) => jobs.map(({ jobId }) => jobId);

test('a job that was read and named by the stream is there once, in its newest state', () => {
  const joined = joinJobs([job('2', 'COMPLETED')], [job('3'), job('2'), job('1')], { filter: {}, hasMore: false });
  expect(ids(joined)).toEqual(['3', '2', '1']);
  expect(joined[1]?.status).toBe('COMPLETED');
});

test('a new job comes first, if the filter matches it', () => {
  const options = { filter: { status: 'FAILED' }, hasMore: true } as const;
  const read = [job('2', 'FAILED')];
  expect(ids(joinJobs([job('3', 'FAILED'), job('4', 'PENDING')], read, options))).toEqual(['3', '2']);
});

test('an old job waits until the jobs before it are read', () => {
  expect(ids(joinJobs([job('1')], [job('5'), job('4')], { filter: {}, hasMore: true }))).toEqual(['5', '4']);
  expect(ids(joinJobs([job('1')], [job('5'), job('4')], { filter: {}, hasMore: false }))).toEqual(['5', '4', '1']);
});

test('a job leaves a list of one status when it has another one, and comes into the list of that', () => {
  const read = [job('3', 'PENDING'), job('2', 'PENDING')];
  const live = [job('3', 'PROCESSING'), job('1', 'PROCESSING')];
  const of = (status: Job['status'], listed: readonly Job[]) =>
    ids(joinJobs(live, listed, { filter: { status }, hasMore: false }));
  expect(of('PENDING', read)).toEqual(['2']);
  expect(of('PROCESSING', [])).toEqual(['3', '1']);
});

test('the oldest job that was read has its newest state too', () => {
  const joined = joinJobs([job('4', 'COMPLETED')], [job('5'), job('4')], { filter: {}, hasMore: true });
  expect(joined[1]?.status).toBe('COMPLETED');
});
