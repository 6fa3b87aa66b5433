import { type Kysely, Kysely as KyselyOf, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import * as outputsWithTheirJob from '../../src/store/migrations/0051-outputs-with-their-job.ts';
import type { Schema } from '../../src/store/schema.ts';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'), { durable: true });
});
afterAll(() => postgres?.stop());

/** What a later version may do while services of this one run: only add. */
const additions: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['jobs', 'clients', 'idempotency_keys', 'refresh_tokens', 'workers'])
      await db.schema
        .alterTable(table)
        .addColumn('of_tomorrow', 'text')
        .addColumn('also_of_tomorrow', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
    await db.schema.createIndex('jobs_of_tomorrow').on('jobs').column('of_tomorrow').execute();
    await db.schema
      .createTable('plans_of_tomorrow')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .execute();
  },
};

async function withDatabase(url: string, run: (db: Kysely<Schema>) => Promise<void>): Promise<void> {
  const pool = new Pool({ connectionString: url });
  // The server may end a connection before the pool has closed it.
  pool.on('error', () => {});
  const db = new KyselyOf<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await run(db);
  } finally {
    await db.destroy();
  }
}

const migrateAs = (url: string, later: Readonly<Record<string, Migration>>): Promise<void> =>
  withDatabase(url, (db) => migrate(db, later));

test('services of this version work while a newer one migrates the database, and start afterwards', async () => {
  await postgres.sql('create database additions');
  const url = postgres.url('additions');
  const env = { TELECINE_DATABASE_URL: url, TELECINE_CONCURRENCY: '2' };
  const service = await startServer({ env });
  await putSmallMovie(service.mediaRoot, 1, 'in.mp4');
  const admin = await adminClient(service);
  let migrated = false;
  const migrating = migrateAs(url, { '9999-of-tomorrow': additions }).then(() => {
    migrated = true;
  });
  const jobs: string[] = [];
  do jobs.push(await admin.accept({ input: 'in.mp4', output: `${jobs.length}.mkv` }));
  while (!migrated || jobs.length < 5);
  await migrating;
  for (const jobId of jobs) expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  const next = await startServer({ env, mediaRoot: service.mediaRoot });
  expect(await clientWithToken(next.url, admin.token).run({ input: 'in.mp4', output: 'after.mkv' })).toMatchObject({
    status: 'COMPLETED',
  });
});

test('services of this version do not start on a database that a newer one has changed in a breaking way', async () => {
  await postgres.sql('create database breaking');
  const url = postgres.url('breaking');
  await migrateAs(url, { '9999-breaking-of-tomorrow': additions });
  await expect(startServer({ env: { TELECINE_DATABASE_URL: url } })).rejects.toThrow(
    /A newer version of telecine has migrated the database/,
  );
});

test.for([
  ['jobs', 'job_outputs'],
  ['job_outputs', 'jobs'],
])('outputs get their foreign key while a service of the previous version deletes a job: %j', async (order) => {
  const name = `outputs_of_${order[0]}`;
  await postgres.sql(`create database ${name}`);
  await withDatabase(postgres.url(name), async (db) => {
    await migrate(db);
    // As `0046-job-outputs` has made it. The job "gone" was deleted before.
    await postgres.sql(
      `drop table job_outputs;
       create table job_outputs (job_id text not null, first integer not null, outputs text not null,
         constraint job_outputs_pk primary key (job_id, first));
       insert into jobs (job_id, client_id, status, request, attempt, created_at, turn)
         select id, 'amy', 'COMPLETED', '{}', 1, '2026-11-20T10:00:00.000Z', 1 from unnest(array['kept', 'deleted']) id;
       insert into job_outputs select id, 100, '[]' from unnest(array['kept', 'deleted', 'gone']) id`,
      name,
    );
    let isMigrated = false;
    let migrating: Promise<void> | undefined;
    await db.transaction().execute(async (service) => {
      const deleteFrom = (table = '') => sql`delete from ${sql.table(table)} where job_id = 'deleted'`.execute(service);
      await deleteFrom(order[0]);
      migrating = db
        .transaction()
        .execute((tx) => outputsWithTheirJob.up(tx as Kysely<Schema> as unknown as Kysely<unknown>))
        .finally(() => {
          isMigrated = true;
        });
      await waitUntil('the migration to want its locks', async () => {
        const { rows } = await sql`select from pg_stat_activity where datname = ${name} and state = 'active'
          and query ~* '^(do|create|drop) ' and wait_event_type is not null`.execute(db);
        return rows.length > 0 || isMigrated || undefined;
      });
      await deleteFrom(order[1]);
    });
    await migrating;
    const left = async () => (await sql<{ id: string }>`select job_id as id from job_outputs`.execute(db)).rows;
    expect(await left()).toEqual([{ id: 'kept' }]);
    await sql`delete from jobs where job_id = 'kept'`.execute(db);
    expect(await left()).toEqual([]);
  });
});
