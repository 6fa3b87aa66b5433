import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors } from '../support/probe.ts';
import { IS_WHOLE, sampled } from '../support/sampled.ts';
import { createFaultHarness, type FaultHarness, longJob, type RunningService, VOICE } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

const cancel = (api: ApiClient, jobId: string) =>
  api.request<JobView>(`/api/conversion/${jobId}/cancel`, { method: 'POST' });

/**
 * A long conversion of frames that are quickly encoded. Since release 7, ffmpeg encodes what waits in its queues before it
 * closes its file.
 */
const quickFrames = (output: string) => ({
  ...longJob(output),
  parameters: { 'c:v': 'mpeg4', an: '', stream_loop: '2000' },
});

/** One service for the tests that do not crash it. It runs one job at a time. */
let shared: Promise<readonly [FaultHarness, RunningService]> | undefined;
const sharedService = (): Promise<readonly [FaultHarness, RunningService]> => {
  shared ??= createFaultHarness().then(async (harness) => {
    await mkdir(join(harness.mediaRoot, 'out'), { recursive: true });
    return [harness, await harness.start()];
  });
  return shared;
};

test('a queued job is cancelled at once; a running one within seconds, and ffmpeg closes its file', async () => {
  const [harness, { api }] = await sharedService();
  const running = await api.accept(quickFrames('out/running.mp4'));
  const waiting = await api.accept({ input: VOICE, output: 'out/waiting.mp4' });
  // ffmpeg closes its file properly only once it has written to it.
  await api.wait(running, ({ progress = 0 }) => progress > 0);

  const cancelled = await cancel(api, waiting);
  expect(cancelled).toMatchObject({
    status: 202,
    body: { status: 'CANCELLED', attempt: 0, error: { code: 'CANCELLED' } },
  });
  expect(cancelled.body.startedAt).toBeUndefined();

  expect(await cancel(api, running)).toMatchObject({
    status: 202,
    body: { status: 'PROCESSING', cancelRequestedAt: expect.any(String) },
  });
  const ended = await api.wait(running, undefined, 8);
  expect(ended).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  expect(await api.log(running)).toContain('Exiting normally, received signal 15.');
  for (const name of ['running.mp4', 'waiting.mp4']) expect(await harness.inode(`out/${name}`)).toBeUndefined();
  await harness.expectNoLeftovers();
  for (const jobId of [waiting, running])
    expect(await cancel(api, jobId)).toMatchObject({ status: 409, body: { code: 'JOB_FINISHED' } });
});

/** Resolves when an entry whose name starts with `name` appears in `folder`. */
function nextEntry(folder: string, name = ''): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, entry) => {
      if (entry?.startsWith(name) !== true) return;
      watcher.close();
      resolve();
    });
  });
}

interface Submitted {
  readonly harness: FaultHarness;
  /** The output, in `out/`. */
  readonly name: string;
  readonly jobId: Promise<string>;
}

/**
 * Events in the life of a job that takes some tenths of a second. The test starts to wait for them before it submits
 * the job.
 */
const EVENTS: readonly (readonly [event: string, wait: (job: Submitted) => Promise<unknown>])[] = [
  ['it was accepted', ({ jobId }) => jobId],
  ['its scratch folder appears', ({ harness }) => nextEntry(join(harness.mediaRoot, '.telecine/jobs'))],
  ['ffmpeg opens its output', async ({ harness, jobId }) => harness.waitForFfmpeg(await jobId)],
  ['ffmpeg goes on after a pause', async ({ harness, jobId }) => (await harness.pauseFfmpeg(await jobId))()],
  ['its output appears', ({ harness, name }) => nextEntry(join(harness.mediaRoot, 'out'), name)],
];

test.for(sampled(EVENTS, 2))('a cancel when %s leaves the whole file or none, as the job says', async ([, event]) => {
  const [harness, { api }] = await sharedService();
  for (let n = 0; n < (IS_WHOLE ? 5 : 1); n++) {
    const name = `${randomUUID()}.mp4`;
    const { promise: accepted, resolve } = Promise.withResolvers<string>();
    const happened = event({ harness, name, jobId: accepted });
    const jobId = await api.accept({ input: VOICE, output: `out/${name}` });
    resolve(jobId);
    await happened;
    expect([202, 409]).toContain((await cancel(api, jobId)).status);
    const { status, output = '' } = await api.wait(jobId);
    expect(['COMPLETED', 'CANCELLED']).toContain(status);
    const isThere = (await harness.inode(output)) !== undefined;
    expect(isThere).toBe(status === 'COMPLETED');
    if (isThere) expect(await decodesWithoutErrors(`${harness.mediaRoot}/${output}`)).toBe(true);
  }
  await harness.expectNoLeftovers();
});

test('a cancel survives a crash on the first attempt and on the last; after publishing it changes nothing', {
  tags: 'long',
}, async () => {
  const harness = await createFaultHarness();
  const all = { TELECINE_CONCURRENCY: '3' };
  const { server, api } = await harness.start(all);
  const jobs = await Promise.all(['a', 'b', 'c'].map((name) => api.accept(longJob(`out/${name}.mp4`))));
  await Promise.all(jobs.map((jobId) => harness.waitForFfmpeg(jobId)));
  const [atFirst, atLast, answered] = jobs.map(String);
  const { status } = await cancel(api, String(answered));
  await server.kill9('group');
  expect(status).toBe(202);
  // Stores the request to cancel only in the database, as if the service that ran the job had died before it saw the
  // request.
  const cancelRequest = "cancel_requested_at = '2026-01-01T00:00:00.000Z'";
  harness.updateDatabase(`update jobs set ${cancelRequest} where job_id = '${atFirst}'`);
  harness.updateDatabase(`update jobs set ${cancelRequest}, attempt = 3 where job_id = '${atLast}'`);
  const next = await harness.start({ ...all, TELECINE_FAILPOINT: 'after-link' });
  for (const jobId of jobs)
    expect(await next.api.wait(jobId)).toMatchObject({ status: 'CANCELLED', error: { code: 'CANCELLED' } });
  for (const name of ['a', 'b', 'c']) expect(await harness.inode(`out/${name}.mp4`)).toBeUndefined();
  await harness.expectNoLeftovers();

  const published = await next.api.accept({ input: VOICE, output: 'out/d.mp4' });
  expect((await next.server.exited).signal).toBe('SIGKILL');
  harness.updateDatabase(`update jobs set ${cancelRequest} where job_id = '${published}'`);
  const last = await harness.start();
  expect(await last.api.wait(published)).toMatchObject({ status: 'COMPLETED' });
  await harness.expectNoLeftovers();
});
