import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { AcceptedBatchView, BatchView } from '../../packages/contract/src/wire/batch.ts';
import { MIGRATION_TABLE } from '../../packages/service/src/store/migrate.ts';
import { MOVED_TABLES, TABLES_LEFT_BEHIND } from '../../packages/service/src/store/move-store.ts';
import { adminClient, type ClientCredentials, clientWithToken, login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

test('telecine db move takes a one-machine installation to PostgreSQL: jobs, queue, clients and tokens', async () => {
  const server = await startServer();
  const { dataDir, mediaRoot } = server;
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  const before = await adminClient(server);
  const done = await before.run({ input: 'movie.mp4', output: 'done.mkv' });
  const added = await runCli(['client', 'add', 'amy', '--root', '.', '--json'], {
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
  });
  const amy = JSON.parse(added.stdout) as ClientCredentials;
  await server.stop();
  // Without a worker, the job is queued when the database moves.
  const idle = await startServer({ dataDir, mediaRoot, args: ['--no-worker'] });
  const queuing = clientWithToken(idle.url, before.token);
  const queued = await queuing.accept({ input: 'movie.mp4', output: 'queued.mkv' });
  const { body: batch } = await queuing.request<AcceptedBatchView>('/api/conversions', {
    body: {
      requests: [
        { name: 'first', input: 'movie.mp4', output: 'first.mkv', parameters: { c: 'copy' } },
        { name: 'last', input: 'first.mkv', output: 'last.mkv', parameters: { c: 'copy' }, after: ['first', queued] },
      ],
    },
  });

  await postgres.sql('create database telecine');
  const settings = { TELECINE_DATA_DIR: dataDir, TELECINE_DATABASE_URL: postgres.url('telecine') };
  const early = await runCli(['db', 'move'], settings);
  expect(early.code).toBe(1);
  expect(early.stderr, 'while a service runs').toContain('Stop it first');
  await idle.stop();

  const moved = await runCli(['db', 'move'], settings);
  expect(moved.stderr).toBe('');
  expect(moved.stdout).toMatch(/jobs +4\n/);
  expect(moved.stdout).toMatch(/clients +2\n/);
  expect(moved.stdout).toMatch(/job_dependencies +2\n/);
  // The one that waits has none.
  expect(moved.stdout).toMatch(/tickets +2\n/);
  const status = await runCli(['db', 'status'], settings);
  expect(status.stdout).toMatch(/^Database: PostgreSQL, 127\.0\.0\.1:\d+\/telecine\n/);
  expect(status.stdout).toContain('Jobs: 1 COMPLETED, 3 PENDING\nClients: 2\n');

  const again = await runCli(['db', 'move'], settings);
  expect(again.code).toBe(1);
  const target = `PostgreSQL, 127.0.0.1:${postgres.port}/telecine`;
  expect(again.stderr).toContain(`The SQLite database was moved to ${target}.`);
  const local = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot };
  const start = await runCli(['serve'], local);
  expect(start.code).toBe(1);
  expect(start.stdout).toContain(`moved to ${target}. Set TELECINE_DATABASE_URL`);
  expect((await runCli(['db', 'status'], local)).stdout).toContain(`\nMoved to ${target}. `);

  const after = await startServer({ dataDir, mediaRoot, env: settings });
  const admin = clientWithToken(after.url, before.token);
  expect(await admin.job(done.jobId)).toEqual(done);
  expect(await admin.log(done.jobId)).toContain('done.mkv');
  expect(await admin.wait(queued)).toMatchObject({ status: 'COMPLETED' });
  const last = await admin.wait(batch.jobs[1]?.jobId ?? '');
  expect(last).toMatchObject({ status: 'COMPLETED', batchId: batch.batchId, name: 'last' });
  expect((await admin.request<BatchView>(`/api/conversions/${batch.batchId}`)).body).toMatchObject({
    status: 'COMPLETED',
    counts: { total: 2, completed: 2 },
  });
  expect((await (await login(after.url, amy)).list()).jobs).toEqual([]);
});

test('telecine db move that fails leaves the target empty, and can be run again', async () => {
  const server = await startServer();
  const { dataDir, mediaRoot } = server;
  const jobId = await (await adminClient(server)).accept({ input: 'missing.mp4', output: 'o.mkv' });
  await server.stop();
  await postgres.sql('create database broken');
  const settings = {
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
    TELECINE_DATABASE_URL: postgres.url('broken'),
  };
  // A character that PostgreSQL stores in no text.
  const sqlite = new DatabaseSync(join(dataDir, 'telecine.db'));
  const setLlmId = (text: string) => sqlite.prepare('update jobs set request = ? where job_id = ?').run(text, jobId);
  const { request } = sqlite.prepare('select request from jobs').get() as { request: string };
  setLlmId('\0');
  const failed = await runCli(['db', 'move'], settings);
  expect(failed.code).toBe(1);
  const empty = await runCli(['db', 'status'], settings);
  expect(empty.stdout).toContain('Jobs: none\nClients: 0\n');
  setLlmId(request);
  sqlite.close();
  expect((await runCli(['db', 'move'], settings)).stdout).toMatch(/jobs +1\n/);
});

