import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { JobView } from '../../src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { decodesClean } from '../support/probe.ts';
import { minutes, openScene, VOICE } from './scene.ts';

const test = needs('ffmpeg', 'linux');

const cancel = (api: ApiClient, jobId: string) =>
  api.ask<JobView>(`/api/conversion/${jobId}/cancel`, { method: 'POST' });

test('a waiting job is cancelled at once and never starts; a running one within seconds, ffmpeg closing its file', async () => {
  const scene = await openScene();
  const { api } = await scene.start();
  const running = await api.accept(minutes('out/running.mp4'));
  const waiting = await api.accept({ input: VOICE, output: 'out/waiting.m4a' });
  // It closes a file that it has begun to fill.
  await api.wait(running, ({ progress = 0 }) => progress > 0);

  const gone = await cancel(api, waiting);
  expect(gone).toMatchObject({ status: 202, body: { status: 'CANCELLED', attempt: 0, error: { code: 'CANCELLED' } } });
  expect(gone.body.startedAt).toBeUndefined();

  expect(await cancel(api, running)).toMatchObject({
    status: 202,
    body: { status: 'PROCESSING', cancelRequestedAt: expect.any(String) },
  });
  const ended = await api.wait(running, undefined, 8);
  expect(ended).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  expect(await api.log(running)).toContain('Exiting normally, received signal 15.');
  for (const name of ['running.mp4', 'waiting.m4a']) expect(await scene.inode(`out/${name}`)).toBeUndefined();
  await scene.clean();
  for (const jobId of [waiting, running])
    expect(await cancel(api, jobId)).toMatchObject({ status: 409, body: { code: 'JOB_FINISHED' } });
});

test('a cancel that races the end leaves a whole file or none, as the job says', async () => {
  const scene = await openScene();
  const { api } = await scene.start({ TELECINE_CONCURRENCY: '2' });
  const jobs = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const jobId = await api.accept({ input: VOICE, output: `out/${i}.m4a` });
      await api.wait(jobId, ({ status }) => status !== 'PENDING');
      await delay(i * 15);
      const { status } = await cancel(api, jobId);
      expect([202, 409]).toContain(status);
      return api.wait(jobId);
    }),
  );
  for (const { status, output } of jobs) {
    expect(['COMPLETED', 'CANCELLED']).toContain(status);
    const isThere = (await scene.inode(output)) !== undefined;
    expect(isThere).toBe(status === 'COMPLETED');
    if (isThere) expect(await decodesClean(`${scene.mediaRoot}/${output}`)).toBe(true);
  }
  await scene.clean();
});

test('a cancel that was asked for outlives a crash, at the first try and at the last', async () => {
  const scene = await openScene();
  const all = { TELECINE_CONCURRENCY: '3' };
  const { server, api } = await scene.start(all);
  const jobs = await Promise.all(['a', 'b', 'c'].map((name) => api.accept(minutes(`out/${name}.mp4`))));
  await Promise.all(jobs.map((jobId) => scene.converts(jobId)));
  const [first, last, answered] = jobs.map(String);
  const { status } = await cancel(api, String(answered));
  await server.kill9('group');
  expect(status).toBe(202);
  // No service is told of it, as where the one that runs the job dies before it hears.
  const asked = "cancel_requested_at = '2026-01-01T00:00:00.000Z'";
  scene.change(`update jobs set ${asked} where job_id = '${first}'`);
  scene.change(`update jobs set ${asked}, attempt = 3 where job_id = '${last}'`);
  const next = await scene.start(all);
  for (const jobId of jobs)
    expect(await next.api.wait(jobId)).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  for (const name of ['a', 'b', 'c']) expect(await scene.inode(`out/${name}.mp4`)).toBeUndefined();
  await scene.clean();
});

test('a cancel that comes when the file is already published changes nothing', async () => {
  const scene = await openScene();
  const first = await scene.start({ TELECINE_FAILPOINT: 'after-link' });
  const jobId = await first.api.accept({ input: VOICE, output: 'out/a.m4a' });
  expect((await first.server.exited).signal).toBe('SIGKILL');
  scene.change("update jobs set cancel_requested_at = '2026-01-01T00:00:00.000Z'");
  const { api } = await scene.start();
  expect(await api.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  await scene.clean();
});
