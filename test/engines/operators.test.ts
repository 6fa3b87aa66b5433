import { afterAll, beforeAll, expect } from 'vitest';
import type { QueueView, WorkerListView, WorkerView } from '../../packages/contract/src/wire/workers.ts';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

/** Starts services that share a new database and a media root, each with its own client for the administrator. */
async function startServices(...args: readonly (readonly string[])[]) {
  databases += 1;
  await postgres.sql(`create database telecine${databases}`);
  const env = { TELECINE_DATABASE_URL: postgres.url(`telecine${databases}`), TELECINE_CONCURRENCY: '1' };
  const first = await startServer({ env, args: args[0] ?? [] });
  const { mediaRoot } = first;
  const { token } = await adminClient(first);
  const others = [];
  for (const more of args.slice(1)) others.push(await startServer({ env, mediaRoot, args: more }));
  await putSmallMovie(mediaRoot, 2, 'movie.mp4');
  return [first, ...others].map((server) => ({ server, admin: clientWithToken(server.url, token) }));
}

test('a queue that one service pauses is paused for all, and resumed for all', async () => {
  const [front, first, second] = await startServices(['--no-worker'], [], []);
  if (front === undefined || first === undefined || second === undefined) throw new Error('A service is missing.');
  const post = (path: string) => front.admin.request<QueueView>(path, { method: 'POST' });
  expect((await post('/api/queue/pause')).body.state).toBe('paused');
  const jobs = await Promise.all(
    Array.from({ length: 4 }, (_, n) => second.admin.accept({ input: 'movie.mp4', output: `o${n}.mkv` })),
  );
  expect((await first.admin.request<QueueView>('/api/queue')).body).toMatchObject({
    state: 'paused',
    queued: [{ lane: 'full', jobs: 4 }],
  });
  // Longer than the interval at which workers look for jobs.
  const waited = await first.admin.request(`/api/conversion/${jobs[0]}`, { headers: { prefer: 'wait=3' } });
  expect(waited.body).toMatchObject({
    status: 'PENDING',
    message: 'The job is queued for processing. The operator has paused the queue.',
  });
  expect([first, second].map(({ server }) => server.log().includes('attempt started'))).toEqual([false, false]);
  await post('/api/queue/resume');
  for (const jobId of jobs) expect(await front.admin.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
});

test('a drained worker ends its job and takes no more, until it is resumed; all services show it', async () => {
  const [first, second] = await startServices([], []);
  if (first === undefined || second === undefined) throw new Error('A service is missing.');
  await putSmallMovie(first.server.mediaRoot, 60, 'long.mp4');
  const submit = (output: string, input = 'movie.mp4') =>
    first.admin.accept({ input, output, parameters: { 'c:v': 'libx264', preset: 'veryslow', an: '' } });
  const workers = async ({ admin }: typeof first) => (await admin.request<WorkerListView>('/api/workers')).body.workers;
  const workerOf = async (pid: number) => (await workers(second)).find((worker) => worker.pid === pid);

  const long = await submit('long.mkv', 'long.mp4');
  await first.admin.wait(long, ({ phase }) => phase === 'CONVERTING');
  const busy = (await workers(first)).find(({ jobs }) => jobs.length > 0);
  expect(busy?.jobs).toMatchObject([{ jobId: long, client: 'admin', since: expect.any(String) }]);
  const { workerId, pid } = busy ?? { workerId: '', pid: 0 };
  const post = (verb: string) =>
    second.admin.request<WorkerView>(`/api/workers/${workerId}/${verb}`, { method: 'POST' });
  expect((await post('drain')).body).toMatchObject({ workerId, state: 'draining', jobs: [{ jobId: long }] });
  expect((await workers(first)).map(({ state }) => state).toSorted()).toEqual(['draining', 'running']);

  const drained = [first, second].find(({ server }) => server.pid === pid);
  const startsOf = () => drained?.server.log().match(/"attempt started"/g)?.length;
  const others = await Promise.all([1, 2, 3].map((n) => submit(`o${n}.mkv`)));
  for (const jobId of [long, ...others]) expect(await first.admin.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  expect(startsOf(), 'the other worker ran the others').toBe(1);
  expect(await workerOf(pid)).toMatchObject({ state: 'drained', jobs: [] });

  expect((await post('resume')).body).toMatchObject({ state: 'running' });
  const again = await Promise.all([1, 2, 3, 4].map((n) => submit(`again${n}.mkv`)));
  for (const jobId of again) await first.admin.wait(jobId);
  expect(startsOf()).toBeGreaterThan(1);
});

test('a worker that ends is shown as stopped, and one that is killed as lost', async () => {
  const [front, stopped, killed] = await startServices(['--no-worker'], [], []);
  if (front === undefined || stopped === undefined || killed === undefined) throw new Error('A service is missing.');
  const states = async () => {
    const { workers } = (await front.admin.request<WorkerListView>('/api/workers')).body;
    return Object.fromEntries(workers.map(({ pid, state }) => [pid, state]));
  };
  expect(await states()).toEqual({ [stopped.server.pid]: 'running', [killed.server.pid]: 'running' });
  await stopped.server.stop();
  await killed.server.kill9('group');
  expect((await states())[stopped.server.pid]).toBe('stopped');
  await waitUntil('it to be lost', async () => (await states())[killed.server.pid] === 'lost' || undefined);
});
