import { afterAll, expect } from 'vitest';
import type {
  WatchDryRunView,
  WatchedFileListView,
  WatchListView,
  WatchView,
} from '../../packages/contract/src/wire/watch.ts';
import { type ApiClient, login } from '../support/api-client.ts';
import { closeEvents, followEvents } from '../support/event-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { waitUntil } from '../support/wait.ts';

const start = sharedServer({ env: { TELECINE_CLIENT_LIMITS: 'watches=2' } });
const test = needs('ffmpeg');
afterAll(closeEvents);

async function newClient(name: string) {
  const { server } = await start();
  const client = await login(server.url, await insertClient(server, name, { root: `clients/${name}` }));
  return { server, client, media: server.media.below(`clients/${name}`) };
}

const REQUEST = { output: 'out/{folder}{name}.m4a', parameters: { 'c:a': 'aac' } };

async function make(client: ApiClient, body: object): Promise<WatchView> {
  const reply = await client.request<WatchView>('/api/watches', {
    method: 'POST',
    body: { settleSeconds: 1, every: 1, ...body },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

const get = async (client: ApiClient, { watchId }: WatchView): Promise<WatchView> =>
  (await client.request<WatchView>(`/api/watches/${watchId}`)).body;

const filesOf = async (client: ApiClient, { watchId }: WatchView, query = ''): Promise<WatchedFileListView> =>
  (await client.request<WatchedFileListView>(`/api/watches/${watchId}/files${query}`)).body;

/** Waits until so many files of a watch have these states. */
const waitForCounts = (client: ApiClient, watch: WatchView, counts: Partial<WatchView['counts']>): Promise<WatchView> =>
  waitUntil(`the counts ${JSON.stringify(counts)}`, async () => {
    const read = await get(client, watch);
    return Object.entries(counts).every(([state, count]) => read.counts[state as keyof typeof counts] === count)
      ? read
      : undefined;
  });

test('whatever lands in a folder is converted once, and moved after proof of its output', async () => {
  const { server, client, media } = await newClient('watcher');
  await media.fill((folder) => putClip(folder, 'wav', 1, 'in/a.wav'));
  const body = { folder: '/in/', request: REQUEST, source: { moveTo: 'done/' }, name: 'incoming' };
  const dryRun = await client.request<WatchDryRunView>('/api/watches?dryRun=true', { method: 'POST', body });
  expect(dryRun.body).toMatchObject({ files: 1, rejected: 0, examples: [{ path: 'in/a.wav' }] });
  expect(dryRun.body.examples[0]?.outputs).toEqual(['out/a.m4a']);
  expect(dryRun.body.estimate?.sizeBytes).toBeGreaterThan(0);

  const watch = await make(client, body);
  expect(watch).toMatchObject({ client: 'watcher', folder: 'in/', state: 'ACTIVE', counts: { ready: 0 } });
  await media.fill((folder) => putClip(folder, 'wav', 1, 'in/take 2/b.wav'));
  await media.put('in/broken.wav', 'not a sound');
  await media.put('in/notes.txt', 'no media');
  const done = await waitForCounts(client, watch, { converted: 2, needsAttention: 1 });
  expect(done.counts).toMatchObject({ ready: 0, submitted: 0, failed: 0, skipped: 0 });
  await waitUntil('the sources to be moved', async () => {
    const { files } = await filesOf(client, watch, '?state=CONVERTED');
    return files.every(({ source }) => source === 'DONE') || undefined;
  });
  // Folders that became empty stay: they are where the next file lands.
  expect((await media.list()).filter((path) => path !== 'in/take 2')).toEqual(
    ['done/a.wav', 'done/take 2/b.wav', 'in/broken.wav', 'in/notes.txt', 'out/a.m4a', 'out/take 2/b.m4a'].toSorted(),
  );
  const { files } = await filesOf(client, watch, '?state=NEEDS_ATTENTION');
  expect(files).toMatchObject([{ path: 'in/broken.wav', failure: { code: 'INPUT_INVALID' } }]);

  // Its jobs name it, and are listed by it.
  const jobs = await client.list(`?watch=${watch.watchId}`);
  expect(jobs.jobs.every(({ watchId }) => watchId === watch.watchId)).toBe(true);
  const converted = jobs.jobs.filter(({ status }) => status === 'COMPLETED');
  expect(converted.map(({ input }) => input).toSorted()).toEqual(['in/a.wav', 'in/take 2/b.wav']);

  // The metrics count its files and its scans.
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const sampleOf = (sample: string) =>
    Number(
      metrics
        .split('\n')
        .find((line) => line.startsWith(`${sample} `))
        ?.slice(sample.length + 1),
    );
  expect(sampleOf('telecine_watched_files{state="CONVERTED"}')).toBeGreaterThanOrEqual(2);
  expect(sampleOf('telecine_watched_files{state="NEEDS_ATTENTION"}')).toBeGreaterThanOrEqual(1);
  expect(sampleOf('telecine_watch_scan_seconds_count{end="complete"}')).toBeGreaterThanOrEqual(1);

  // What failed is repaired and retried.
  await media.fill((folder) => putClip(folder, 'wav', 1, 'in/c.wav'));
  await media.remove('in/broken.wav');
  await waitForCounts(client, watch, { converted: 3 });
  const retry = await client.request(`/api/watches/${watch.watchId}/retry`, { method: 'POST', body: {} });
  expect(retry).toMatchObject({ status: 202, body: { files: 1 } });
  await waitForCounts(client, watch, { needsAttention: 0, skipped: 1 });
  expect((await client.request(`/api/watches/${watch.watchId}`, { method: 'DELETE' })).status).toBe(204);
  expect(await get(client, watch)).toMatchObject({ code: 'WATCH_NOT_FOUND' });
});

test('a paused watch takes nothing, and a resumed one takes what has landed meanwhile', { tags: 'long' }, async () => {
  const { client, media } = await newClient('pauser');
  const watch = await make(client, { folder: 'in/', request: REQUEST });
  const change = (state: string) =>
    client.request<WatchView>(`/api/watches/${watch.watchId}`, { method: 'PATCH', body: { state } });
  expect((await change('PAUSED')).body).toMatchObject({ state: 'PAUSED' });
  await media.fill((folder) => putClip(folder, 'wav', 1, 'in/a.wav'));
  expect((await get(client, watch)).counts).toMatchObject({ ready: 0, submitted: 0 });
  await change('ACTIVE');
  await waitForCounts(client, watch, { converted: 1 });
});

test('a watch that would move files to itself, or whose request is wrong, is rejected with its field', async () => {
  const { client } = await newClient('mistaken');
  const errorsOf = async (body: object) => {
    const reply = await client.request<{
      readonly errors?: readonly { readonly field: string; readonly code: string }[];
    }>('/api/watches', { method: 'POST', body });
    expect(reply.status).toBe(400);
    return reply.body.errors?.map(({ field, code }) => `${field} ${code}`);
  };
  expect(await errorsOf({ folder: 'in/', request: { output: 'out/film.mp4' } })).toEqual([
    '/request/output NO_PLACEHOLDER',
  ]);
  expect(
    await errorsOf({ folder: 'in/', request: { output: 'out/{name}.mp4' }, source: { moveTo: 'in/done/' } }),
  ).toEqual(['/source/moveTo CIRCLE']);
  expect(await errorsOf({ folder: '../in/', request: { output: 'out/{name}.mp4' } })).toEqual(['/folder OUTSIDE_ROOT']);
  expect(await errorsOf({ folder: 'in/', request: { output: 'out/{name}.mp4', parameters: { crff: '23' } } })).toEqual([
    '/request/parameters/crff UNKNOWN_OPTION',
  ]);
});

test('a client has at most so many watches, and sees only its own', async () => {
  const { client } = await newClient('limited');
  const body = { folder: 'in/', request: REQUEST };
  const watch = await make(client, body);
  await make(client, { ...body, folder: 'more/' });
  expect(await client.request('/api/watches', { method: 'POST', body })).toMatchObject({
    ...{ status: 409, body: { code: 'TOO_MANY_WATCHES' } },
  });
  const { client: other } = await newClient('stranger');
  expect(await other.request(`/api/watches/${watch.watchId}`)).toMatchObject({ status: 404 });
  expect((await other.request<WatchListView>('/api/watches')).body.watches).toEqual([]);
  expect((await client.request<WatchListView>('/api/watches')).body.watches).toHaveLength(2);
});

test('who follows all jobs is told that a watch has changed: made, a file found, paused, deleted', {
  tags: 'long',
}, async () => {
  const { server, client, media } = await newClient('follower');
  const seen = followEvents(server.url, '/api/events', client.token);
  await seen.until('ready', ({ type }) => type === 'ready');
  let count = 0;
  const told = ({ watchId }: WatchView) =>
    seen.until('an event of the watch', (event) => {
      const isNew = seen.events.indexOf(event) >= count;
      return isNew && event.type === 'watch' && (event.data as { watchId?: string }).watchId === watchId;
    });
  const watch = await make(client, { folder: 'in/', request: REQUEST });
  const path = `/api/watches/${watch.watchId}`;
  await told(watch);
  count = seen.events.length;
  await media.fill((folder) => putClip(folder, 'wav', 1, 'in/a.wav'));
  await told(watch);
  await waitForCounts(client, watch, { converted: 1 });
  count = seen.events.length;
  await client.request(path, { method: 'PATCH', body: { state: 'PAUSED' } });
  await told(watch);
  count = seen.events.length;
  await client.request(path, { method: 'DELETE' });
  await told(watch);
});
