import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { conversionBody } from '../../packages/contract/src/wire/conversion.ts';
import { jobView } from '../../packages/contract/src/wire/job-view.ts';
import { REQUEST_MEMBERS, repeatableRequest, requestOf, retriedRequest } from './job-request.ts';

const REQUEST: ConversionRequest = {
  inputs: ['a.mp4', { input: 'b.png', duration: '2' }],
  join: 'encode',
  outputs: [{ output: 'o/1.mp4', parameters: { crf: '30' } }, { output: 'o/2.mp4' }],
  format: 'mp4',
  parameters: { 'c:v': 'libx264' },
  preset: { name: 'join', version: 1, arguments: {} },
  encrypt: { keyUri: 'https://keys.example.com/k', iv: '00112233445566778899aabbccddeeff' },
  strict: true,
  after: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'],
  priority: -1,
  expiresAfterSeconds: 3600,
  callbackUrl: 'https://example.org/hook?token=secret',
  metadata: { order: 'A-1' },
  llmId: 'model',
};

const job = (request: ConversionRequest): Job =>
  JSON.parse(
    JSON.stringify(
      jobView({
        jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
        clientId: 'amy',
        status: 'COMPLETED',
        attempt: 1,
        createdAt: '2026-01-31T12:00:00.000Z',
        request,
      }),
    ),
  );

test('every member that a request can have is shown', () => {
  expect(new Set(REQUEST_MEMBERS)).toEqual(new Set(Object.keys(conversionBody.shape)));
});

test('shows the whole request of a job, without what views hide', () => {
  expect(requestOf(job(REQUEST))).toEqual({ ...REQUEST, callbackUrl: 'https://example.org/hook?(hidden)' });
  const measured = { input: 'a.mp4', analysis: { measure: ['loudness'] } } as unknown as ConversionRequest;
  expect(requestOf(job(measured))).toEqual(measured);
});

test('what can be sent again is a valid request', () => {
  const repeated = repeatableRequest(job(REQUEST));
  expect(conversionBody.safeParse(repeated).error).toBeUndefined();
  expect(Object.keys(REQUEST).filter((name) => !(name in repeated))).toEqual(['preset', 'after', 'callbackUrl']);
});

test('what a retry can send keeps what the service puts back', () => {
  const { callbackUrl, after, ...repeated } = retriedRequest(job(REQUEST));
  expect(callbackUrl).toBe('https://example.org/hook?(hidden)');
  expect(after).toEqual(REQUEST.after);
  expect(repeated).toEqual(repeatableRequest(job(REQUEST)));
});
