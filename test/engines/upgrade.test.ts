import { type Kysely, Kysely as KyselyOf, PostgresDialect } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { migrate } from '../../packages/service/src/store/migrate.ts';
import type { Schema } from '../../packages/service/src/store/schema.ts';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';

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
