import { expect, test } from 'vitest';
import type { Accepted, Problem } from '../../../client/api.ts';
import { ClientError } from '../../../client/client-error.ts';
import type { SubmitOptions } from '../../../client/options.ts';
import { createSubmission } from './submission.ts';

const REQUEST = { input: 'a.mov', output: 'b.mp4' };
const ACCEPTED = { jobId: 'J', status: 'PENDING', message: 'queued' } as Accepted;
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
  expect(await submission.send(NEVER)).toBe('J');
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

test.each<[string, readonly Error[], boolean]>([
  ['a proxy that got no reply', [rejected(502)], true],
  ['a proxy that waited too long', [rejected(504)], true],
  ['a fault of the service', [rejected(500)], true],
  ['a lost reply', [lost], true],
  ['a lost reply, then a busy service', [lost, rejected(429, 999)], true],
  ['a lost reply, then a rejected request', [lost, rejected(400)], false],
  ['a busy service', [rejected(503, 999)], false],
  ['a rejected request', [rejected(400)], false],
  ['rejected credentials', [rejected(401)], false],
  ['a service that is not there', [refused], false],
])('after %s, there may be a job: %o %s', async (_what, results, mayHaveJob) => {
  const { submission } = submissionOf(results);
  await expect(submission.send(NEVER)).rejects.toBe(results.at(-1));
  expect(submission.mayHaveJob).toBe(mayHaveJob);
});
