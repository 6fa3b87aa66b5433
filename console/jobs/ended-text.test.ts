import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { endedText, runningPercents } from './ended-text.ts';

const job = (status: Job['status'], more: Partial<Job> = {}) => ({ status, output: 'a.mp4', ...more }) as Job;

test('a notification says what has ended, and how', () => {
  expect(endedText([job('COMPLETED')])).toEqual({ title: 'Conversion complete', body: 'a.mp4' });
  const error = { code: 'NO_SPACE' as const, message: 'The disk is full.' };
  expect(endedText([job('FAILED', { error })])).toEqual({ title: 'Conversion failed', body: 'The disk is full.' });
  expect(endedText([job('COMPLETED'), job('COMPLETED')]).body).toBe('All 2 are complete.');
  expect(endedText([job('COMPLETED'), job('CANCELLED')]).body).toBe('1 of 2 are not complete.');
});

test('jobs that were started together are shown until the last one has ended', () => {
  const jobs = [
    job('COMPLETED', { completedAt: 'now' }),
    job('PROCESSING', { progress: 42.9 }),
    job('PENDING'),
    undefined,
  ];
  expect([...runningPercents(['a', 'b', 'c', 'd'], jobs)]).toEqual([
    ['a', 100],
    ['b', 42.9],
    ['c', 0],
    ['d', 0],
  ]);
  expect(runningPercents(['a', 'b'], [job('COMPLETED'), job('FAILED')]).size).toBe(0);
  expect(runningPercents(['a'], [job('PENDING')]).size).toBe(0);
});
