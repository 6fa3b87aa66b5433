import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import type { JobStore } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { insertBatcher } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { bossQueue } from '../../packages/service/src/queue/boss.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { openPool } from '../../packages/service/src/store/postgres/pool.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait.ts';

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

test('a transaction rejects with the error that ended it, not with that of a statement which was sent after', async () => {
  const { store } = await open();
  const failing = store.transactions.run(async (tx) => {
    const sent = [sql`select 1 / 0`.execute(dbOf(tx)), sql`select 1`.execute(dbOf(tx))];
    await Promise.allSettled(sent);
    // As when the error of the first passes through more promises.
    await sent[1];
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});

test('a statement or transaction that fails leaves no warning in the log of PostgreSQL', async () => {
  const { store, db } = await open();
  await sql`create table words (word text primary key deferrable initially deferred)`.execute(db);
  const add = (tx: Tx, word: string) => sql`insert into words values (${word})`.execute(dbOf(tx));
  const fails = [
    () => sql`select missing from clients`.execute(db),
    () => sql.raw('begin; select 1 / 0; commit').execute(db),
    () => store.transactions.run((tx) => sql`select missing from clients`.execute(dbOf(tx))),
    // At its COMMIT.
    () => store.transactions.run((tx) => Promise.all([add(tx, 'a'), add(tx, 'a')])),
    () => store.transactions.run((tx) => Promise.allSettled([sql`select missing from clients`.execute(dbOf(tx))])),
  ];
  for (const fail of fails) await expect(fail()).rejects.toThrow();
  // Connections are given back after the error. Each later query uses all of them.
  const all = () => Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.01)`.execute(db)));
  await all();
  await server.sql("do 'begin raise log ''end of the test''; end'");
  await waitUntil('the log to arrive', async () => server.log().includes('end of the test') || undefined);
  expect(server.log()).not.toContain('WARNING');
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

/** A pool with two open connections. `events`: what it reported. */
async function openTwoConnections() {
  const events: string[] = [];
  const pool = openPool({
    url: server.url('postgres'),
    connections: 3,
    onOutage: (reason) => events.push(reason === undefined ? 'back' : 'lost'),
  });
  onTestFinished(() => pool.end());
  const connect = async () => {
    const client = await pool.connect();
    const query = async (text: string) => (await client.query<{ pid: number }>(text, [])).rows[0]?.pid;
    const pid = await query('select pg_backend_pid() as pid');
    /** Ends its session, and notices it. */
    const lose = async (): Promise<void> => {
      await server.sql(`select pg_terminate_backend(${pid}, 10000)`);
      await expect(query('select 1')).rejects.toBeInstanceOf(StoreUnavailable);
      client.release();
    };
    return { query, lose, release: () => client.release() };
  };
  return { events, connect, first: await connect(), second: await connect() };
}

test('sessions that end one after the other in one outage are reported once, although one still replies meanwhile', async () => {
  const { events, connect, first, second } = await openTwoConnections();
  await first.lose();
  await second.query('select 1');
  await second.lose();
  expect(events).toEqual(['lost']);
  const next = await connect();
  next.release();
  expect(events).toEqual(['lost', 'back']);
});

test('a connection of before an outage whose loss is noticed after its end is not reported as another outage', async () => {
  const { events, connect, first, second } = await openTwoConnections();
  await first.lose();
  (await connect()).release();
  await second.lose();
  expect(events).toEqual(['lost', 'back']);
  const next = await connect();
  await next.lose();
  expect(events, 'a second outage').toEqual(['lost', 'back', 'lost']);
});

/** Makes the server refuse writes, as a standby does, or accept them again. Open sessions notice it too. */
const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
  await server.sql(
    isReadOnly
      ? 'alter system set default_transaction_read_only = on'
      : 'alter system reset default_transaction_read_only',
  );
  await server.sql('select pg_reload_conf()');
};

test('a server that is read-only is one outage, however many reads succeed meanwhile, until it accepts writes', async () => {
  const { store, db, outages } = await open();
  onTestFinished(() => setReadOnly(false));
  await setReadOnly(true);
  await waitUntil('a write to be refused', () =>
    store.ping().then(
      () => undefined,
      () => true,
    ),
  );
  for (let i = 0; i < 20; i++) {
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailable);
    await sql`select 1`.execute(db);
  }
  expect(outages).toEqual([{ code: '25006', message: expect.stringContaining('read-only transaction') }]);
  await setReadOnly(false);
  await waitUntil('the end of the outage', async () => {
    await store.ping().catch(() => {});
    return outages.length > 1 || undefined;
  });
  await store.ping();
  expect(outages.slice(1)).toEqual([undefined]);
});

test('a connection to a server that refuses writes is closed, so that the next one finds the new primary', async () => {
  const { first, second } = await openTwoConnections();
  const { db } = await open();
  onTestFinished(() => setReadOnly(false));
  const pid = await first.query('select pg_backend_pid() as pid');
  await setReadOnly(true);
  await waitUntil('a write to be refused', () =>
    first.query('create table never (a int)').then(
      () => undefined,
      () => true,
    ),
  );
  first.release();
  second.release();
  await waitUntil('the session to end', async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(db);
    return rows.length === 0 || undefined;
  });
  expect(pid).toBeGreaterThan(0);
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
    store.transactions.run((tx) => queue.enqueue(tx, [{ jobId: uuid(), clientId: 'amy', priority: 0, ...ORDINARY }]));
  await Promise.all(Array.from({ length: 30 }, enqueue));
  expect(outages).toEqual([]);
});

test('a transaction whose statements are sent together is rolled back as a whole if one of them fails', async () => {
  const { store, db, outages } = await open();
  await sql`create table letters (letter text primary key)`.execute(db);
  const add = (tx: Tx, letter: string) => sql`insert into letters values (${letter})`.execute(dbOf(tx));
  const unit = store.transactions.run((tx) => Promise.all([add(tx, 'a'), add(tx, 'a'), add(tx, 'b')]));
  await expect(unit).rejects.toThrow('duplicate key');
  const swallowed = store.transactions.run(async (tx) => {
    await Promise.allSettled([add(tx, 'c'), add(tx, 'c')]);
  });
  await expect(swallowed, 'a unit that ignores the error').rejects.toThrow();
  const isStored = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  const leaving = store.transactions.run(async (tx) => {
    const transaction = dbOf(tx);
    late = isStored.promise.then(() => sql`insert into letters values ('late')`.execute(transaction));
    await add(tx, 'd');
  });
  await leaving;
  isStored.resolve();
  await expect(late, 'a statement after the end').rejects.toThrow('has ended');
  expect((await sql`select letter from letters`.execute(db)).rows).toEqual([{ letter: 'd' }]);
  expect(outages).toEqual([]);
});

test.for([true, false])(
  'a connection that is lost in the middle of a group of submissions rejects each of them, and the next group is stored (plain jobs: %s)',
  async (isPlain) => {
    const { store, db } = await open();
    const queue = await bossQueue(store.database, { onError: () => {} });
    onTestFinished(() => queue.close());
    let losses = 0;
    const insert: JobStore['insert'] = async (tx, jobs) => {
      if (jobs.length > 1 && losses === 0) {
        losses += 1;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(dbOf(tx));
        await Promise.all([store.jobs.insert(tx, jobs), sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)]);
      }
      await store.jobs.insert(tx, jobs);
    };
    // Plain jobs are lost too, but by one statement.
    const insertPlainJobs: typeof queue.insertPlainJobs = async (tx, jobs, createdAt) => {
      if (jobs.length > 1 && losses === 0) {
        losses += 1;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(dbOf(tx));
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      }
      await queue.insertPlainJobs?.(tx, jobs, createdAt);
    };
    const insertJob = insertBatcher({
      ...{ ...store, jobs: { ...store.jobs, insert }, now: () => new Date() },
      queue: isPlain ? { ...queue, insertPlainJobs } : { enqueue: queue.enqueue },
    });
    const group = (): Promise<PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(
        Array.from({ length: 40 }, (_, n) =>
          insertJob({ jobId: uuid(), clientId: `${isPlain} client ${n % 3}`, request: '{}', ...ORDINARY }),
        ),
      );
    const counts = async (): Promise<unknown> => {
      const pattern = `${isPlain} client %`;
      const { rows } = await sql`
      select (select count(*)::int from jobs where client_id like ${pattern}) as jobs,
             (select count(*)::int from telecine_queue.job where group_id like ${pattern}) as tickets`.execute(db);
      return rows[0];
    };
    const lost = await group();
    const reasons = lost.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(losses).toBe(1);
    expect(reasons.length).toBeGreaterThan(1);
    for (const reason of reasons) expect(reason).toBeInstanceOf(StoreUnavailable);
    expect(await counts()).toEqual({ jobs: 40 - reasons.length, tickets: 40 - reasons.length });
    for (const { status } of await group()) expect(status).toBe('fulfilled');
    expect(await counts()).toEqual({ jobs: 80 - reasons.length, tickets: 80 - reasons.length });
  },
);
