import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import type { Schema } from '../../packages/service/src/store/schema.ts';
import { GroupCommit } from '../../packages/service/src/store/sqlite/group-commit.ts';
import { readHolder } from '../../packages/service/src/store/sqlite/open.ts';
import { SqliteKysely } from '../../packages/service/src/store/sqlite/sqlite-kysely.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { testFolder } from '../support/folders.ts';

/** A database whose COMMIT fails for a reference to a missing row. `syncWal`: stands in for the flush to disk. */
async function world(
  syncWal: () => Promise<void> = async () => {},
  checkpointIfDue: () => Promise<void> | undefined = () => undefined,
) {
  const file = join(await testFolder('group'), 'group.db');
  const connection = new DatabaseSync(file);
  connection.exec(`pragma journal_mode = wal; pragma foreign_keys = on; create table notes (id integer primary key);
    create table replies (note integer references notes deferrable initially deferred)`);
  const reading = new DatabaseSync(file);
  const transactions = new GroupCommit({
    ...{ connection, writer: new SqliteKysely<Schema>(connection), syncWal, checkpointIfDue },
    holdReads: readHolder(reading),
  });
  const other = new DatabaseSync(file);
  onTestFinished(async () => {
    await transactions.close();
    for (const each of [connection, reading, other]) each.close();
  });
  const reader = new SqliteKysely<{ notes: { id: number } }>(reading, () => transactions.readable());
  return {
    close: () => transactions.close(),
    run: <T>(unit: (tx: Tx) => Promise<T>, options?: { readonly durable: boolean }) => transactions.run(unit, options),
    connection,
    /** What the reads of the store return. */
    read: async () => (await reader.selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id),
    /** What is committed. */
    notes: () =>
      other
        .prepare('select id from notes order by id')
        .all()
        .map((row) => row['id']),
    /** Changes with each transaction that another connection commits. */
    version: () => other.prepare('pragma data_version').get()?.['data_version'],
  };
}

/** A disk flush that waits until the test ends it. Each call is ended separately. */
function heldSync() {
  const calls: PromiseWithResolvers<void>[] = [];
  return {
    calls,
    sync: (): Promise<void> => {
      const call = Promise.withResolvers<void>();
      calls.push(call);
      return call.promise;
    },
  };
}

/** Records in `log` when `promise` settles, and how. */
const watch = (log: string[], name: string, promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => void log.push(`${name} resolved`),
    () => void log.push(`${name} rejected`),
  );

const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};

const note = (id: number) => async (tx: Tx) => void (await sql`insert into notes values (${id})`.execute(dbOf(tx)));
const replyTo = (id: number) => async (tx: Tx) =>
  void (await sql`insert into replies values (${id})`.execute(dbOf(tx)));

test('commits transactions that wait together in one commit', async () => {
  const { run, notes, version } = await world();
  const before = Number(version());
  await Promise.all([1, 2, 3, 4, 5].map((id) => run(note(id))));
  expect(notes()).toEqual([1, 2, 3, 4, 5]);
  expect(Number(version()) - before).toBe(1);
});

