import { afterAll, beforeAll, expect } from 'vitest';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg', 'PostgreSQL', 'PgBouncer');

let postgres: PostgresServer;
let pooler: PgBouncer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'), { durable: true });
  pooler = await startPgBouncer(await testFolder('pgbouncer'), postgres);
});
afterAll(async () => {
  await pooler?.stop();
  await postgres?.stop();
});

test.each([
  ['polls', false],
  ['listens on a connection of its own', true],
])('services work through PgBouncer in transaction mode when each %s', async (_, listens) => {
  const database = listens ? 'listening' : 'polling';
  await postgres.sql(`create database ${database}`);
  const env = {
    TELECINE_DATABASE_URL: pooler.url(database),
    ...(listens && { TELECINE_DATABASE_LISTEN_URL: postgres.url(database) }),
  };
  const worker = await startServer({ env });
  const front = await startServer({ env, mediaRoot: worker.mediaRoot, args: ['--no-worker'] });
  await becomesReady(front.url);
  await putSmallMovie(worker.mediaRoot, 1, 'in.mp4');
  const { token } = await adminClient(worker);
  const admin = clientWithToken(front.url, token);
  const outputs = Array.from({ length: 8 }, (_, i) => `${i}.mkv`);
  const jobs = await Promise.all(outputs.map((output) => admin.accept({ input: 'in.mp4', output })));
  for (const jobId of jobs) expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
});
