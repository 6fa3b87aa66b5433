// @module-tag long
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import type { AcceptedBatchView, BatchView } from '../../packages/contract/src/wire/batch.ts';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import type { QueueView, WorkerListView } from '../../packages/contract/src/wire/workers.ts';
import { adminFile } from '../../scripts/lib/api.ts';
import { adminClient, type ClientCredentials, sendRequest } from '../support/api-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer, type TestServer } from '../support/server.ts';

const test = needs('ffmpeg');

const QUEUED = 'The job is queued for processing.';
const PAUSED = `${QUEUED} The operator has paused the queue.`;

/** The settings with which the commands reach the service as its administrator. */
async function asAdmin({ url, dataDir }: TestServer): Promise<Readonly<Record<string, string>>> {
  const { clientId, clientSecret } = JSON.parse(await readFile(adminFile(dataDir), 'utf8')) as ClientCredentials;
  return { TELECINE_URL: url, TELECINE_CLIENT_ID: clientId, TELECINE_CLIENT_SECRET: clientSecret };
}

test('while the queue is paused, also after a restart, jobs are accepted and none starts', async () => {
  const first = await startServer();
  const { dataDir, mediaRoot } = first;
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  const pause = await runCli(['queue', 'pause'], await asAdmin(first));
  expect(pause.stdout).toMatch(/^state +paused\npaused at +\d{4}-.*Z\nslots +total \d+, used 0\n$/);
  const admin = await adminClient(first);
  const jobId = await admin.accept({ input: 'movie.mp4', output: 'movie.mkv' });
  expect(await admin.job(jobId)).toMatchObject({ status: 'PENDING', message: PAUSED });
  expect((await admin.list()).jobs).toMatchObject([{ jobId, message: PAUSED }]);
  const ready = await sendRequest<ReadyView>(first.url, '/ready');
  expect(ready).toMatchObject({ status: 200, body: { checks: { queue: { status: 'paused' } } } });
  expect(ready.body.checks['queue']?.message).toContain('paused');
  await first.stop();

  const second = await startServer({ dataDir, mediaRoot });
  const again = await adminClient(second);
  // Longer than the interval at which a worker looks for jobs.
  const waited = await again.request(`/api/conversion/${jobId}`, { headers: { prefer: 'wait=3' } });
  expect(waited.body).toMatchObject({ status: 'PENDING', message: PAUSED });
  const status = await runCli(['queue', '--json'], await asAdmin(second));
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'paused', queued: [{ lane: 'full', jobs: 1 }] });
  const resumed = await again.request<QueueView>('/api/queue/resume', { method: 'POST' });
  expect(resumed.body.state).toBe('running');
  expect(await again.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
});

test('jobs after others are accepted while the queue is paused, say both, and run in their order later', async () => {
  const server = await startServer();
  await putSmallMovie(server.mediaRoot, 1, 'movie.mp4');
  const admin = await adminClient(server);
  await admin.request('/api/queue/pause', { method: 'POST' });
  const copy = { parameters: { c: 'copy' } };
  const { body } = await admin.request<AcceptedBatchView>('/api/conversions', {
    body: {
      requests: [
        { ...copy, name: 'one', input: 'movie.mp4', output: 'one.mkv' },
        { ...copy, input: 'one.mkv', output: 'two.mkv', after: ['one'] },
      ],
    },
  });
  const [first = '', second = ''] = body.jobs.map(({ jobId }) => jobId);
  const waits = `${QUEUED} It starts when job ${first} is complete.`;
  expect(await admin.job(first)).toMatchObject({ status: 'PENDING', message: PAUSED });
  expect(await admin.job(second)).toMatchObject({
    status: 'PENDING',
    message: PAUSED.replace(QUEUED, waits),
    waitingFor: [first],
  });
  const batch = await admin.request<BatchView>(`/api/conversions/${body.batchId}`);
  expect(batch.body.jobs[0]?.message).toBe(PAUSED);
  await admin.request('/api/queue/resume', { method: 'POST' });
  expect(await admin.wait(second)).toMatchObject({ status: 'COMPLETED' });
});

test('a running job goes on while the queue is paused', async () => {
  const server = await startServer();
  await putSmallMovie(server.mediaRoot, 2, 'movie.mp4');
  const admin = await adminClient(server);
  const jobId = await admin.accept({ input: 'movie.mp4', output: 'o.mkv', parameters: { preset: 'veryslow', an: '' } });
  await admin.wait(jobId, ({ status }) => status === 'PROCESSING');
  await admin.request('/api/queue/pause', { method: 'POST' });
  expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
});

