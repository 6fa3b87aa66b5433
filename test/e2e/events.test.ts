import { afterAll } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { adminClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { closeEvents, followEvents, type SeenEvent } from '../support/event-client.ts';
import { freePort } from '../support/free-port.ts';
import { insertClient } from '../support/insert-client.ts';
import { cancel, followingClient, is, MISSING, pauseQueue, remove, stateOf, viewAfter } from '../support/job-events.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
afterAll(closeEvents);

const client = async (name: string) => followingClient((await start()).server, name);

const toFlac = (output: string) => ({ input: 'song.mp3', output, parameters: { c: 'copy' } });
/** A conversion that is slow on any machine. */
const SLOW = {
  input: 'movie.mp4',
  output: 'slow.mkv',
  parameters: { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency', threads: '1', an: '' },
};

test('shows a job as it is, its phases and progress, and its end; then the client does not connect again', async ({
  expect,
}) => {
  const { own, media, follow } = await client('one-job');
  await media.fill((folder) => putSample(folder, '480p', 'movie.mp4'));
  const jobId = await own.accept(SLOW);
  const stream = follow(`/api/conversion/${jobId}/events`);
  const hasProgress = ({ data }: SeenEvent) => data.phase === 'CONVERTING' && (data.progress ?? 0) > 0;
  await stream.until('progress', (event) => event.type === 'progress' && hasProgress(event), 50);
  await cancel(own, jobId);
  const ended = await stream.until('ended', is('ended', jobId));
  expect(ended.data).toEqual(await own.job(jobId));
  expect(ended.data.status).toBe('CANCELLED');
  expect(await stream.failed()).toBe(204);

  const { events } = stream;
  expect(events[0]?.type).toBe('snapshot');
  expect(events.filter(is('snapshot'))).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('ended');
  const progress = events.filter(({ type }) => type === 'progress' || type === 'phase');
  expect(progress.map(({ id }) => id)).toEqual(progress.map(() => ''));
  const ids = events.filter(({ id }) => id !== '').map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test('follows all jobs of the client: created, running, completed, failed, cancelled and deleted', async ({
  expect,
}) => {
  const { own, follow } = await client('all-jobs');
  const earlier = await own.run(toFlac('earlier.mka'));
  const stream = follow();
  await stream.until('ready', is('ready'));
  expect(stream.events.map(({ type }) => type)).toEqual(['ready']);
  const good = await own.accept(toFlac('a.mka'));
  const bad = await own.accept(MISSING);
  for (const jobId of [good, bad])
    expect((await stream.until('ended', is('ended', jobId))).data).toEqual(await own.job(jobId));
  await remove(own, bad);
  await remove(own, earlier.jobId);
  await stream.until('deleted', is('deleted', earlier.jobId));
  expect(stateOf(viewAfter(stream.events).values())).toEqual(stateOf((await own.list()).jobs));
});

test('streams end when the service stops, and continue at the next one without missing an end', {
  tags: 'long',
}, async ({ expect }) => {
  const server = await startServer();
  const { own } = await followingClient(server, 'restarts');
  const before = followEvents(server.url, '/api/events', own.token);
  const ready = await before.until('ready', is('ready'));
  const jobId = await own.accept(toFlac('restart.mka'));
  await own.wait(jobId);
  before.close();
  const open = followEvents(server.url, '/api/events', own.token, { lastEventId: ready.id });
  await open.until('ended', is('ended', jobId));
  const stopped = performance.now();
  expect((await server.stop()).code).toBe(0);
  expect(performance.now() - stopped, 'it waits for no stream').toBeLessThan(15_000);
  open.close();

  const next = await startServer({ dataDir: server.dataDir, mediaRoot: server.mediaRoot });
  const after = followEvents(next.url, '/api/events', own.token, { lastEventId: ready.id });
  expect((await after.until('ended', is('ended', jobId))).data.status).toBe('COMPLETED');
});

test('the client for other programs follows jobs over a restart of the service, and one job to its end', {
  tags: 'long',
}, async ({ expect, onTestFinished }) => {
  const options = { env: { TELECINE_PORT: String(await freePort()) } };
  const server = await startServer(options);
  await pauseQueue(await adminClient(server));
  const credentials = await insertClient(server, 'program');
  const telecine = createClient(server.url, credentials);
  const seen: string[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const following = (async () => {
    for await (const { type, data } of telecine.events({ signal: stop.signal }))
      seen.push('jobId' in data ? `${type} ${data.jobId}` : type);
  })().catch((error: unknown) => error);
  const sees = (event: string) => waitUntil(event, async () => (seen.includes(event) ? true : undefined));
  await sees('ready');
  const { jobId } = await telecine.submit(MISSING);
  await sees(`created ${jobId}`);

  await server.stop();
  const next = await startServer({ ...options, dataDir: server.dataDir, mediaRoot: server.mediaRoot });
  expect(next.url).toBe(server.url);
  await telecine.cancel(jobId);
  await sees(`ended ${jobId}`);
  expect(seen.filter((event) => event.startsWith('snapshot') || event === 'reset')).toEqual([]);
  stop.abort(new Error('enough'));
  expect(await following).toMatchObject({ message: 'enough' });

  const types: string[] = [];
  for await (const { type } of telecine.events({ jobId })) types.push(type);
  expect(types).toEqual(['snapshot']);
});
