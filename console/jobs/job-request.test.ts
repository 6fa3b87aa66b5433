import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { conversionBody } from '../../packages/contract/src/wire/conversion.ts';
import { jobView } from '../../packages/contract/src/wire/job-view.ts';
import {
  asNewRequest,
  expandedRequest,
  jobHasKeys,
  REQUEST_MEMBERS,
  retriedRequest,
  sentRequest,
} from './job-request.ts';

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
  expect(sentRequest(job(REQUEST))).toEqual({ ...REQUEST, callbackUrl: 'https://example.org/hook?(hidden)' });
  const measured = { input: 'a.mp4', analysis: { measure: ['loudness'] } } as unknown as ConversionRequest;
  expect(sentRequest(job(measured))).toEqual(measured);
});

test('what can be sent again is a valid request', () => {
  const repeated = asNewRequest(retriedRequest(job(REQUEST)));
  expect(conversionBody.safeParse(repeated).error).toBeUndefined();
  expect(Object.keys(REQUEST).filter((name) => !(name in repeated))).toEqual(['after', 'callbackUrl']);
});

test('what a retry can send keeps what the service puts back', () => {
  const { callbackUrl, after, ...repeated } = retriedRequest(job(REQUEST));
  expect(callbackUrl).toBe('https://example.org/hook?(hidden)');
  expect(after).toEqual(REQUEST.after);
  expect(repeated).toEqual(asNewRequest(retriedRequest(job(REQUEST))));
});

const SENT: ConversionRequest = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { y: '' },
  preset: { name: 'target-size', arguments: { size: '8' } },
};

const OF_RECIPE: ConversionRequest = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { 'b:v': '812k', 'c:v': 'libx264', y: '' },
  preset: { name: 'target-size', version: 1, arguments: { size: 8 }, options: ['b:v', 'c:v'] },
  sent: SENT,
};

test('the request of a recipe has the recipe with its arguments as sent, and none of its options', () => {
  expect(sentRequest(job(OF_RECIPE))).toEqual(SENT);
  expect(retriedRequest(job(OF_RECIPE))).toEqual(SENT);
});

test('what a job of a recipe runs has all options, and no recipe', () => {
  const { preset: _, sent: __, ...runs } = OF_RECIPE;
  expect(expandedRequest(job(OF_RECIPE))).toEqual(runs);
});

test('keys in what was sent count, also if something else runs', () => {
  expect(jobHasKeys(job(OF_RECIPE))).toBe(false);
  const fallback = { encryption_key: 's3cret' };
  expect(jobHasKeys(job({ ...OF_RECIPE, sent: { ...SENT, fallback } }))).toBe(true);
  expect(jobHasKeys(job({ ...OF_RECIPE, parameters: fallback }))).toBe(true);
});
