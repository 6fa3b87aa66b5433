import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Tx } from '../../src/jobs/ports.ts';
import type { Schema } from '../../src/store/schema.ts';
import { SqliteKysely } from '../../src/store/sqlite-kysely.ts';
import { groupCommit } from '../../src/store/transaction/group-commit.ts';
import { inside } from '../../src/store/transaction/tx.ts';
import { testFolder } from '../support/folders.ts';

/** A database whose COMMIT can be made to fail, by a reference to nothing that is looked at only then. */
async function world() {
  const file = join(await testFolder('group'), 'group.db');
  const connection = new DatabaseSync(file);
  connection.exec(`pragma journal_mode = wal; pragma foreign_keys = on; create table notes (id integer primary key);
    create table replies (note integer references notes deferrable initially deferred)`);
  const transactions = groupCommit(connection, new SqliteKysely<Schema>(connection));
  const other = new DatabaseSync(file);
  onTestFinished(async () => {
    await transactions.close();
    connection.close();
    other.close();
  });
  return {
    run: transactions.run,
    aside: transactions.aside,
    connection,
    notes: () =>
      other
        .prepare('select id from notes order by id')
        .all()
        .map((row) => row['id']),
    /** Written by the other connection, at once: it throws where the database is locked. */
    insert: (id: number) => other.prepare('insert into notes values (?)').run(id),
    /** Changes whenever a transaction that wrote something is committed by another connection. */
    version: () => other.prepare('pragma data_version').get()?.['data_version'],
  };
}

const note = (id: number) => async (tx: Tx) => void (await sql`insert into notes values (${id})`.execute(inside(tx)));
const replyTo = (id: number) => async (tx: Tx) =>
  void (await sql`insert into replies values (${id})`.execute(inside(tx)));

test('units that wait together are committed together', async () => {
  const { run, notes, version } = await world();
  const before = Number(version());
  await Promise.all([1, 2, 3, 4, 5].map((id) => run(note(id))));
  expect(notes()).toEqual([1, 2, 3, 4, 5]);
  expect(Number(version()) - before).toBe(1);
});

test('nobody is told of success before the commit; when that fails, all of the group hear of it', async () => {
  const { run, notes } = await world();
  const results = await Promise.allSettled([run(note(1)), run(replyTo(99)), run(note(2))]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(notes()).toEqual([]);
  await run(note(3));
  expect(notes()).toEqual([3]);
});

test('units do not mix their steps, however long one takes', async () => {
  const { run } = await world();
  const steps: string[] = [];
  const slow = (name: string) => async (tx: Tx) => {
    for (const step of [1, 2, 3]) {
      steps.push(`${name}${step}`);
      await sql`select 1`.execute(inside(tx));
      await new Promise(setImmediate);
    }
  };
  await Promise.all([run(slow('a')), run(slow('b'))]);
  expect(steps).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
});

test('a full disk fails the units that met it, and the store works on when there is room', async () => {
  const { run, notes, connection } = await world();
  connection.exec('create table filler (bytes blob)');
  const fill = async (tx: Tx) => void (await sql`insert into filler values (zeroblob(1000000))`.execute(inside(tx)));
  connection.exec('pragma max_page_count = 20');
  const [, filled] = await Promise.allSettled([run(note(1)), run(fill)]);
  expect(filled).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('full') } });
  connection.exec('pragma max_page_count = 100000');
  await run(note(2));
  expect(notes()).toContain(2);
});

test('units wait for a write of another connection, and it waits for units: none sleeps on a lock', async () => {
  const { run, aside, notes, insert } = await world();
  const steps: string[] = [];
  const unit = (id: number) =>
    run(async (tx) => {
      steps.push(`unit ${id}`);
      await new Promise(setImmediate);
      await note(id)(tx);
    }).then(() => steps.push(`told ${id}`));
  const write = async () => {
    steps.push('aside');
    insert(2);
    await new Promise(setImmediate);
    steps.push('aside over');
  };
  const first = unit(1);
  await vi.waitUntil(() => steps.length > 0);
  await Promise.all([first, aside(write), unit(3)]);
  expect(steps).toEqual(['unit 1', 'told 1', 'aside', 'aside over', 'unit 3', 'told 3']);
  expect(notes()).toEqual([1, 2, 3]);
});

test('a write of another connection that fails is told to its caller alone', async () => {
  const { run, aside, notes } = await world();
  const [failed, unit] = await Promise.allSettled([aside(() => Promise.reject(new Error('It failed.'))), run(note(1))]);
  expect([failed.status, unit.status, notes()]).toEqual(['rejected', 'fulfilled', [1]]);
});
