import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { statusCount } from './status-counts.ts';

const jobsOf = (...statuses: readonly Job['status'][]): readonly Job[] => statuses.map((status) => ({ status }) as Job);
const textOf = (...args: Parameters<typeof statusCount>): string | undefined => statusCount(...args)?.text;

test('a status has the number of its jobs, and none if there are none', () => {
  const jobs = jobsOf('FAILED', 'COMPLETED', 'COMPLETED');
  expect(textOf(jobs, 'COMPLETED', { isComplete: true })).toBe('2');
  expect(textOf(jobs, 'FAILED', { isComplete: true })).toBe('1');
  expect(textOf(jobs, 'PENDING', { isComplete: true })).toBeUndefined();
});

test('a number says if older jobs were not read, and does not grow without end', () => {
  const many = Array.from({ length: 120 }, (): Job['status'] => 'PENDING');
  const jobs = jobsOf('FAILED', ...many);
  expect(statusCount(jobs, 'FAILED', { isComplete: false })).toEqual({
    text: '1+',
    title: 'At least 1 job: older ones are not read yet',
  });
  expect(textOf(jobs, 'COMPLETED', { isComplete: false })).toBeUndefined();
  expect(statusCount(jobs, 'PENDING', { isComplete: true })).toEqual({ text: '99+', title: '120 jobs' });
});
