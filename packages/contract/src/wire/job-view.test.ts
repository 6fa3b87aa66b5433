import { expect, test } from 'vitest';
import { hint, RETRY_JOB } from '../domain/hint.ts';
import type { Job } from '../domain/job.ts';
import { HIDDEN } from '../domain/secret-options.ts';
import { jobSchema as schema } from './job.ts';
import { jobView } from './job-view.ts';

const pending: Job = {
  jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
  clientId: 'alice',
  status: 'PENDING',
  request: { input: 'a', output: 'b', llmId: 'm' },
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const running: Job = {
  ...pending,
  status: 'PROCESSING',
  phase: 'CONVERTING',
  attempt: 1,
  progress: { percent: 40, etaSeconds: 9 },
};
const error = { code: 'INPUT_NOT_FOUND', message: 'a is not there.' } as const;

test.each([
  [pending, { progress: 0, message: 'The job is queued for processing.' }],
  [
    { ...pending, needs: ['encoder:libx'] },
    { message: 'The job is queued for processing. It waits for a worker with encoder libx.' },
  ],
  [
    { ...pending, attempt: 1 },
    { progress: 0, message: 'The job is queued for another attempt, after 1 of 3.' },
  ],
  [
    { ...pending, attempt: 1, error },
    { error, message: 'The job is queued for another attempt, after 1 of 3. The last attempt failed: a is not there.' },
  ],
  [
    {
      ...pending,
      status: 'FAILED' as const,
      watchId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11',
      error: { code: 'TIMEOUT' as const, message: 'It took too long.', fix: hint`${RETRY_JOB}.` },
    },
    {
      error: {
        ...{ code: 'TIMEOUT', message: 'It took too long.' },
        fix: 'POST /api/watches/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11/retry with {"paths": ["a"]}.',
      },
    },
  ],
  [
    { ...pending, error: { code: 'NO_SPACE' as const, message: 'The disk has no room.' } },
    { message: 'The job is queued for processing. It waits: The disk has no room.' },
  ],
  [running, { progress: 40, phase: 'CONVERTING', etaSeconds: 9, message: 'The job is being processed.' }],
  [{ ...running, cancelRequestedAt: pending.createdAt }, { message: 'The job is being cancelled.' }],
  [
    { ...running, status: 'COMPLETED' as const },
    { progress: 100, message: 'The conversion is complete.' },
  ],
  [
    { ...running, status: 'FAILED' as const, error: { ...error, about: { input: 'a' } } },
    { progress: 40, message: 'The conversion failed: a is not there.' },
  ],
  [{ ...pending, status: 'CANCELLED' as const }, { message: 'The job was cancelled.' }],
])('shows a job in each state, and the view matches the schema (%#)', (job, shown) => {
  const view = JSON.parse(JSON.stringify(jobView(job)));
  expect(view).toMatchObject(shown);
  expect(schema.safeParse(view).error).toBeUndefined();
  expect(view).toMatchObject({ client: 'alice' });
  expect(view.error?.about).toBeUndefined();
});

test('a finished job has no phase and no remaining time, and links only to operations that it allows', () => {
  const ended = JSON.parse(JSON.stringify(jobView({ ...running, status: 'FAILED', error })));
  expect(ended).not.toHaveProperty('etaSeconds');
  expect(ended).not.toHaveProperty('phase');
  expect(Object.keys(ended.links)).toEqual(['self', 'log', 'retry']);
  expect(Object.keys(JSON.parse(JSON.stringify(jobView(running).links)))).toEqual(['self', 'log', 'cancel']);
});

test('only the client of a job that encrypts is led to its key, not an administrator', () => {
  const encrypts = { ...running, request: { ...running.request, encrypt: { keyUri: 'film.key', key: '00' } } };
  expect(jobView(encrypts, { clientId: 'alice' }).links.key).toBe(`${jobView(encrypts).links.self}/key`);
  expect(jobView(encrypts, { clientId: 'admin' }).links.key).toBeUndefined();
});

test('does not show the fingerprint of an output, and what quotas count of it', () => {
  const outputs = [{ path: 'a.mp4', sizeBytes: 1, fingerprint: '1:2:3', mediaSeconds: 30 }];
  expect(jobView({ ...running, status: 'COMPLETED', outputs }).outputs).toEqual([{ path: 'a.mp4', sizeBytes: 1 }]);
});

test('does not show secrets in the parameters and the fallback of any output', () => {
  const secret = { 'c:v': 'h264_nvenc', decryption_key: '00112233' };
  const shown = { 'c:v': 'h264_nvenc', decryption_key: HIDDEN };
  const own = { parameters: secret, fallback: secret };
  const { parameters, fallback, requestedOutputs } = jobView({
    ...pending,
    request: { input: 'a', ...own, outputs: [{ output: 'b', ...own }, { output: 'c' }] },
  });
  expect({ parameters, fallback }).toEqual({ parameters: shown, fallback: shown });
  expect(requestedOutputs).toEqual([{ output: 'b', parameters: shown, fallback: shown }, { output: 'c' }]);
});