/** Starts and stops a service, so that there is a database with one queued job. Resolves to the settings of a move. */
async function installation(name: string) {
  const server = await startServer({ args: ['--no-worker'] });
  const { dataDir, mediaRoot } = server;
  const jobId = await (await adminClient(server)).accept({ input: 'missing.mp4', output: 'o.mkv' });
  await server.stop();
  await postgres.sql(`create database ${name}`);
  const local = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot };
  const sqlite = new DatabaseSync(join(dataDir, 'telecine.db'));
  onTestFinished(() => sqlite.close());
  return { jobId, sqlite, local, settings: { ...local, TELECINE_DATABASE_URL: postgres.url(name) } };
}

test('telecine db move rejects an installation with jobs that a killed service was running', async () => {
  const { sqlite, settings } = await installation('running');
  for (const change of [`status = 'PROCESSING'`, `status = 'PENDING', intent = '{}'`]) {
    sqlite.exec(`update jobs set ${change}`);
    const { code, stderr } = await runCli(['db', 'move'], settings);
    expect({ change, code }).toEqual({ change, code: 1 });
    expect(stderr).toContain('The service was killed while it ran jobs (1). Start it');
  }
  expect((await runCli(['db', 'status'], settings)).stdout).toContain('Jobs: none\nClients: 0\n');
  sqlite.exec(`update jobs set intent = null`);
  expect((await runCli(['db', 'move'], settings)).stdout).toMatch(/jobs +1\n/);
});

test('telecine db move finishes a move that ended before it marked the SQLite database', async () => {
  const { sqlite, local, settings } = await installation('unmarked');
  await runCli(['db', 'move'], settings);
  const { changes } = sqlite.prepare(`delete from telecine_migrations where name like 'moved to %'`).run();
  expect(changes).toBe(1);
  const again = await runCli(['db', 'move'], settings);
  expect(again.stderr).toBe('');
  expect(again.stdout).toContain('An earlier move copied');
  expect((await runCli(['serve'], local)).stdout).toContain('was moved to PostgreSQL');
});

test('telecine db move --undo lets services use the SQLite database again, and a second move needs an empty target', async () => {
  const { jobId, local, settings } = await installation('undone');
  expect((await runCli(['db', 'move', '--undo'], local)).stderr).toContain('was not moved');
  await runCli(['db', 'move'], settings);
  const undone = await runCli(['db', 'move', '--undo'], local);
  expect(undone.stderr).toBe('');
  const server = await startServer({ dataDir: local.TELECINE_DATA_DIR, mediaRoot: local.TELECINE_MEDIA_ROOT });
  expect(await (await adminClient(server)).wait(jobId)).toMatchObject({ status: 'FAILED' });
  await server.stop();
  expect((await runCli(['db', 'move'], settings)).stderr).toContain('has jobs already');
});

test('a database role without CREATE gets a message that says what to grant', async () => {
  await postgres.sql('create role weak login');
  await postgres.sql('create database weak');
  const folder = await testFolder('weak');
  const settings = {
    TELECINE_DATA_DIR: join(folder, 'data'),
    TELECINE_MEDIA_ROOT: join(folder, 'media'),
    TELECINE_DATABASE_URL: postgres.url('weak').replace('telecine@', 'weak@'),
  };
  const grant = 'Grant CREATE on the database and on schema public to the user.';
  const noTables = await runCli(['serve'], settings);
  expect(noTables.code).toBe(1);
  expect(noTables.stdout).toContain(`the database cannot be used: permission denied for schema public. ${grant}`);
  await postgres.sql('grant create on schema public to weak', 'weak');
  const noQueue = await runCli(['serve'], settings);
  expect(noQueue.code).toBe(1);
  expect(noQueue.stdout).toContain(`the database cannot be used: permission denied for database weak. ${grant}`);
});

test('telecine db move knows each table of PostgreSQL, and the primary key of those that it takes along', async () => {
  const { settings } = await installation('tables');
  await runCli(['db', 'move'], settings);
  const client = new Client({ connectionString: postgres.url('tables') });
  await client.connect();
  const { rows } = await client.query<{ name: string; key: string | null }>(
    `select t.table_name as name, (
       select string_agg(k.column_name, ',' order by k.ordinal_position)
       from information_schema.table_constraints c join information_schema.key_column_usage k using (constraint_name)
       where c.constraint_type = 'PRIMARY KEY' and c.table_schema = 'public' and c.table_name = t.table_name) as key
     from information_schema.tables t where t.table_schema = 'public'`,
  );
  await client.end();
  const names = rows.map(({ name }) => name).filter((name) => !name.startsWith(MIGRATION_TABLE));
  expect(names.toSorted()).toEqual(Object.keys({ ...MOVED_TABLES, ...TABLES_LEFT_BEHIND }).toSorted());
  const keys = new Map(rows.map(({ name, key }) => [name, key]));
  for (const [table, columns] of Object.entries(MOVED_TABLES))
    expect([table, keys.get(table)]).toEqual([table, `${columns}`]);
});

test('telecine db status names the database of one machine and its migrations', async () => {
  const folder = await testFolder('status');
  const settings = { TELECINE_DATA_DIR: join(folder, 'data'), TELECINE_MEDIA_ROOT: join(folder, 'media') };
  const missing = await runCli(['db', 'status'], settings);
  expect(missing.stderr).toContain('There is no database');
  expect((await runCli(['db', 'migrate'], settings)).stdout).toMatch(/^SQLite, .*telecine\.db has all \d+ migrations/);
  const status = await runCli(['db', 'status', '--json'], settings);
  const { jobs, clients, migrations } = JSON.parse(status.stdout);
  expect({ jobs, clients }).toEqual({ jobs: {}, clients: 0 });
  expect(migrations[0]).toEqual({ name: '0001-release-0.1', at: expect.any(String) });
});
