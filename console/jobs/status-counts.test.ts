import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { replacementsAmong } from './replacements.ts';
import { statusCount, tallyOf } from './status-counts.ts';

const job = (jobId: string, status: Job['status'], others: Pick<Job, 'retryOf' | 'retriedAs'> = {}) => ({
  jobId,
  status,
  ...others,
});
const COMPLETE = { isComplete: true };

test('a status has the number of its jobs, which is unknown only while older jobs are not read', () => {
  const tally = tallyOf([job('1', 'FAILED'), job('2', 'COMPLETED'), job('3', 'COMPLETED')]);
  expect(statusCount(tally.get('COMPLETED'), COMPLETE)).toEqual({ text: '2', title: '2 jobs' });
  expect(statusCount(tally.get('FAILED'), COMPLETE)).toEqual({ text: '1', title: '1 job' });
  expect(statusCount(tally.get('PENDING'), COMPLETE)).toEqual({ text: '0', title: '0 jobs' });
  expect(statusCount(tally.get('PENDING'), { isComplete: false })).toBeUndefined();
});

test('a number says if older jobs were not read, and does not grow without end', () => {
  expect(statusCount({ jobs: 1, runAgain: 0 }, { isComplete: false })).toEqual({
    text: '1+',
    title: 'At least 1 job: older ones are not read yet',
  });
  expect(statusCount(undefined, { isComplete: false })).toBeUndefined();
  expect(statusCount({ jobs: 120, runAgain: 0 }, COMPLETE)).toEqual({ text: '99+', title: '120 jobs' });
});

test('a failed job that was run again is not among those that need somebody', () => {
  const failed = [job('1', 'FAILED', { retriedAs: '3' }), job('2', 'FAILED')];
  expect(statusCount(tallyOf(failed).get('FAILED'), COMPLETE)).toEqual({
    text: '1',
    title: '1 job, and 1 that was run again',
  });
  // If the retry fails, that job counts, and the first one does not count again.
  const again = [job('1', 'FAILED', { retriedAs: '3' }), job('3', 'FAILED', { retryOf: '1' })];
  expect(tallyOf(again).get('FAILED')).toEqual({ jobs: 1, runAgain: 1 });
  expect(statusCount(tallyOf(failed.slice(0, 1)).get('FAILED'), COMPLETE)?.text).toBe('0');
});

test('a retry that the list has counts before the list is read again', () => {
  const listed = tallyOf([job('2', 'PROCESSING', { retryOf: '1' }), job('1', 'FAILED')]);
  expect(listed.get('FAILED')).toEqual({ jobs: 0, runAgain: 1 });
  expect(listed.get('PROCESSING')).toEqual({ jobs: 1, runAgain: 0 });
});

test('a failed job whose retry was cancelled needs somebody again', () => {
  const failed = job('1', 'FAILED', { retriedAs: '3' });
  const cancelled = tallyOf([job('3', 'CANCELLED', { retryOf: '1' }), failed]);
  expect(cancelled.get('FAILED')).toEqual({ jobs: 1, runAgain: 0 });
  const known = replacementsAmong([job('3', 'CANCELLED', { retryOf: '1' })]);
  expect(tallyOf([failed], known).get('FAILED')).toEqual({ jobs: 1, runAgain: 0 });
});

test('a cancelled job counts as such, whatever became of it', () => {
  expect(tallyOf([job('1', 'CANCELLED', { retriedAs: '3' })]).get('CANCELLED')).toEqual({ jobs: 1, runAgain: 0 });
});
