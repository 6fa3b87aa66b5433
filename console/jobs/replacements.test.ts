import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { replacementsAmong } from './replacements.ts';

const retry = (jobId: string, retryOf: string, status: Job['status'] = 'PENDING') => ({ jobId, retryOf, status });

test('the newest retry takes the place of a job, also before the job is read again', () => {
  const replacementOf = replacementsAmong([retry('3', '1'), retry('2', '1'), retry('4', '3', 'FAILED')]);
  expect(replacementOf({ jobId: '1' })).toBe('3');
  expect(replacementOf({ jobId: '1', retriedAs: '2' })).toBe('3');
  expect(replacementOf({ jobId: '1', retriedAs: '5' })).toBe('5');
  expect(replacementOf({ jobId: '3' })).toBe('4');
  expect(replacementOf({ jobId: '2' })).toBeUndefined();
});

test('a retry that was cancelled or deleted takes no place, and an older one does', () => {
  const jobs = [retry('2', '1', 'COMPLETED'), retry('3', '1'), retry('3', '1', 'CANCELLED')];
  expect(replacementsAmong(jobs)({ jobId: '1', retriedAs: '3' })).toBe('2');
  expect(replacementsAmong(jobs.slice(1))({ jobId: '1', retriedAs: '3' })).toBeUndefined();
  expect(replacementsAmong([], (jobId) => jobId === '3')({ jobId: '1', retriedAs: '3' })).toBeUndefined();
});
