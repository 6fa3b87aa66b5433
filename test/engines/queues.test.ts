import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { bossQueue } from '../../packages/service/src/queue/boss.ts';
import { BOSS_JOBS, queueNames, removeEmptyQueues } from '../../packages/service/src/queue/boss-queues.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { submitMany, submitOne, take, type World } from '../contracts/engine.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('PostgreSQL');

const AV1 = { lane: 'full', weight: 200, needs: ['encoder:libsvtav1'] } as const;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres(await testFolder('postgres'));
});
afterAll(() => server?.stop());

/** Opens a new database as several services do. */
async function openInstances(count: number) {
  const database = `queues_${randomUUID().replaceAll('-', '')}`;
  await server.sql(`create database ${database}`);
  const open = async () => {
    const store = await openPostgres({ url: server.url(database), onOutage: () => {} });
    onTestFinished(() => store.close());
    const errors: unknown[] = [];
    const queue = await bossQueue(store.database, { onError: (error) => errors.push(error) });
    onTestFinished(() => queue.close());
    return { database, store, queue, errors };
  };
  return Promise.all(Array.from({ length: count }, open));
}

type Instance = Awaited<ReturnType<typeof openInstances>>[number];

const ourQueues = async ({ store }: Instance): Promise<readonly string[]> =>
  (await queueNames(store.database.reader)).filter((name) => !name.startsWith('_')).toSorted();

test('services that need a new queue at once share one, and each finds the tickets of all', async () => {
  const instances = await openInstances(3);
  const [first] = instances;
  if (first === undefined) throw new Error('There is no instance.');
  const submitted = await Promise.all(
    Array.from({ length: 45 }, (_, index) => submitOne(instances[index % 3] as World, 'amy', AV1)),
  );
  expect(await ourQueues(first)).toEqual(['conversions', 'conversions/encoder.3Alibsvtav1', 'fetch', 'light']);
  const taken = await Promise.all(instances.map((instance) => take(instance, 15)));
  expect(
    taken
      .flat()
      .map(({ jobId }) => jobId)
      .sort(),
  ).toEqual(submitted.toSorted());
  expect(instances.flatMap(({ errors }) => errors)).toEqual([]);
});

test('an expired ticket waits for its worker to come back before another one gets it', async () => {
  const [instance] = await openInstances(1);
  if (instance === undefined) throw new Error('There is no instance.');
  await submitOne(instance, 'amy');
  const [delivery] = await take(instance, 1);
  if (delivery === undefined) throw new Error('No ticket was handed out.');
  const read = async () => {
    const { rows } = await sql<{ state: string; now: Date; start: Date }>`
      select state, clock_timestamp() as now, start_after as start from ${BOSS_JOBS} where id = ${delivery.jobId}`.execute(
      instance.store.database.reader,
    );
    return rows[0];
  };
  await sql`update ${BOSS_JOBS} set heartbeat_on = now() - interval '1 hour'`.execute(instance.store.database.reader);
  let activeAt = new Date(0);
  const expired = await waitUntil('the end of the lease to be noticed', async () => {
    const ticket = await read();
    if (ticket?.state === 'active') activeAt = ticket.now;
    return ticket?.state === 'retry' ? ticket : undefined;
  });
  // Workers beat every second.
  expect(Number(expired.start) - Number(activeAt)).toBeGreaterThanOrEqual(3000);
  expect(await instance.queue.renewLease(delivery)).toBe(true);
  expect((await read())?.state).toBe('active');
});

test('an empty queue is removed when it is old, and created again when it is needed', async () => {
  const [one, other] = await openInstances(2);
  if (one === undefined || other === undefined) throw new Error('There is no instance.');
  await submitOne(one, 'amy', AV1);
  await removeEmptyQueues(one.store.database.transactions, 0);
  const [delivery] = await take(other);
  if (delivery === undefined) throw new Error('No ticket was handed out.');
  await one.store.transactions.run((tx) => one.queue.remove(tx, delivery));
  await removeEmptyQueues(one.store.database.transactions, 3600);
  expect(await ourQueues(one)).toHaveLength(4);
  await removeEmptyQueues(other.store.database.transactions, 0);
  expect(await ourQueues(one)).toEqual(['conversions', 'fetch', 'light']);
  // Both know the queue from before.
  const again = [await submitOne(one, 'amy', AV1), await submitOne(other, 'amy', AV1)];
  expect((await take(other, 9)).map(({ jobId }) => jobId)).toEqual(again);
});

