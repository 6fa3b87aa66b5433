import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { editLabel, editOfJob } from './edit-of-job.ts';

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
  expect(editOfJob(job({}), SHOP, false)).toEqual({ request: RETRIED, mends, retries: { jobId: 'j' } });
  expect(editOfJob(job({}), ADMIN, false)).toEqual({
    request: RETRIED,
    mends,
    retries: { jobId: 'j', client: 'shop' },
  });
  const cancelled = job({ status: 'CANCELLED' });
  expect(editOfJob(cancelled, ADMIN, false)).toEqual({ request: RETRIED, retries: { jobId: 'j', client: 'shop' } });
  expect(editOfJob(cancelled, SHOP, false)).toEqual({ request: REQUEST });
});

test('a job that did not fail, and one of a watch, is edited only by its client, as a new job', () => {
  for (const status of ['PENDING', 'PROCESSING', 'COMPLETED'] as const) {
    expect(editOfJob(job({ status }), ADMIN, false)).toBeUndefined();
    expect(editOfJob(job({ status }), SHOP, false)).toEqual({ request: REQUEST });
  }
  expect(editOfJob(job({ watchId: 'w' }), ADMIN, true)).toBeUndefined();
  expect(editOfJob(job({ watchId: 'w' }), SHOP, true)).toEqual({ request: REQUEST, mends });
});

test('an analysis is not edited, and nothing without a session', () => {
  expect(
    editOfJob(job({ analysis: { measure: ['loudness'] } as unknown as NonNullable<Job['analysis']> }), SHOP, false),
  ).toBeUndefined();
  for (const session of [null, undefined]) expect(editOfJob(job({}), session, false)).toBeUndefined();
});

test('the job of a watch that was deleted runs again like any other', () => {
  const retries = { jobId: 'j', client: 'shop' };
  expect(editOfJob(job({ watchId: 'w' }), ADMIN, false)).toEqual({ request: RETRIED, mends, retries });
});

test('only its client edits a job with keys', () => {
  const withKeys: readonly Partial<Job>[] = [
    { encrypt: { keyUri: 'film.key', iv: '00' } },
    { parameters: { encryption_key: '(hidden)' } },
    { inputs: [{ input: 'a.mov', parameters: { decryption_key: '(hidden)' } }] },
    { requestedOutputs: [{ output: 'a.mp4', fallback: { segment_format_options: 'encryption_key=(hidden)' } }] },
  ];
  for (const change of withKeys) {
    expect(editOfJob(job(change), ADMIN, false)).toBeUndefined();
    expect(editOfJob(job(change), SHOP, false)).toMatchObject({ retries: { jobId: 'j' } });
  }
});

test('what is edited of a running job is a copy, because the job goes on', () => {
  expect(editLabel(job({ status: 'PROCESSING' }))).toBe('Edit a copy');
  expect(editLabel(job({ completedAt: '2026-01-01T00:00:00Z' }))).toBe('Edit and run again');
});
