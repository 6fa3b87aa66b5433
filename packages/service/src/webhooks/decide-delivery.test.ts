import { GIVE_UP_SECONDS } from '@telecine/contract/domain/webhook.ts';
import { expect, test } from 'vitest';
import { decideDelivery, pauseAfter, replyExcerpt, type SendResult } from './decide-delivery.ts';
import type { WebhookMessage } from './ports/outbox.ts';

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

test('an attempt that a person asked for leaves the planned one where it was, also at the end of the day', () => {
  const [createdAt, plannedAt] = ['2026-01-30T12:30:00.000Z', '2026-01-31T12:20:00.000Z'];
  const message = { messageId: 'msg_1', clientId: 'amy', event: 'job.failed', payload: '{}', createdAt } as const;
  const after = (result: SendResult) =>
    decideDelivery({ message, createdAt, attemptCount: 30, plannedAt }, result, { at: AT, seconds: 0.25 }, 0.5);
  expect(after({ status: 503 })).toMatchObject({ state: 'PENDING', afterSeconds: 1199.75 });
  expect(after({ status: 503, retryAfter: '3600' })).toMatchObject({ state: 'PENDING', afterSeconds: 3600 });
  expect(after({ status: 204 })).toMatchObject({ state: 'DELIVERED' });
});

test('further attempts that a person asked for do not make the pauses of the schedule longer', () => {
  expect(pauseAfter({ attempts: 9, ageSeconds: 1 }, 0.5)).toBe(5);
  expect(pauseAfter({ attempts: 9, ageSeconds: 105 }, 0.5)).toBe(320);
  expect(pauseAfter({ attempts: 1, ageSeconds: 7200 }, 0.5), 'an event that could not be sent before').toBe(5);
});

/** The pauses of a delivery whose attempts all fail. */
function pauses(random: number): readonly number[] {
  const found: number[] = [];
  for (let ageSeconds = 0; ; ageSeconds += found.at(-1) ?? 0) {
    const pause = pauseAfter({ attempts: found.length + 1, ageSeconds }, random);
    if (pause === undefined) return found;
    found.push(pause);
  }
}

test('the pauses grow from five seconds to four hours, within a day', () => {
  const found = pauses(0.5);
  expect(found.slice(0, 6)).toEqual([5, 20, 80, 320, 1280, 5120]);
  expect(new Set(found.slice(6))).toEqual(new Set([14_400]));
  const total = found.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeLessThanOrEqual(GIVE_UP_SECONDS);
  expect(total).toBeGreaterThan(GIVE_UP_SECONDS - 14_400);
});

test('the pauses grow alike whether they are the shortest or the longest ones', () => {
  for (const random of [0, 1]) {
    const factor = random === 0 ? 0.8 : 1.2;
    expect(
      pauses(random)
        .slice(0, 6)
        .map((pause) => Math.round(pause / factor)),
    ).toEqual([5, 20, 80, 320, 1280, 5120]);
  }
});

test('each pause varies by a fifth, also the longest, so that deliveries do not come back at once', () => {
  expect(pauseAfter({ attempts: 1, ageSeconds: 0 }, 0)).toBe(4);
  expect(pauseAfter({ attempts: 1, ageSeconds: 0 }, 1)).toBeCloseTo(6);
  // The docs and the page of a webhook say four hours and a fifth.
  expect(Math.min(...pauses(0).slice(6))).toBeCloseTo(0.8 * 14_400);
  expect(Math.max(...pauses(1))).toBeCloseTo(1.2 * 14_400);
});

test('a longer wish of the receiver is honoured up to four hours, a shorter one is not', () => {
  const asked = (retryAfterSeconds: number) => pauseAfter({ attempts: 1, ageSeconds: 0, retryAfterSeconds }, 0.5);
  expect([asked(1), asked(60), asked(1e9)]).toEqual([5, 60, 14_400]);
});

const excerpt = (text: string): string => replyExcerpt(new TextEncoder().encode(text));

test('a long reply is cut, also within a character', () => {
  expect(excerpt('a'.repeat(1000))).toBe('a'.repeat(256));
  expect(excerpt('a'.repeat(255).concat('é'))).toBe('a'.repeat(255));
});

test('a reply is one line without control characters', () => {
  expect(excerpt('one\r\n\u001b[31mtwo\u202e three\u0000')).toBe('one [31mtwo  three');
});

test.each([
  ['wrong whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'wrong (hidden)'],
  ['got Authorization: Bearer abc.DEF-1', 'got Authorization: (hidden)'],
  ['got basic dXNlcjpwYXNz=', 'got (hidden)'],
  ['jwt eyJhbGciOi.eyJzdWIi.c2ln', 'jwt (hidden)'],
])('credentials in %j are hidden', (text, shown) => {
  expect(excerpt(text)).toBe(shown);
});
