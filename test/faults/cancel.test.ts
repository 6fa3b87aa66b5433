import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { JobView } from '../../src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors } from '../support/probe.ts';
import { createFaultHarness, type FaultHarness, longJob, type RunningService, VOICE } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

const cancel = (api: ApiClient, jobId: string) =>
  api.request<JobView>(`/api/conversion/${jobId}/cancel`, { method: 'POST' });

/** One service for the tests that crash none. It runs one job at a time. */
let lived: Promise<readonly [FaultHarness, RunningService]> | undefined;
const life = (): Promise<readonly [FaultHarness, RunningService]> => {
  lived ??= createFaultHarness().then(async (harness) => [harness, await harness.start()]);
  return lived;
};

test('a waiting job is cancelled at once and never starts; a running one within seconds, ffmpeg closing its file', async () => {
  const [harness, { api }] = await life();
  const running = await api.accept(longJob('out/running.mp4'));
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
  for (const name of ['running.mp4', 'waiting.m4a']) expect(await harness.inode(`out/${name}`)).toBeUndefined();
  await harness.expectNoLeftovers();
  for (const jobId of [waiting, running])
    expect(await cancel(api, jobId)).toMatchObject({ status: 409, body: { code: 'JOB_FINISHED' } });
});

test('a cancel that races the end leaves a whole file or none, as the job says', async () => {
  const [harness, { api }] = await life();
  for (let i = 0; i < 12; i++) {
    const jobId = await api.accept({ input: VOICE, output: `out/${i}.m4a` });
    await api.wait(jobId, ({ status }) => status !== 'PENDING');
    await delay(i * 15);
    expect([202, 409]).toContain((await cancel(api, jobId)).status);
    const { status, output } = await api.wait(jobId);
    expect(['COMPLETED', 'CANCELLED']).toContain(status);
    const isThere = (await harness.inode(output)) !== undefined;
    expect(isThere).toBe(status === 'COMPLETED');
    if (isThere) expect(await decodesWithoutErrors(`${harness.mediaRoot}/${output}`)).toBe(true);
  }
  await harness.expectNoLeftovers();
});

test('a cancel that was asked for outlives a crash, at the first try and at the last; once the file is published it changes nothing', async () => {
  const harness = await createFaultHarness();
  const all = { TELECINE_CONCURRENCY: '3' };
  const { server, api } = await harness.start(all);
  const jobs = await Promise.all(['a', 'b', 'c'].map((name) => api.accept(longJob(`out/${name}.mp4`))));
  await Promise.all(jobs.map((jobId) => harness.waitForFfmpeg(jobId)));
  const [atFirst, atLast, answered] = jobs.map(String);
  const { status } = await cancel(api, String(answered));
  await server.kill9('group');
  expect(status).toBe(202);
  // No service is told of it, as where the one that runs the job dies before it hears.
  const asked = "cancel_requested_at = '2026-01-01T00:00:00.000Z'";
  harness.updateDatabase(`update jobs set ${asked} where job_id = '${atFirst}'`);
  harness.updateDatabase(`update jobs set ${asked}, attempt = 3 where job_id = '${atLast}'`);
  const next = await harness.start({ ...all, TELECINE_FAILPOINT: 'after-link' });
  for (const jobId of jobs)
    expect(await next.api.wait(jobId)).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  for (const name of ['a', 'b', 'c']) expect(await harness.inode(`out/${name}.mp4`)).toBeUndefined();
  await harness.expectNoLeftovers();

  const published = await next.api.accept({ input: VOICE, output: 'out/d.m4a' });
  expect((await next.server.exited).signal).toBe('SIGKILL');
  harness.updateDatabase(`update jobs set ${asked} where job_id = '${published}'`);
  const last = await harness.start();
  expect(await last.api.wait(published)).toMatchObject({ status: 'COMPLETED' });
  await harness.expectNoLeftovers();
});
