import type { Accepted, Problem } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import type { SubmitOptions } from '@telecine/client/options.ts';
import { expect, test } from 'vitest';
import { createSubmission } from './convert-files.ts';

const REQUEST = { input: 'a.mov', output: 'b.mp4' };
const JOB_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
const ACCEPTED = { jobId: JOB_ID, status: 'PENDING', message: 'queued' } as Accepted;
const NEVER = new AbortController().signal;

const rejected = (status: number, retryAfterSeconds?: number) =>
  new ClientError('rejected', 'no', { status, retryAfterSeconds, problem: { code: 'X' } as unknown as Problem });
const lost = new ClientError('unreachable', 'no reply');
const refused = new ClientError('unreachable', 'not there', {
  cause: new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
});

/** A submission whose tries end with these results. The last one repeats. */
function submissionOf(results: readonly (Error | Accepted)[], onTry = (): void => {}) {
  const keys: unknown[] = [];
  const submit = async (_request: unknown, { idempotencyKey }: SubmitOptions = {}): Promise<Accepted> => {
    keys.push(idempotencyKey);
    onTry();
    const result = results[keys.length - 1] ?? results.at(-1);
    if (result === undefined || result instanceof Error) throw result;
    return result;
  };
  return { submission: createSubmission({ submit }, REQUEST, { busySeconds: 60, unreachableSeconds: 0.5 }), keys };
}

test('sends until the service accepts, always with one key', async () => {
  const { submission, keys } = submissionOf([rejected(503, 0), lost, ACCEPTED]);
  expect(await submission.send(NEVER)).toBe(JOB_ID);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('a submission that is cancelled while it waits for a busy service leaves no job to look for', async () => {
  const stop = new AbortController();
  const { submission, keys } = submissionOf([rejected(429, 30)], () => setImmediate(() => stop.abort('enough')));
  await expect(submission.send(stop.signal)).rejects.toBe('enough');
  expect(submission.mayHaveJob).toBe(false);
  expect(keys).toHaveLength(1);
});

test('a submission that is cancelled before its reply may have a job', async () => {
  const stop = new AbortController();
  const submission = createSubmission(
    {
      submit: (_request, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          stop.abort('enough');
        }),
    },
    REQUEST,
  );
  await expect(submission.send(stop.signal)).rejects.toBe('enough');
  expect(submission.mayHaveJob).toBe(true);
});

test.each<[string, boolean, readonly Error[]]>([
  ['a proxy that got no reply', true, [rejected(502)]],
  ['a proxy that waited too long', true, [rejected(504)]],
  ['a fault of the service', true, [rejected(500)]],
  ['a lost reply', true, [lost]],
  ['a lost reply, then a busy service', true, [lost, rejected(429, 999)]],
  ['a lost reply, then a rejected request', false, [lost, rejected(400)]],
  ['a busy service', false, [rejected(503, 999)]],
  ['a rejected request', false, [rejected(400)]],
  ['rejected credentials', false, [rejected(401)]],
  ['a service that is not there', false, [refused]],
])('after %s, there may be a job: %s', async (_what, mayHaveJob, results) => {
  const { submission } = submissionOf(results);
  await expect(submission.send(NEVER)).rejects.toBe(results.at(-1));
  expect(submission.mayHaveJob).toBe(mayHaveJob);
});
