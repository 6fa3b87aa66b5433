import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { up as removeHours } from '../../packages/service/src/store/migrations/0012-polled-watches.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { SqliteKysely } from '../../packages/service/src/store/sqlite/sqlite-kysely.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { watchOf } from '../support/watch-service.ts';

const CLIENT = { clientId: 'amy', secretHash: 's', scopes: [], createdAt: '2026-11-20T10:00:00.000Z' };

test('a store keeps its content when it is opened again', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  const first = await openSqlite(file);
  await first.clients.add(CLIENT);
  await first.close();
  const second = await openSqlite(file);
  await second.ping();
  expect(await second.clients.list()).toEqual([CLIENT]);
  await second.close();
});

test("only the service's own user can read the store: its folder, the database and its side files", async () => {
  const dir = join(await testFolder('open'), 'deep', 'data');
  const file = join(dir, 'telecine.db');
  const store = await openSqlite(file);
  await store.clients.add(CLIENT);
  const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  expect(mode(dir)).toBe('700');
  expect(['', '-wal', '-shm'].map((suffix) => mode(file + suffix))).toEqual(['600', '600', '600']);
  await store.close();
});

needs('linux')('opening and closing a second store in one process releases no lock of the first', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  const first = await openSqlite(file);
  const isLocked = (): boolean =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .some((lock) => lock.includes(` READ ${process.pid} `) && lock.includes(`:${statSync(file).ino} `));
  expect(isLocked()).toBe(true);
  const second = await openSqlite(file);
  expect(isLocked()).toBe(true);
  await second.close();
  expect(isLocked()).toBe(true);
  await first.close();
});

test('opens a database to which a newer version has only added', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  await (await openSqlite(file)).close();
  const db = new DatabaseSync(file);
  db.exec("insert into telecine_migrations values ('9999-of-tomorrow', '2030-01-01T00:00:00.000Z')");
  db.exec('alter table clients add column motto text');
  db.close();
  const store = await openSqlite(file);
  await store.clients.add(CLIENT);
  expect(await store.clients.list()).toEqual([CLIENT]);
  await store.close();
});

test('a watch with hours, which an earlier version has stored, goes on without them', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  const before = await openSqlite(file);
  await before.watches.add(watchOf({ name: 'incoming' }), 5);
  await before.close();
  const db = new DatabaseSync(file);
  const hours = '{"activeHours":[{"from":"22:00","to":"06:00"}],"timeZone":"UTC"}';
  db.exec(`update watches set settings = json_patch(settings, '${hours}'), waiting_for = 'hours'`);
  await removeHours(new SqliteKysely(db));
  db.close();
  const store = await openSqlite(file);
  const [watch] = await store.watches.list({ isRunning: true });
  expect(watch).toMatchObject({ name: 'incoming', folder: 'in/', state: 'ACTIVE' });
  for (const gone of ['activeHours', 'timeZone', 'waitingFor']) expect(watch).not.toHaveProperty(gone);
  await store.close();
});

test('rejects a database that a newer version has migrated in a breaking way, and leaves it unchanged', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  await (await openSqlite(file)).close();
  const db = new DatabaseSync(file);
  db.exec("insert into telecine_migrations values ('9999-breaking-of-tomorrow', '2030-01-01T00:00:00.000Z')");
  const migrations = () => db.prepare('select * from telecine_migrations').all();
  const before = migrations();
  await expect(openSqlite(file)).rejects.toThrow(
    /newer version of telecine has migrated the database \("9999-breaking-of-tomorrow".*Start that version/,
  );
  expect(migrations()).toEqual(before);
  db.close();
});

test('rejects a file that is not a database, and leaves it unchanged', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  const text = 'These are my notes. '.repeat(100);
  writeFileSync(file, text);
  await expect(openSqlite(file)).rejects.toThrow('not a database');
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a closed store is not ready', async () => {
  const store = await openSqlite(join(await testFolder('open'), 'telecine.db'));
  await store.ping();
  await store.close();
  await expect(store.ping()).rejects.toThrow();
});

test('rejects a database of a version before the first release, and leaves it unchanged', async () => {
  const file = join(await testFolder('open'), 'telecine.db');
  await (await openSqlite(file)).close();
  const db = new DatabaseSync(file);
  db.exec("delete from telecine_migrations where name > '0002'");
  db.exec("update telecine_migrations set name = '0001-first-release'");
  const migrations = () => db.prepare('select * from telecine_migrations').all();
  const before = migrations();
  await expect(openSqlite(file)).rejects.toThrow(/before the first release has made the database.*TELECINE_DATA_DIR/);
  expect(migrations()).toEqual(before);
  // Without migrating, as `telecine db status` does: it must not say that the next start migrates this database.
  const store = await openSqlite(file, { migrates: false });
  await expect(store.migrations()).rejects.toThrow('before the first release has made the database');
  await store.close();
  db.close();
});
