import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { limitNotifications, NOTIFICATIONS_PER_MINUTE } from './notification-limit.ts';

test('too many notifications for a watch are rejected, say when to send the next, and do not count for other watches', () => {
  let nowMs = 0;
  const limit = limitNotifications(() => nowMs);
  const send = (watchId: string) => limit({ notifiedWatch: { watchId } } as unknown as FastifyRequest);
  for (let sent = 0; sent < NOTIFICATIONS_PER_MINUTE; sent += 1) send('a');
  expect(() => send('a')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }));
  send('b');
  nowMs = 1000;
  send('a');
});
