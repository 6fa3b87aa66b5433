import { expect, test } from 'vitest';
import { ClientError } from './client-error.ts';
import { pauseBefore } from './retry.ts';

const PATIENCE = { busySeconds: 30, lostSeconds: 3 };
const first = { tries: 1, waitedSeconds: 0, repeatable: false };
const again = { ...first, repeatable: true };

const refused = (status: number, retryAfterSeconds?: number) =>
  new ClientError('refused', 'no', { status, retryAfterSeconds });
const lost = new ClientError('unreachable', 'gone');
const neverThere = new ClientError('unreachable', 'gone', {
  cause: new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
});

test('a busy service is asked again when it says so, whatever was asked', () => {
  expect(pauseBefore(refused(429, 7), first, PATIENCE)).toBe(7);
  expect(pauseBefore(refused(503), { ...first, tries: 3 }, PATIENCE)).toBeCloseTo(0.8);
});

test('a service that wants more time than there is patience is given up at once', () => {
  expect(pauseBefore(refused(429, 60), first, PATIENCE)).toBeUndefined();
  expect(pauseBefore(refused(429, 7), { ...first, waitedSeconds: 25 }, PATIENCE)).toBeUndefined();
});

test('what may have been done is not done twice', () => {
  expect(pauseBefore(lost, first, PATIENCE)).toBeUndefined();
  expect(pauseBefore(refused(502), first, PATIENCE)).toBeUndefined();
  expect(pauseBefore(lost, again, PATIENCE)).toBeCloseTo(0.2);
  expect(pauseBefore(refused(504), again, PATIENCE)).toBeCloseTo(0.2);
  expect(pauseBefore(neverThere, first, PATIENCE)).toBeCloseTo(0.2);
});

test('what was refused for good is not asked again', () => {
  for (const status of [400, 401, 404, 409, 412, 413, 500, 507])
    expect(pauseBefore(refused(status), again, PATIENCE)).toBeUndefined();
});
