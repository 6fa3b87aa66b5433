import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { type RunningJob, RunningJobs } from './running-jobs.ts';

const job = (clientId: string): RunningJob => ({
  delivery: { clientId, jobId: 'job', lane: 'fetch', weight: 100, needs: [] } as unknown as RunningJob['delivery'],
  jobId: 'job',
  startedAt: 0,
  endsAt: undefined,
  stop: new AbortController(),
});

const runningJobs = (...jobs: RunningJob[]): RunningJobs => {
  const running = new RunningJobs({ slots: 16, processors: 8 });
  for (const one of jobs) running.add(one);
  return running;
};

test('jobs get slots in the order in which their inputs were complete', async () => {
  const [first, second, third] = [job('amy'), job('bob'), job('amy')];
  const running = runningJobs(first, second, third);
  expect(running.nextFetched()).toBeUndefined();
  const order: string[] = [];
  const waits = [
    running.waitForSlot(third, NEVER).then(() => order.push('third')),
    running.waitForSlot(first, NEVER).then(() => order.push('first')),
  ];
  for (let next = running.nextFetched(); next !== undefined; next = running.nextFetched())
    expect(running.giveSlot(next)).toBe(true);
  await Promise.all(waits);
  expect(order).toEqual(['third', 'first']);
  expect([running.isFetching(first), running.isFetching(second)]).toEqual([false, true]);
});

test('a job that is stopped while it queues gets no slot', async () => {
  const [stopped, other] = [job('amy'), job('bob')];
  const running = runningJobs(stopped, other);
  const stop = new AbortController();
  const waiting = running.waitForSlot(stopped, stop.signal);
  const next = running.waitForSlot(other, NEVER);
  stop.abort('cancel');
  await expect(waiting).rejects.toBe('cancel');
  expect(running.nextFetched()).toBe(other);
  running.giveSlot(other);
  await next;
});

test('a few jobs fetch their inputs besides the conversions, and a client has its share of them', () => {
  const [first, second] = [job('amy'), job('amy')];
  const running = runningJobs(first, second);
  expect(running.fetchRoom()).toEqual({ free: 14, perClient: 4, ofClients: new Map([['amy', 2]]) });
  expect(running.release(first)).toBe(true);
  expect(running.release(first)).toBe(false);
  expect(running.fetchRoom()).toEqual({ free: 15, perClient: 4, ofClients: new Map([['amy', 1]]) });
});