test('a thumbnail, a copy and a sound do not wait for films on all slots', async () => {
  const server = await startServer({ env: { TELECINE_CONCURRENCY: '2' } });
  // The films would run on until the end of this file.
  onTestFinished(() => void server.kill9('group'));
  await putSmallMovie(server.mediaRoot, 60, 'movie.mp4');
  const admin = await adminClient(server);
  const film = { input: 'movie.mp4', parameters: { 'c:v': 'libx264', preset: 'veryslow', s: '1280x720', an: '' } };
  // One after the other, so that the last one is the one that waits.
  const films: string[] = [];
  for (const output of ['1.mkv', '2.mkv', '3.mkv']) films.push(await admin.accept({ ...film, output }));
  for (const jobId of films.slice(0, 2)) await admin.wait(jobId, ({ phase }) => phase === 'CONVERTING');
  const light = await Promise.all([
    admin.run({ input: 'movie.mp4', output: 'movie.jpg', parameters: { 'frames:v': '1' } }),
    admin.run({ input: 'movie.mp4', output: 'copy.mkv', parameters: { c: 'copy' } }),
    admin.run({ input: 'movie.mp4', output: 'sound.mp3' }),
  ]);
  expect(light.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  const statuses = await Promise.all(films.map(async (jobId) => (await admin.job(jobId)).status));
  expect(statuses).toEqual(['PROCESSING', 'PROCESSING', 'PENDING']);
});

test('a heavy encoder counts as two ordinary ones, and measurements and sounds pass it while it waits', async () => {
  const server = await startServer({ env: { TELECINE_CONCURRENCY: '2' } });
  // The films would run on until the end of this file.
  onTestFinished(() => void server.kill9('group'));
  await putSmallMovie(server.mediaRoot, 60, 'movie.mp4');
  const admin = await adminClient(server);
  const film = { input: 'movie.mp4', parameters: { 'c:v': 'libx264', preset: 'veryslow', s: '1280x720', an: '' } };
  const first = await admin.accept({ ...film, output: '1.mkv' });
  await admin.wait(first, ({ phase }) => phase === 'CONVERTING');
  const heavy = await admin.accept({ ...film, output: '2.mkv', parameters: { ...film.parameters, 'c:v': 'libx265' } });
  // It would start, because a slot is free, if it did not wait behind the heavy one.
  const behind = await admin.accept({ ...film, output: '3.mkv' });
  const waited = await admin.request(`/api/conversion/${behind}`, { headers: { prefer: 'wait=3' } });
  expect(waited.body).toMatchObject({ status: 'PENDING', message: QUEUED });
  const mix = { inputs: ['movie.mp4', 'movie.mp4'], parameters: { filter_complex: '[0:a][1:a]amix', t: '3' } };
  expect(await admin.run({ ...mix, output: 'mix.mp3' })).toMatchObject({ status: 'COMPLETED' });
  const { body } = await admin.request<{ jobId: string }>('/api/analyze', {
    body: { input: 'movie.mp4', measure: ['black'] },
  });
  expect(await admin.wait(body.jobId)).toMatchObject({ status: 'COMPLETED' });
  // They fill the room for light jobs. The next one gets the slot that is free.
  const long = { inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '9999' } }] };
  for (const output of ['1.flac', '2.flac']) {
    const jobId = await admin.accept({ ...long, output });
    await admin.wait(jobId, ({ phase }) => phase === 'CONVERTING');
  }
  expect(await admin.run({ ...mix, output: 'again.mp3' })).toMatchObject({ status: 'COMPLETED' });
  expect(await admin.job(heavy)).toMatchObject({
    status: 'PENDING',
    message: `${QUEUED} It uses 2 slots of a worker, or all slots of a smaller worker, and starts when they are free.`,
  });
  await admin.request(`/api/conversion/${first}/cancel`, { method: 'POST' });
  await admin.wait(heavy, ({ status }) => status === 'PROCESSING');
  expect(await admin.job(behind)).toMatchObject({ status: 'PENDING' });
  await admin.request(`/api/conversion/${heavy}/cancel`, { method: 'POST' });
  await admin.wait(behind, ({ status }) => status === 'PROCESSING');
});

test('a service on SQLite is one worker, which can be drained and resumed', async () => {
  const server = await startServer();
  await putSmallMovie(server.mediaRoot, 1, 'movie.mp4');
  const settings = await asAdmin(server);
  const admin = await adminClient(server);
  const { workers } = JSON.parse((await runCli(['workers', '--json'], settings)).stdout) as WorkerListView;
  expect(workers).toMatchObject([{ pid: server.pid, state: 'running', jobs: [] }]);
  const { workerId = '' } = workers[0] ?? {};
  expect((await runCli(['workers', 'drain', workerId], settings)).stdout).toMatch(/^WORKER ID .*\n.* drained /);
  const jobId = await admin.accept({ input: 'movie.mp4', output: 'movie.mkv' });
  const waited = await admin.request(`/api/conversion/${jobId}`, { headers: { prefer: 'wait=3' } });
  expect(waited.body).toMatchObject({ status: 'PENDING' });
  expect((await runCli(['workers', 'resume', workerId], settings)).stdout).toContain(' running ');
  expect(await admin.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  const unknown = await runCli(['workers', 'drain', jobId], settings);
  expect([unknown.code === 0, unknown.stderr]).toEqual([
    false,
    expect.stringContaining(`Worker ${jobId} does not exist`),
  ]);
});
