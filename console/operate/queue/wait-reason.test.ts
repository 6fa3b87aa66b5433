import { expect, test } from 'vitest';
import { slotsText, waitReason } from './wait-reason.ts';

const lane = (jobs: number) => [{ lane: 'full' as const, jobs, oldestSeconds: 60 }];
const queued = lane(3);
const bot = (running: number, jobs: number) => ({ client: 'clips-bot', queued: lane(jobs), running });
const shop = { client: 'shop', queued: lane(1), running: 0 };

test.each([
  ['all 2 slots are in use. More slots: raise TELECINE_CONCURRENCY', { slots: { total: 2, used: 2 } }],
  ['the only slot is in use', { slots: { total: 1, used: 1 } }],
  ['the queue is paused', { pausedAt: '2026-11-20T10:00:00.000Z', slots: { total: 2, used: 0 } }],
  ['no worker takes jobs', { slots: { total: 0, used: 0 } }],
  ['its limit "Jobs at the same time"', { slots: { total: 2, used: 0.5 } }],
])('says that a job waits because: %s', (reason, queue) => {
  expect(waitReason({ queued, clients: [], ...queue })?.text).toContain(reason);
});

test('does not advise more slots to jobs that a limit of their client holds', () => {
  const limitOf = (client: string) => (client === 'clips-bot' ? 1 : undefined);
  const reason = waitReason({ queued, clients: [bot(1, 3)], slots: { total: 1, used: 1 } }, limitOf);
  expect(reason).toEqual({
    text: 'Jobs of clips-bot wait for its limit "Jobs at the same time", 1.',
    isAboutWorkers: false,
  });
  const full = { queued, clients: [bot(2, 2), shop], slots: { total: 2, used: 2 } };
  const text = waitReason(full, limitOf)?.text;
  expect(waitReason(full, limitOf)).toMatchObject({ over: 'clips-bot' });
  expect(text).toContain('2 jobs that started before it still run. They end by themselves, or when you cancel them.');
  expect(text).toContain('Other jobs wait for a slot: all 2 slots are in use.');
  expect(text).not.toContain('More slots');
  // Jobs of another client would start in more slots.
  expect(waitReason({ ...full, clients: [bot(1, 2), shop] }, limitOf)?.text).toContain('More slots');
  expect(waitReason({ ...full, clients: [bot(1, 2), shop] })?.text).not.toContain('limit');
});

test('gives no reason if no job is queued', () => {
  expect(waitReason({ queued: [], clients: [], slots: { total: 2, used: 2 } })).toBeUndefined();
});

test('says of how many slots', () => {
  expect([slotsText(1), slotsText(2), slotsText(0)]).toEqual(['of 1 slot', 'of 2 slots', 'of 0 slots']);
});

test('names the client that fills all slots while jobs of others wait', () => {
  const full = { queued, clients: [bot(2, 2), shop], slots: { total: 2, used: 2 } };
  expect(waitReason(full)).toMatchObject({ filling: 'clips-bot' });
  expect(waitReason(full)?.text).toContain('All running jobs are of clips-bot.');
  // Nobody else waits, or somebody else runs too.
  expect(waitReason({ ...full, clients: [bot(2, 2)] })?.filling).toBeUndefined();
  expect(waitReason({ ...full, clients: [bot(1, 2), { ...shop, running: 1 }] })?.filling).toBeUndefined();
});
