import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { soundOf, soundSame } from '../support/sounds.ts';
import { makeWatch, watchOf } from '../support/watch-client.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

/** How often the leases of watches end. A scan is due each second while files settle. */
const LEASE_MS = 200;

test('two services that look at one folder at the same time convert each file once, also if one is killed', async () => {
  await postgres.sql('create database telecine');
  const databaseUrl = postgres.url('telecine');
  const options = { env: { TELECINE_DATABASE_URL: databaseUrl, ...NO_RATE_LIMITS } };
  const one = await startServer(options);
  const two = await startServer({ ...options, mediaRoot: one.mediaRoot });
  const credentials = await insertClient({ ...one, databaseUrl }, 'amy', { root: 'amy' });
  const media = one.media.below('amy');
  const client = await login(two.url, credentials);
  const made = await makeWatch({ server: two, client }, {});
  const watch = watchOf(two, client, made.watchId);
  // A lease only saves work: without it, both services look, compare and submit.
  let isOver = false;
  const ending = (async () => {
    for (; !isOver; await sleep(LEASE_MS)) await postgres.sql(`delete from leases where name = 'watches'`, 'telecine');
  })();
  const sounds = Array.from({ length: 24 }, (_, index) => [`${index}.wav`, soundOf(index)] as const);
  for (const [name, sound] of sounds.slice(0, 16)) await media.put(`in/${name}`, sound);
  await watch.until({ converted: 16 });
  await one.kill9('group');
  for (const [name, sound] of sounds.slice(16)) await media.put(`in/${name}`, sound);
  await watch.until({ converted: sounds.length, ready: 0, submitted: 0, failed: 0, needsAttention: 0, skipped: 0 });
  isOver = true;
  await ending;
  const { jobs } = await client.list(`?watch=${watch.watchId}&limit=100`);
  expect(jobs.map(({ input, status }) => `${input} ${status}`).toSorted()).toEqual(
    sounds.map(([name]) => `in/${name} COMPLETED`).toSorted(),
  );
  for (const [name, sound] of sounds) expect(soundSame(await media.get(`out/${name}`), sound), name).toBe(true);
});