test('no ticket is lost if its queue is removed at the same time', async () => {
  const instances = await openInstances(2);
  const [one, other] = instances;
  if (one === undefined || other === undefined) throw new Error('There is no instance.');
  let isDone = false;
  const remove = async (): Promise<void> => {
    while (!isDone) await removeEmptyQueues(other.store.database.transactions, 0);
  };
  const removing = remove();
  const submitted: string[] = [];
  const taken: string[] = [];
  for (let round = 0; round < 60; round++) {
    submitted.push(...(await submitMany(one, 'amy', 1, AV1)));
    for (const delivery of await take(one, 5)) {
      taken.push(delivery.jobId);
      await one.store.transactions.run((tx) => one.queue.remove(tx, delivery));
    }
  }
  isDone = true;
  await removing;
  expect(taken).toEqual(submitted);
});

/** Opens the queue of a database as a service does that starts later. */
async function startLater({ store, errors }: Pick<Instance, 'store' | 'errors'>): Promise<void> {
  const queue = await bossQueue(store.database, { onError: (error) => errors.push(error) });
  onTestFinished(() => queue.close());
}

test('a service starts beside a backup', async () => {
  const [instance] = await openInstances(1);
  if (instance === undefined) throw new Error('There is no instance.');
  const backup = new Client({ connectionString: server.url(instance.database) });
  await backup.connect();
  onTestFinished(() => backup.end());
  await backup.query('begin; select count(*) from telecine_queue.job_common');
  await startLater(instance);
  const jobId = await submitOne(instance, 'amy', AV1);
  expect(await take(instance)).toMatchObject([{ jobId }]);
  await backup.query('commit');
  expect(instance.errors).toEqual([]);
});

test('a service whose role does not own the tables of pg-boss starts', async () => {
  const [owner] = await openInstances(1);
  if (owner === undefined) throw new Error('There is no instance.');
  await server.sql(
    `create role guest login;
     grant usage on schema public, telecine_queue to guest;
     grant all on all tables in schema public, telecine_queue to guest;
     grant all on all sequences in schema public, telecine_queue to guest`,
    owner.database,
  );
  const url = server.url(owner.database).replace('telecine@', 'guest@');
  const store = await openPostgres({ url, onOutage: () => {} });
  onTestFinished(() => store.close());
  const errors: unknown[] = [];
  await startLater({ store, errors });
  expect(errors).toEqual([]);
});

test('a queue whose creation is rolled back is created by the next ticket', async () => {
  const [one] = await openInstances(1);
  if (one === undefined) throw new Error('There is no instance.');
  const rollback = new Error('roll back');
  const enqueued = one.store.transactions.run(async (tx) => {
    await one.queue.enqueue(tx, [{ jobId: uuid(), clientId: 'amy', priority: 0, ...AV1 }]);
    throw rollback;
  });
  await expect(enqueued).rejects.toBe(rollback);
  const jobId = await submitOne(one, 'amy', AV1);
  expect(await take(one)).toMatchObject([{ jobId }]);
});

test('two workers that take at the same time get the tickets of all queues in turn', async () => {
  const [one, other] = await openInstances(2);
  if (one === undefined || other === undefined) throw new Error('There is no instance.');
  await submitMany(one, 'amy', 20);
  await submitMany(one, 'bob', 20, AV1);
  // The first holds the locks of its tickets until the end of its transaction.
  const got: string[] = [];
  await one.store.transactions.run(async (tx) => {
    const request = { slots: 4, perClient: 99, lanes: ['full', 'light'], has: () => true } as const;
    got.push(...(await one.queue.take(tx, request)).map(({ clientId }) => clientId));
    got.push(...(await take(other, 4)).map(({ clientId }) => clientId));
  });
  expect(got.slice(0, 4).toSorted()).toEqual(['amy', 'amy', 'bob', 'bob']);
  expect(got.slice(4).toSorted()).toEqual(['amy', 'amy', 'bob', 'bob']);
});
