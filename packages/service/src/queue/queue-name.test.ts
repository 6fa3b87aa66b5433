import { expect, test } from 'vitest';
import { type QueueKey, queueName, queueRequirements } from './queue-name.ts';

test.each<QueueKey>([
  { lane: 'full', needs: [] },
  { lane: 'light', needs: [] },
  { lane: 'fetch', needs: [] },
  { lane: 'fetch', needs: ['encoder:libsvtav1'] },
  { lane: 'full', needs: ['encoder:libsvtav1'] },
  { lane: 'light', needs: ['decoder:av1', 'filter:a.b/c%d*~é'] },
])('a queue is named after lane and needs: %o', (requirements) => {
  const name = queueName(requirements);
  expect(name).toMatch(/^[\w\-./]+$/);
  expect(queueRequirements(name)).toEqual(requirements);
});

test('a queue of something else has no requirements', () => {
  expect(queueRequirements('__pgboss__send-it')).toBeUndefined();
});

test('the queue of ordinary jobs has the name that earlier versions use', () => {
  expect(queueName({ lane: 'full', needs: [] })).toBe('conversions');
});
