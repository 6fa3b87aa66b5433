import { expect, test } from 'vitest';
import { slotsText, waitReason } from './wait-reason.ts';

const queued = [{ lane: 'full' as const, jobs: 3, oldestSeconds: 60 }];

test.each([
  ['all 2 slots are in use. More slots: raise TELECINE_CONCURRENCY', { queued, slots: { total: 2, used: 2 } }],
  ['the only slot is in use', { queued, slots: { total: 1, used: 1 } }],
  ['the queue is paused', { queued, pausedAt: '2026-11-20T10:00:00.000Z', slots: { total: 2, used: 0 } }],
  ['no worker takes jobs', { queued, slots: { total: 0, used: 0 } }],
  ['its limit "running"', { queued, slots: { total: 2, used: 0.5 } }],
])('says that a job waits because: %s', (reason, queue) => {
  expect(waitReason(queue)).toContain(reason);
});

test('gives no reason if no job is queued', () => {
  expect(waitReason({ queued: [], slots: { total: 2, used: 2 } })).toBeUndefined();
});

test('says of how many slots', () => {
  expect([slotsText(1), slotsText(2), slotsText(0)]).toEqual(['of 1 slot', 'of 2 slots', 'of 0 slots']);
});
