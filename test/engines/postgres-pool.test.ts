import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { ORDINARY } from '../../src/domain/lane.ts';
import { StoreUnavailable } from '../../src/domain/store-unavailable.ts';
import { bossQueue } from '../../src/queue/boss.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

const test = needs('PostgreSQL');

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres(await testFolder('postgres'));
});
afterAll(() => server?.stop());

async function open() {
  const outages: unknown[] = [];
  const store = await openPostgres({ url: server.url('postgres'), onOutage: (reason) => outages.push(reason) });
  onTestFinished(() => store.close());
  return { store, outages, db: store.database.reader };
}

test('a transaction that failed as one text leaves no connection behind on which every query fails', async () => {
  const { db } = await open();
  const many = (text: string) => Promise.allSettled(Array.from({ length: 12 }, () => sql.raw(text).execute(db)));
  await many('begin; select 1 / 0; commit');
  for (const result of await many('select 1')) expect(result.status).toBe('fulfilled');
});

test('a bug is not reported as an outage', async () => {
  const { db, outages } = await open();
  const unreadable = {
    toPostgres() {
      throw new TypeError('a bug');
    },
  };
  await expect(sql`select ${unreadable}::text`.execute(db)).rejects.toThrow('a bug');
  await expect(sql`select missing`.execute(db)).rejects.toThrow('does not exist');
  expect(outages).toEqual([]);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('an outage is reported once with its reason and without secrets, and its end once', async () => {
  const { store, outages } = await open();
  await server.kill();
  for (let i = 0; i < 3; i++) await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailable);
  await server.start();
  await store.ping();
  await store.ping();
  expect(outages).toEqual([expect.objectContaining({ message: expect.any(String) }), undefined]);
  expect(Object.keys(outages[0] ?? {})).toEqual(['code', 'message']);
});

test('a statement that waits too long for a lock is no outage', async () => {
  const { store, db, outages } = await open();
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const other = await open();
  const holder = other.db.transaction().execute(async (tx) => {
    await sql`lock table clients`.execute(tx);
    locked.resolve();
    await done;
  });
  await locked.promise;
  const waiting = store.database.reader.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '50ms'`.execute(tx);
    await sql`select * from clients`.execute(tx);
  });
  await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable);
  resolve();
  await holder;
  expect(outages).toEqual([]);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('the first jobs of a new database do not wait for each other, however many come at once', async () => {
  const { store, outages } = await open();
  const queue = await bossQueue(store.database, { onError: () => {} });
  onTestFinished(() => queue.close());
  const enqueue = () =>
    store.transactions.run((tx) =>
      queue.enqueue(tx, [{ jobId: uuid(), clientId: 'amy', fairnessRank: 1, ...ORDINARY }]),
    );
  await Promise.all(Array.from({ length: 30 }, enqueue));
  expect(outages).toEqual([]);
});
