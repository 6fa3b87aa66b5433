// @module-tag long
import { expect } from 'vitest';
import type { WorkerListView } from '../../packages/contract/src/wire/workers.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const test = needs('sandbox');

test('a worker that has run no job has no speed, and then the speed of what it ran', { timeout: 180_000 }, async () => {
  const { server, admin } = await start();
  const workers = async () => (await admin.request<WorkerListView>('/api/workers')).body.workers;
  expect((await workers())[0]?.speeds).toBeUndefined();
  await putSample(server.mediaRoot, '480p', 'film.mp4');
  // With this preset, ten seconds are long enough by the model for any machine, and short enough beside other tests.
  const parameters = { 'c:v': 'libx264', preset: 'slow', t: '10', an: '' };
  await admin.run({ input: 'film.mp4', output: 'fast.mp4', parameters });
  await expect
    .poll(async () => (await workers())[0]?.speeds, { timeout: 30_000 })
    .toEqual([
      {
        ...{ kind: 'x264-small', name: 'x264 up to 720p', jobs: 1 },
        ...{ ratio: expect.any(Number), low: expect.any(Number), high: expect.any(Number) },
      },
    ]);
  // One job is too few for an estimate.
  const request = { input: 'film.mp4', output: 'again.mp4', parameters };
  const { body } = await admin.request('/api/conversion?dryRun=true', { method: 'POST', body: request });
  expect(body).toMatchObject({ estimate: { time: { basis: 'model', seconds: { likely: expect.any(Number) } } } });
  expect(body).not.toHaveProperty('estimate.time.jobsBefore');
});
