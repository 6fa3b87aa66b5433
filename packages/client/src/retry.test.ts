import { expect, test } from 'vitest';
import type { Problem } from './api.ts';
import { ClientError } from './client-error.ts';
import { retryPause } from './retry.ts';

const budget = { busySeconds: 30, unreachableSeconds: 3 };
const once = { isRepeatable: false, budget };
const repeatable = { isRepeatable: true, budget };
const first = { failures: 1, pausedSeconds: 0 };

const rejected = (status: number, retryAfterSeconds?: number) =>
  new ClientError('rejected', 'no', { status, retryAfterSeconds });
const unreachable = new ClientError('unreachable', 'gone');
const connectionRefused = new ClientError('unreachable', 'gone', {
  cause: new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
});

test('retries any request to a busy service, after the time in Retry-After if there is one', () => {
  expect(retryPause(rejected(429, 7), once, first)).toBe(7);
  expect(retryPause(rejected(503), once, { ...first, failures: 3 })).toBeCloseTo(0.8);
});

test('retries a request whose file the service still reads, and none that took too long for good', () => {
  const problem = { code: 'TIMEOUT' } as Problem;
  const late = (retryAfterSeconds?: number) =>
    new ClientError('rejected', 'late', { status: 422, problem, retryAfterSeconds });
  expect(retryPause(late(5), { ...once, isCostly: true }, first)).toBe(5);
  expect(retryPause(late(5), once, { ...first, pausedSeconds: 28 })).toBeUndefined();
  expect(retryPause(late(), repeatable, first)).toBeUndefined();
});

test('does not retry a request above a quota that time does not help', () => {
  const problem = { code: 'QUOTA_EXCEEDED' } as Problem;
  const exceeded = new ClientError('rejected', 'no', { status: 429, problem });
  expect(retryPause(exceeded, repeatable, first)).toBeUndefined();
});

test('gives up at once if the service is busy for longer than the budget', () => {
  expect(retryPause(rejected(429, 60), once, first)).toBeUndefined();
  expect(retryPause(rejected(429, 7), once, { ...first, pausedSeconds: 25 })).toBeUndefined();
});

test('retries a request that the service may have executed only if it is repeatable', () => {
  expect(retryPause(unreachable, once, first)).toBeUndefined();
  expect(retryPause(rejected(502), once, first)).toBeUndefined();
  expect(retryPause(unreachable, repeatable, first)).toBeCloseTo(0.2);
  expect(retryPause(rejected(504), repeatable, first)).toBeCloseTo(0.2);
  expect(retryPause(connectionRefused, once, first)).toBeCloseTo(0.2);
});

test('does not repeat costly work whose reply was late, but does repeat it after a lost connection', () => {
  const late = new ClientError('unreachable', 'late', { cause: new DOMException('late', 'TimeoutError') });
  const costly = { ...repeatable, isCostly: true };
  expect(retryPause(late, costly, first)).toBeUndefined();
  expect(retryPause(late, repeatable, first)).toBeCloseTo(0.2);
  expect(retryPause(unreachable, costly, first)).toBeCloseTo(0.2);
});

test('does not retry after a status that is not temporary', () => {
  for (const status of [400, 401, 404, 409, 412, 413, 500, 507])
    expect(retryPause(rejected(status), repeatable, first)).toBeUndefined();
});
