import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataFolder } from '../../packages/service/src/store/data-folder.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { startProgram } from '../support/child.ts';
import { testFolder } from '../support/folders.ts';

const HOLDER = join(import.meta.dirname, '../support/data-folder-holder.ts');

test('rejects a second server on one data folder, and says what to do', async () => {
  const dir = await testFolder('hold');
  const holder = startProgram(HOLDER, [dir]);
  await holder.wrote(1);
  expect(() => lockDataFolder(dir)).toThrow(`Another telecine is serving from the data folder ${dir}. Stop it first`);
});

test('a killed server leaves no lock', async () => {
  const dir = await testFolder('hold');
  const holder = startProgram(HOLDER, [dir]);
  await holder.wrote(1);
  holder.process.kill('SIGKILL');
  await holder.ended;
  expect(() => lockDataFolder(dir)()).not.toThrow();
});

test('the folder can be locked again only after it was unlocked', async () => {
  const dir = await testFolder('hold');
  const release = lockDataFolder(dir);
  expect(() => lockDataFolder(dir)).toThrow('Another telecine');
  release();
  lockDataFolder(dir)();
});

test('other commands can use the database while a server has locked the folder', async () => {
  const dir = await testFolder('hold');
  const holder = startProgram(HOLDER, [dir]);
  await holder.wrote(1);
  const store = await openSqlite(join(dir, 'telecine.db'));
  const client = { clientId: 'amy', secretHash: 's', scopes: [], createdAt: '2026-11-20T10:00:00.000Z' };
  expect(await store.clients.add(client)).toBe(true);
  await store.close();
});
