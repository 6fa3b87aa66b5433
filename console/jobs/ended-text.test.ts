import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { endedText, percentOf } from './ended-text.ts';

const job = (status: Job['status'], more: Partial<Job> = {}) => ({ status, output: 'a.mp4', ...more }) as Job;

test('a notification says what has ended, and how', () => {
  expect(endedText([job('COMPLETED')])).toEqual({ title: 'Conversion complete', body: 'a.mp4' });
  const error = { code: 'NO_SPACE' as const, message: 'The disk is full.' };
  expect(endedText([job('FAILED', { error })])).toEqual({ title: 'Conversion failed', body: 'The disk is full.' });
  expect(endedText([job('COMPLETED'), job('COMPLETED')]).body).toBe('All 2 are complete.');
  expect(endedText([job('COMPLETED'), job('CANCELLED')]).body).toBe('1 of 2 are not complete.');
});

test('the title has the progress of all jobs together, and 100 % is only their end', () => {
  expect(percentOf([job('PROCESSING', { progress: 42.9 })])).toBe(42);
  expect(percentOf([job('PROCESSING', { progress: 100 })])).toBe(99);
  expect(percentOf([job('COMPLETED'), job('PROCESSING', { progress: 50 }), job('PENDING'), undefined])).toBe(37);
  expect(percentOf([job('COMPLETED'), job('FAILED')])).toBeUndefined();
  expect(percentOf([job('PENDING')])).toBeUndefined();
});
