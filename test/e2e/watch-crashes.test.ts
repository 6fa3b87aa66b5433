// @module-tag long
import { join } from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import { login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { soundOf, soundSame } from '../support/sounds.ts';
import { makeWatch, watchOf } from '../support/watch-client.ts';

const test = needs('ffmpeg', 'linux');

/** Where the service is killed, each time after a restart. */
const POINTS = ['before-watch-page', 'after-watch-mark', 'after-intent', 'after-commit', 'after-watch-source'];

test('a service that is killed at each point in turn converts each file once, and moves each source', async () => {
  const folder = await testFolder('crashes');
  const folders = { dataDir: join(folder, 'data'), mediaRoot: join(folder, 'media') };
  const env = { ...NO_RATE_LIMITS, TELECINE_CONCURRENCY: '1' };
  const first = await startServer({ ...folders, env, args: ['--no-worker'] });
  const credentials = await insertClient(first, 'amy', { root: 'amy' });
  const media = first.media.below('amy');
  const amy = await login(first.url, credentials);
  const { watchId } = await makeWatch({ server: first, client: amy }, { source: { moveTo: 'done/' } });
  await first.stop();
  const sounds = new Map(['a.wav', 'b.wav', 'c.wav'].map((name, index) => [name, soundOf(index)]));
  for (const [name, sound] of sounds) await media.put(`in/${name}`, sound);
  for (const point of POINTS) {
    await crash({ ...folders, env: { ...env, TELECINE_FAILPOINT: point } });
    await endLeases(first);
  }

  const last = await startServer({ ...folders, env });
  const client = await login(last.url, credentials);
  const watch = watchOf(last, client, watchId);
  const files = await watch.wait('all files to be converted and moved', async () => {
    const all = await watch.files();
    return all.length === sounds.size && all.every(({ source }) => source === 'DONE') ? all : undefined;
  });
  expect(files.map(({ path, state }) => [path, state])).toEqual(
    [...sounds.keys()].map((name) => [`in/${name}`, 'CONVERTED']),
  );
  const { jobs } = await client.list(`?watch=${watchId}`);
  expect(jobs.map(({ input, status }) => `${input} ${status}`).toSorted()).toEqual(
    [...sounds.keys()].map((name) => `in/${name} COMPLETED`),
  );
  // On a disk, the folder that became empty stays: it is where the next file lands.
  expect((await media.list()).filter((path) => path !== 'in')).toEqual(
    [...sounds.keys()].flatMap((name) => [`done/${name}`, `out/${name}`]).toSorted(),
  );
  for (const [name, sound] of sounds) expect(soundSame(await media.get(`out/${name}`), sound), name).toBe(true);
});

/** Starts a service that kills itself. Resolves when it is dead. */
async function crash(options: Parameters<typeof startServer>[0]): Promise<void> {
  const exit = await startServer({ ...options, until: 'listening' }).then(
    ({ exited }) => exited,
    (error: unknown) => {
      if (!String(error).includes('(SIGKILL)')) throw error;
      return { signal: 'SIGKILL' };
    },
  );
  expect(exit.signal).toBe('SIGKILL');
}

/** Ends the leases that the killed service had on PostgreSQL, so that the next one need not wait until they expire. */
async function endLeases({ databaseUrl }: TestServer): Promise<void> {
  if (databaseUrl === undefined) return;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`delete from leases where name = 'watches'`);
  await client.end();
}
