import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { openStore } from '../../packages/service/src/start/database.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { RELEASES, readReleaseData } from '../support/release-data.ts';
import { expectUpgraded, putInput, upgradeEnv } from '../support/release-data-test.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const test = needs('ffmpeg');

/** The definitions of tables, indexes and triggers. */
function schemaOf(file: string): readonly string[] {
  const db = new DatabaseSync(file);
  try {
    const rows = db.prepare('select sql from sqlite_schema where sql is not null').all() as { sql: string }[];
    return rows.map(({ sql }) => sql).toSorted();
  } finally {
    db.close();
  }
}

/** A new data folder with the database of a release. */
async function restored(sql: string): Promise<{ readonly dataDir: string; readonly file: string }> {
  const dataDir = await testFolder('release-data');
  const file = join(dataDir, 'telecine.db');
  const db = new DatabaseSync(file);
  // Tables come in the order of their names, so a row may come before the one that it refers to.
  db.exec(`begin; pragma defer_foreign_keys = on; ${sql} commit`);
  db.close();
  return { dataDir, file };
}

test.for(RELEASES)('a service goes on with the SQLite database of a killed %s', { tags: 'long' }, async (version) => {
  const receiver = await startReceiver();
  const mediaRoot = await testFolder('media');
  await putInput(mediaRoot);
  const { sql, facts } = readReleaseData(version, 'sqlite', { mediaRoot, receiver: receiver.host });
  const { dataDir } = await restored(sql);
  const server = await startServer({ dataDir, mediaRoot, env: upgradeEnv(receiver) });
  await expectUpgraded(server, facts, receiver);
});

test('a service says so, in a line without a stack, if a version before the first release has made the database', {
  tags: 'long',
}, async () => {
  const dataDir = await testFolder('old-data');
  await (await openStore({ dataDir })).close();
  const db = new DatabaseSync(join(dataDir, 'telecine.db'));
  db.exec("delete from telecine_migrations where name > '0002'");
  db.exec("update telecine_migrations set name = '0001-first-release'");
  db.close();
  const settings = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: await testFolder('media') };
  const text =
    /before the first release has made the database\. Start with a new one: set TELECINE_DATA_DIR to a new folder/;
  const { code, stdout } = await runCli(['serve'], settings);
  expect(code).toBe(1);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    msg: 'the service cannot run',
    reason: expect.stringMatching(text),
  });
  expect((await runCli(['db', 'status'], settings)).stderr).toMatch(text);
});

// After a release, raise the version before its tables change. Before it: npm run record:release-data.
test('the recorded data of this version has the tables of this version', async () => {
  expect(RELEASES).toContain(manifest.version);
  const dataDir = await testFolder('new-data');
  await mkdir(dataDir, { recursive: true });
  await (await openStore({ dataDir })).close();
  const { sql } = readReleaseData(manifest.version, 'sqlite', { mediaRoot: '/', receiver: 'host' });
  expect(schemaOf((await restored(sql)).file)).toEqual(schemaOf(join(dataDir, 'telecine.db')));
});
