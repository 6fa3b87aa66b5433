import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { JobChange, WatchChange } from '../../packages/service/src/jobs/job-changes.ts';
import { type JobChangeFeed, openJobChangeFeed } from '../../packages/service/src/store/postgres/job-change-feed.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('PostgreSQL');

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres(await testFolder('postgres'));
});
afterAll(() => server?.stop());

const change = (jobId: string): JobChange => ({ kind: 'created', jobId, clientId: 'amy' });

/** A service's feed, and what it has received. */
async function openFeed() {
  const url = server.url('postgres');
  const store = await openPostgres({ url, onOutage: () => {} });
  const [seen, watches, outages, errors]: [string[], string[], unknown[], unknown[]] = [[], [], [], []];
  const changes: WatchChange[] = [];
  const feed = openJobChangeFeed({
    listenUrl: url,
    db: store.database.reader,
    onChange: ({ jobId }) => seen.push(jobId),
    onWatchChange: (of) => {
      watches.push(of.watchId);
      changes.push(of);
    },
    onOutage: (reason) => outages.push(reason),
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await feed.close();
    await store.close();
  });
  return { feed, seen, watches, changes, outages, errors };
}

/** Publishes until the other feed listens: a notification before that is lost. */
const reach = (from: JobChangeFeed, seen: readonly string[], jobId: string): Promise<unknown> =>
  waitUntil(`the change of ${jobId}`, async () => {
    if (!seen.includes(jobId)) from.publish(change(jobId));
    return seen.includes(jobId) || undefined;
  });

test('a change reaches other services, but not the one that published it', async () => {
  const [one, two] = [await openFeed(), await openFeed()];
  await reach(one.feed, two.seen, 'a');
  await reach(two.feed, one.seen, 'b');
  expect(one.seen).not.toContain('a');
  expect(two.seen).not.toContain('b');
});

test('a change of a watch reaches other services, many at once as one', async () => {
  const [one, two] = [await openFeed(), await openFeed()];
  await reach(one.feed, two.seen, 'a');
  for (let i = 0; i < 100; i += 1) one.feed.publishWatch({ watchId: 'w', clientId: 'amy' });
  await waitUntil('the change', async () => two.watches.length > 0 || undefined);
  await reach(one.feed, two.seen, 'b');
  expect(two.watches).toEqual(['w']);
  expect(one.watches).toEqual([]);
  expect(two.errors).toEqual([]);
});

test('a notification that is not understood is reported and ignored', async () => {
  const [one, two] = [await openFeed(), await openFeed()];
  await reach(one.feed, two.seen, 'a');
  for (const payload of ['', '{}', 'x', '{"sender":"s","changes":[{}]}'])
    await server.sql(`notify telecine_job_changes, '${payload}'`);
  await waitUntil('the reports', async () => two.errors.length >= 4 || undefined);
  await reach(one.feed, two.seen, 'b');
  expect(two.errors).toHaveLength(4);
});

test('listens again after the server was restarted, and reports the outage once', async () => {
  const [one, two] = [await openFeed(), await openFeed()];
  await reach(one.feed, two.seen, 'a');
  await server.kill();
  await waitUntil('the report', async () => two.outages.length > 0 || undefined);
  await server.start();
  await reach(one.feed, two.seen, 'b');
  expect(two.outages).toHaveLength(1);
});

test('closes at once, even if its server does not answer', async () => {
  const store = await openPostgres({ url: server.url('postgres'), onOutage: () => {} });
  // An address for documentation, which no host has: packets to it are lost.
  const listenUrl = 'postgres://telecine@192.0.2.1:5432/postgres';
  const options = { listenUrl, db: store.database.reader, onChange: () => {}, onOutage: () => {}, onError: () => {} };
  await openJobChangeFeed(options).close();
  await store.close();
  expect(await store.transactions.run(async () => 1).catch((error: Error) => error.message)).toContain('closed');
});
