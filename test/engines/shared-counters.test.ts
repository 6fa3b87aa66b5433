import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { sharedCounters } from '../../packages/service/src/store/postgres/shared-counters.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

const test = needs('PostgreSQL');

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres(await testFolder('postgres'));
});
afterAll(() => server?.stop());

let names = 0;

/** Opens one counter as two services do. */
async function openTwo(limit: number, windowSeconds = 60) {
  names += 1;
  const options = { name: `counter ${names}`, windowSeconds };
  const open = async () => {
    const store = await openPostgres({ url: server.url('postgres'), onOutage: () => {} });
    const errors: unknown[] = [];
    const counters = sharedCounters(store.database.reader, (error) => errors.push(error));
    onTestFinished(async () => {
      await counters.close();
      await store.close();
      expect(errors).toEqual([]);
    });
    const counter = counters.open(options);
    return { ...counter, count: (key: string) => counter.count(key, limit) };
  };
  return [await open(), await open()] as const;
}

test('each of many concurrent events gets its own count, and two services let through an eighth too many at most', async () => {
  const [one, two] = await openTwo(100);
  const events = await Promise.all(Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? one : two).count('amy')));
  const admitted = events.filter((count) => count.events <= 100).length;
  expect(admitted).toBeGreaterThanOrEqual(100);
  expect(admitted).toBeLessThanOrEqual(113);
  for (const counter of [one, two]) expect((await counter.count('amy')).events).toBeGreaterThan(100);
  expect((await one.count('bob')).events, 'keys are separate').toBe(1);
});

test('near the limit every event counts at once', async () => {
  const [one, two] = await openTwo(8);
  const counts = [];
  for (let i = 0; i < 8; i++) counts.push((await (i % 2 === 0 ? one : two).count('amy')).events);
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await one.get('amy')).toMatchObject({ events: 8 });
  expect(await two.get('bob')).toBeUndefined();
});

test('what a service has counted reaches the others within seconds, even if it counts no more', async () => {
  const [one, two] = await openTwo(1000);
  for (let i = 0; i < 20; i++) await one.count('amy');
  await expect.poll(async () => (await two.get('amy'))?.events, { timeout: 5000 }).toBe(20);
});

test('a window ends for all services at the same time, and the next event begins another one', async () => {
  const [one, two] = await openTwo(10, 1);
  await one.count('amy');
  const { events, msLeft } = await two.count('amy');
  expect(events).toBe(2);
  expect(msLeft).toBeLessThanOrEqual(1000);
  await sleep(msLeft + 50);
  expect(await one.get('amy')).toBeUndefined();
  expect((await two.count('amy')).events).toBe(1);
  expect((await one.count('amy')).events).toBe(2);
});
