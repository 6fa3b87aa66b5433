import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { editOfJob } from './edit-of-job.ts';

const job = (change: Partial<Job>): Job =>
  ({
    ...{ jobId: 'j', client: 'shop', status: 'FAILED', input: 'a.mov', output: 'a.mp4' },
    ...{ callbackUrl: 'https://shop.example/hook?(hidden)', error: { code: 'INPUT_NOT_FOUND', message: 'It failed.' } },
    ...change,
  }) as Job;

const SHOP = { clientId: 'shop' };
const ADMIN = { clientId: 'admin' };
const REQUEST = { input: 'a.mov', output: 'a.mp4' };
const RETRIED = { ...REQUEST, callbackUrl: 'https://shop.example/hook?(hidden)' };
const mends = { jobId: 'j', message: 'It failed.' };

test('a failed job runs again for its client, whoever edits it', () => {
  expect(editOfJob(job({}), SHOP)).toEqual({ request: RETRIED, mends, retries: { jobId: 'j' } });
  expect(editOfJob(job({}), ADMIN)).toEqual({ request: RETRIED, mends, retries: { jobId: 'j', client: 'shop' } });
  const cancelled = job({ status: 'CANCELLED' });
  expect(editOfJob(cancelled, ADMIN)).toEqual({ request: RETRIED, retries: { jobId: 'j', client: 'shop' } });
  expect(editOfJob(cancelled, SHOP)).toEqual({ request: REQUEST });
});

test('a job that did not fail, and one of a watch, is edited only by its client, as a new job', () => {
  for (const status of ['PENDING', 'PROCESSING', 'COMPLETED'] as const) {
    expect(editOfJob(job({ status }), ADMIN)).toBeUndefined();
    expect(editOfJob(job({ status }), SHOP)).toEqual({ request: REQUEST });
  }
  expect(editOfJob(job({ watchId: 'w' }), ADMIN)).toBeUndefined();
  expect(editOfJob(job({ watchId: 'w' }), SHOP)).toEqual({ request: REQUEST, mends });
});

test('an analysis is not edited, and nothing without a session', () => {
  expect(
    editOfJob(job({ analysis: { measure: ['loudness'] } as unknown as NonNullable<Job['analysis']> }), SHOP),
  ).toBeUndefined();
  for (const session of [null, undefined]) expect(editOfJob(job({}), session)).toBeUndefined();
});