test('a failed commit rejects all transactions of its group', async () => {
  const { run, notes } = await world();
  const results = await Promise.allSettled([run(note(1)), run(replyTo(99)), run(note(2))]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(notes()).toEqual([]);
  await run(note(3));
  expect(notes()).toEqual([3]);
});

test('runs transactions one after the other, however long one takes', async () => {
  const { run } = await world();
  const steps: string[] = [];
  const slow = (name: string) => async (tx: Tx) => {
    for (const step of [1, 2, 3]) {
      steps.push(`${name}${step}`);
      await sql`select 1`.execute(dbOf(tx));
      await new Promise(setImmediate);
    }
  };
  await Promise.all([run(slow('a')), run(slow('b'))]);
  expect(steps).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
});

test('a full disk rejects the transactions that need room, and the store goes on when there is room again', async () => {
  const { run, notes, connection } = await world();
  connection.exec('create table filler (bytes blob)');
  const fill = async (tx: Tx) => void (await sql`insert into filler values (zeroblob(1000000))`.execute(dbOf(tx)));
  connection.exec('pragma max_page_count = 20');
  const [, filled] = await Promise.allSettled([run(note(1)), run(fill)]);
  expect(filled).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE', retryAfterSeconds: 30 } });
  connection.exec('pragma max_page_count = 100000');
  await run(note(2));
  expect(notes()).toContain(2);
});

test('what waits when a flush has ended is flushed while the callers of the flushed group continue', async () => {
  const { calls, sync } = heldSync();
  const { run, notes } = await world(sync);
  const seen: unknown[] = [];
  const first = run(note(1)).then(() => seen.push(notes(), calls.length));
  await vi.waitUntil(() => calls.length === 1);
  const second = run(note(2));
  calls[0]?.resolve();
  await first;
  expect(seen).toEqual([[1, 2], 2]);
  calls[1]?.resolve();
  await second;
});

test('the next group cannot fail the flushed one', async () => {
  const { calls, sync } = heldSync();
  const { run, notes } = await world(sync);
  const log: string[] = [];
  const first = watch(log, 'first', run(note(1)));
  await vi.waitUntil(() => calls.length === 1);
  const second = watch(log, 'second', run(replyTo(99)));
  calls[0]?.resolve();
  await Promise.all([first, second]);
  expect(log.toSorted()).toEqual(['first resolved', 'second rejected']);
  expect(notes()).toEqual([1]);
});

test('resolves a transaction only after its flush; those that arrive meanwhile share the next flush', async () => {
  const { calls, sync } = heldSync();
  const { run, notes, read } = await world(sync);
  const log: string[] = [];
  const first = watch(log, 'first', run(note(1)));
  await vi.waitUntil(() => calls.length === 1);
  expect(notes()).toEqual([1]);
  const others = [2, 3, 4].map((id) => watch(log, `${id}`, run(note(id))));
  await turns();
  expect(log).toEqual([]);
  expect([notes(), calls.length]).toEqual([[1], 1]);
  expect(await read()).toEqual([]);
  calls[0]?.resolve();
  await first;
  await vi.waitUntil(() => calls.length === 2);
  await turns();
  expect(log).toEqual(['first resolved']);
  expect(notes()).toEqual([1, 2, 3, 4]);
  calls[1]?.resolve();
  await Promise.all(others);
  expect([log.length, calls.length]).toEqual([4, 2]);
  expect(await read()).toEqual([1, 2, 3, 4]);
});

test('a transaction that need not be durable resolves without a flush', async () => {
  const sync = vi.fn(async () => {});
  const { run, notes } = await world(sync);
  await run(note(1), { durable: false });
  expect(notes()).toEqual([1]);
  expect(sync).not.toHaveBeenCalled();
});

test('a transaction that need not be durable resolves once reads see it, after the flush of its group', async () => {
  const { calls, sync } = heldSync();
  const { run, read } = await world(sync);
  const log: string[] = [];
  const group = [run(note(1)), run(note(2), { durable: false })].map((done, i) => watch(log, `${i + 1}`, done));
  await vi.waitUntil(() => calls.length === 1);
  await turns();
  expect([log, await read()]).toEqual([[], []]);
  calls[0]?.resolve();
  await Promise.all(group);
  expect(await read()).toEqual([1, 2]);
});

test('transactions wait for a checkpoint that is due, and those before it do not', async () => {
  const gate = Promise.withResolvers<void>();
  const { run, notes, close } = await world(undefined, () => gate.promise);
  await run(note(1));
  const log: string[] = [];
  const second = watch(log, 'second', run(note(2)));
  const closing = watch(log, 'close', close());
  await turns();
  expect([notes(), log]).toEqual([[1], []]);
  gate.resolve();
  await Promise.all([second, closing]);
  expect([notes(), log]).toEqual([
    [1, 2],
    ['second resolved', 'close resolved'],
  ]);
});

test('a checkpoint stores the transactions of a failed flush', async () => {
  const { calls, sync } = heldSync();
  const { run, read } = await world(sync);
  const first = [1, 2].map((id) => run(note(id)));
  await vi.waitUntil(() => calls.length === 1);
  calls[0]?.reject(new Error('EIO'));
  await expect(Promise.all(first)).resolves.toHaveLength(2);
  expect(await read()).toEqual([1, 2]);
});

test('a flush that no checkpoint can replace rejects its transactions and later ones until a checkpoint succeeds', async () => {
  const { calls, sync } = heldSync();
  const { run, read, connection } = await world(sync);
  connection.exec('pragma busy_timeout = 0');
  // A reader keeps checkpoints from emptying the log.
  const reader = new DatabaseSync(connection.location() ?? '');
  reader.exec('begin; select * from notes');
  const log: string[] = [];
  const first = [1, 2].map((id) => watch(log, `${id}`, run(note(id))));
  await vi.waitUntil(() => calls.length === 1);
  calls[0]?.reject(new Error('EIO'));
  await Promise.all(first);
  expect(log).toEqual(['1 rejected', '2 rejected']);
  await expect(read()).rejects.toThrow('failed to store');
  await expect(run(note(3))).rejects.toThrow('failed to store');
  await expect(run(note(3), { durable: false })).rejects.toThrow('failed to store');
  expect(calls).toHaveLength(1);
  reader.exec('commit');
  reader.close();
  // No other write triggers the recovery: the store recovers by itself.
  await vi.waitUntil(() => calls.length === 2, { timeout: 10_000 });
  calls[1]?.resolve();
  expect(await read()).toEqual([1, 2]);
});

test('a read during a flush returns at once, and shows what is on disk', async () => {
  const { calls, sync } = heldSync();
  const { run, notes, read } = await world(sync);
  const write = run(note(1));
  await vi.waitUntil(() => calls.length === 1);
  expect([notes(), await read()]).toEqual([[1], []]);
  calls[0]?.resolve();
  await write;
  expect(await read()).toEqual([1]);
});

test('a read during a flush waits for it if another process has committed meanwhile, and shows that commit', async () => {
  const { calls, sync } = heldSync();
  const { run, connection, read } = await world(sync);
  const write = run(note(1));
  await vi.waitUntil(() => calls.length === 1);
  const other = new DatabaseSync(connection.location() ?? '');
  other.exec('insert into notes values (2)');
  other.close();
  const log: string[] = [];
  const reading = read();
  const watched = watch(log, 'read', reading);
  await turns();
  expect(log).toEqual([]);
  calls[0]?.resolve();
  await Promise.all([write, watched]);
  expect(await reading).toEqual([1, 2]);
});

test('a read that waits for a flush fails with it', async () => {
  const { calls, sync } = heldSync();
  const { run, connection, read } = await world(sync);
  connection.exec('pragma busy_timeout = 0');
  const write = run(note(1));
  await vi.waitUntil(() => calls.length === 1);
  const other = new DatabaseSync(connection.location() ?? '');
  // Its open read also keeps checkpoints from emptying the log.
  other.exec('insert into notes values (2); begin; select * from notes');
  const reading = read();
  calls[0]?.reject(new Error('EIO'));
  await expect(reading).rejects.toThrow('failed to store');
  await expect(write).rejects.toThrow('failed to store');
  other.close();
});
