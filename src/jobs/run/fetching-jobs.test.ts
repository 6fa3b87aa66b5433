import { expect, test } from 'vitest';
import { fetchingJobs } from './fetching-jobs.ts';

const NEVER = new AbortController().signal;
const job = (clientId: string) => ({ delivery: { clientId } });

test('jobs get slots in the order in which their inputs were complete', async () => {
  const [first, second, third] = [job('amy'), job('bob'), job('amy')];
  const fetching = fetchingJobs<ReturnType<typeof job>>({ jobs: 16, perClient: 4 });
  for (const one of [first, second, third]) fetching.add(one);
  expect(fetching.next()).toBeUndefined();
  const order: string[] = [];
  const waits = [
    fetching.waitForSlot(third, NEVER).then(() => order.push('third')),
    fetching.waitForSlot(first, NEVER).then(() => order.push('first')),
  ];
  for (let next = fetching.next(); next !== undefined; next = fetching.next()) fetching.giveSlot(next);
  await Promise.all(waits);
  expect(order).toEqual(['third', 'first']);
  expect([fetching.has(first), fetching.has(second)]).toEqual([false, true]);
});

test('a job that is stopped while it queues gets no slot', async () => {
  const [stopped, other] = [job('amy'), job('bob')];
  const fetching = fetchingJobs<ReturnType<typeof job>>({ jobs: 16, perClient: 4 });
  fetching.add(stopped);
  fetching.add(other);
  const stop = new AbortController();
  const waiting = fetching.waitForSlot(stopped, stop.signal);
  const next = fetching.waitForSlot(other, NEVER);
  stop.abort('cancel');
  await expect(waiting).rejects.toBe('cancel');
  expect(fetching.next()).toBe(other);
  fetching.giveSlot(other);
  await next;
});

test('there is room for so many jobs, of which a client has its share', () => {
  const fetching = fetchingJobs<ReturnType<typeof job>>({ jobs: 3, perClient: 2 });
  const [first, second] = [job('amy'), job('amy')];
  fetching.add(first);
  fetching.add(second);
  expect(fetching.room()).toEqual({ free: 1, perClient: 2, ofClients: new Map([['amy', 2]]) });
  expect(fetching.remove(first)).toBe(true);
  expect(fetching.remove(first)).toBe(false);
  expect(fetching.room()).toEqual({ free: 2, perClient: 2, ofClients: new Map([['amy', 1]]) });
});
