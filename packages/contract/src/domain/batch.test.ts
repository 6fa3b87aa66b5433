import { expect, test } from 'vitest';
import { batchProgress, batchStatus, countJobs } from './batch.ts';
import type { Job } from './job.ts';
import type { JobStatus } from './states.ts';

const job = (status: JobStatus, percent?: number): Job => ({
  jobId: 'j',
  clientId: 'amy',
  status,
  request: { input: 'a', output: 'b' },
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
  ...(percent !== undefined && { progress: { percent } }),
});
const statusOf = (...statuses: readonly JobStatus[]) => batchStatus(countJobs(statuses.map((one) => job(one))));

test('a batch runs from the start of its first job to the end of its last one', () => {
  expect(statusOf('PENDING', 'PENDING')).toBe('PENDING');
  expect(statusOf('COMPLETED', 'PENDING')).toBe('PROCESSING');
  expect(statusOf('PROCESSING', 'FAILED')).toBe('PROCESSING');
  expect(statusOf('COMPLETED', 'COMPLETED')).toBe('COMPLETED');
});

test('a batch with a failed job has failed, else one with a cancelled job is cancelled', () => {
  expect(statusOf('COMPLETED', 'CANCELLED', 'FAILED')).toBe('FAILED');
  expect(statusOf('COMPLETED', 'CANCELLED')).toBe('CANCELLED');
});

test('the progress is the mean of all jobs, and those that ended or are deleted count 100', () => {
  const batch = { batchId: 'b', clientId: 'amy', createdAt: '', size: 4 };
  expect(batchProgress({ ...batch, jobs: [job('PROCESSING', 50), job('PENDING'), job('FAILED', 3)] })).toBe(62.5);
  expect(batchProgress({ ...batch, jobs: [] })).toBe(100);
});
