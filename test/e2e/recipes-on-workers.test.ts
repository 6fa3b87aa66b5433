import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { adminClient } from '../support/api-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { onSqlite } from '../support/test-engines.ts';

const test = needs('ffmpeg');

const OWN = {
  ...{ version: 1, title: 'Last seconds', description: 'The end of a film.', words: ['end'], outputs: ['mp4'] },
  inputs: [{ role: 'film', description: 'A film.' }],
  arguments: { seconds: { type: 'number', min: 0, max: 600, default: 1, description: 'How long.' } },
  values: { from: 'input.duration - seconds' },
  request: { parameters: { ss: '{{from}}', 'c:v': 'libx264', preset: 'ultrafast', an: '' } },
};

const withEnd = (input: string, output: string, seconds = 1) => ({
  ...{ input, output },
  preset: { name: 'last-seconds', arguments: { seconds } },
});

test('a submission with a recipe opens no file: what the file decides is decided when the job runs', async () => {
  const server = await startServer();
  const admin = await adminClient(server);
  await server.media.fill((root) => putSmallMovie(root, 2, 'in.mp4'));
  expect((await admin.request('/api/recipes/last-seconds', { method: 'PUT', body: OWN })).status).toBe(201);

  // The input does not exist yet, and this recipe needs its length.
  const before = await admin.request<AcceptedView>('/api/conversion', { body: withEnd('later.mp4', 'later-end.mp4') });
  expect(before).toMatchObject({ status: 202, body: { warnings: [{ field: '/input', code: 'INPUT_NOT_FOUND' }] } });
  expect(await admin.wait(before.body.jobId)).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });

  // 100 seconds would begin before the start of any film of a minute, and of this one.
  const long = await admin.run(withEnd('in.mp4', 'long-end.mp4', 100));
  expect(long).toMatchObject({
    ...{ status: 'FAILED', request: withEnd('in.mp4', 'long-end.mp4', 100) },
    error: { code: 'INPUT_INVALID', message: expect.stringContaining('The recipe "last-seconds" sets "ss".') },
  });
  const rejected = await admin.request('/api/conversion?dryRun=true', { body: withEnd('in.mp4', 'b.mp4', 100) });
  expect(rejected).toMatchObject({ status: 400, body: { errors: [{ message: long.error?.message }] } });

  const job = await admin.run(withEnd('in.mp4', 'end.mp4'));
  expect(job).toMatchObject({
    ...{ status: 'COMPLETED', request: withEnd('in.mp4', 'end.mp4') },
    parameters: { ss: '1', 'c:v': 'libx264' },
    preset: { name: 'last-seconds', version: 1, arguments: { seconds: 1 } },
  });
  expect(job).not.toHaveProperty('recipe');
  expect(job.request).not.toHaveProperty('recipe');
});

test('a job keeps its recipe as it was when it was accepted, also for its retry', async () => {
  const server = await startServer();
  const admin = await adminClient(server);
  await server.media.fill((root) => putSmallMovie(root, 2, 'in.mp4'));
  await admin.request('/api/recipes/last-seconds', { method: 'PUT', body: OWN });
  await admin.request('/api/queue/pause', { method: 'POST' });
  const queued = await admin.request<AcceptedView>('/api/conversion', { body: withEnd('in.mp4', 'end.mp4') });
  const view = await admin.request<JobView>(`/api/conversion/${queued.body.jobId}`);
  expect(view.body).toMatchObject({ ...withEnd('in.mp4', 'end.mp4'), request: withEnd('in.mp4', 'end.mp4') });
  const changed = { ...OWN, version: 2, request: { parameters: { ...OWN.request.parameters, t: '0.5' } } };
  await admin.request('/api/recipes/last-seconds', { method: 'PUT', body: changed });
  await admin.request('/api/queue/resume', { method: 'POST' });
  const first = await admin.wait(queued.body.jobId);
  expect(first).toMatchObject({ status: 'COMPLETED', preset: { version: 1 }, parameters: { ss: '1' } });
  expect(first.parameters).not.toHaveProperty('t');
  await server.media.remove('end.mp4');
  const again = await admin.request<AcceptedView>(`/api/conversion/${first.jobId}/retry`, { method: 'POST' });
  expect(await admin.wait(again.body.jobId)).toMatchObject({ status: 'COMPLETED', preset: { version: 1 } });
});

onSqlite('It changes a row.', 'ffmpeg')(
  'a job that an earlier version has stored with its recipe applied runs as it is, and again',
  async () => {
    const server = await startServer();
    const admin = await adminClient(server);
    await server.media.fill((root) => putSmallMovie(root, 2, 'in.mp4'));
    await admin.request('/api/queue/pause', { method: 'POST' });
    const sent = { input: 'in.mp4', output: 'out.opus', preset: { name: 'opus-voice', arguments: { bitrate: 32 } } };
    const { body } = await admin.request<AcceptedView>('/api/conversion', { body: sent });
    const stored = {
      ...{ input: 'in.mp4', output: 'out.opus' },
      parameters: { 'c:a': 'libopus', 'b:a': '33k', vn: '' },
      preset: { name: 'opus-voice', version: 1, arguments: { bitrate: 32 }, options: ['c:a', 'vn'] },
      sent,
    };
    await server.stop();
    {
      using database = new DatabaseSync(join(server.dataDir, 'telecine.db'));
      database.prepare('update jobs set request = ? where job_id = ?').run(JSON.stringify(stored), body.jobId);
    }
    const second = await startServer({ dataDir: server.dataDir, mediaRoot: server.mediaRoot });
    const client = await adminClient(second);
    await client.request('/api/queue/resume', { method: 'POST' });
    const job = await client.wait(body.jobId);
    expect(job).toMatchObject({ status: 'COMPLETED', request: sent, parameters: stored.parameters });
    expect(job).not.toHaveProperty('warnings');
    expect(job.preset).toEqual({ name: 'opus-voice', version: 1, arguments: { bitrate: 32 } });
    await second.media.remove('out.opus');
    const again = await client.request<AcceptedView>(`/api/conversion/${body.jobId}/retry`, { method: 'POST' });
    expect(await client.wait(again.body.jobId)).toMatchObject({
      ...{ status: 'COMPLETED', request: sent, parameters: stored.parameters },
    });
  },
);
