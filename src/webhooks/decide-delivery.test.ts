import { expect, test } from 'vitest';
import { decideDelivery, type SendResult } from './decide-delivery.ts';
import type { WebhookMessage } from './ports.ts';

const AT = new Date('2026-01-31T12:00:00.000Z');

const decide = (result: SendResult, event: WebhookMessage['event'] = 'job.completed', createdAt = AT.toISOString()) =>
  decideDelivery(
    {
      message: { messageId: 'msg_1', clientId: 'amy', event, payload: '{}', createdAt },
      createdAt,
      attemptCount: 0,
    },
    result,
    { at: AT, seconds: 0.25 },
    0.5,
  );

test.each([200, 202, 204, 299])('status %d ends the delivery', (status) => {
  expect(decide({ status })).toEqual({
    state: 'DELIVERED',
    attempt: { at: AT.toISOString(), seconds: 0.25, status },
  });
});

test.each([199, 301, 307, 400, 401, 404, 429, 500, 503])('status %d is tried again', (status) => {
  expect(decide({ status })).toMatchObject({ state: 'PENDING', afterSeconds: 5, attempt: { status } });
});

test('a receiver that cannot be reached is tried again', () => {
  const error = 'example.org did not accept a connection.';
  expect(decide({ error, isFinal: false })).toMatchObject({ state: 'PENDING', attempt: { error } });
  expect(decide({ error, isFinal: true })).toMatchObject({ state: 'FAILED', attempt: { error } });
});

test('410 ends the delivery and the webhook', () => {
  expect(decide({ status: 410 })).toMatchObject({ state: 'FAILED', isGone: true });
});

test('a delivery of yesterday is given up, and a test after one attempt', () => {
  expect(decide({ status: 500 }, 'job.failed', '2026-01-30T12:00:00.000Z')).toMatchObject({ state: 'FAILED' });
  expect(decide({ status: 500 }, 'webhook.test')).toMatchObject({ state: 'FAILED' });
});

test.each([
  ['120', 120],
  ['Sat, 31 Jan 2026 12:05:00 GMT', 299.75],
  ['soon', 5],
  ['-3', 5],
])('Retry-After %j delays the next attempt by %d seconds', (retryAfter, seconds) => {
  expect(decide({ status: 503, retryAfter })).toMatchObject({ state: 'PENDING', afterSeconds: seconds });
});
