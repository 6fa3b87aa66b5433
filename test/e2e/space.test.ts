import { statfsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import type { WorkerListView } from '../../packages/contract/src/wire/workers.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { serveOnSmallDisk } from '../support/small-disk.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg').concurrent;

const copy = (output: string, t: string) => ({ input: 'movie.mp4', output, parameters: { c: 'copy', t } });

const MEGABYTE = 1_000_000;

/** bubblewrap mounts the small disk. */
const onSmallDisk = needs('bubblewrap', 'linux').concurrent;

onSmallDisk(
  'no job starts on a disk that others have filled, and all are done once there is room again',
  { tags: 'long' },
  async ({ expect }) => {
    const { admin, seen } = await serveOnSmallDisk(6 * MEGABYTE, { TELECINE_MIN_FREE_DISK: '2000000' });
    const foreign = join(await seen(), 'foreign.bin');
    await writeFile(foreign, Buffer.alloc(5 * MEGABYTE));
    const jobId = await admin.accept(copy('second.mkv', '15'));
    await waitUntil('the worker to say so', async () => {
      const [worker] = (await admin.request<WorkerListView>('/api/workers')).body.workers;
      return worker?.state === 'unready' || undefined;
    });
    expect(await admin.job(jobId)).toMatchObject({ status: 'PENDING', attempt: 0 });
    await rm(foreign);
    expect(await admin.wait(jobId)).toMatchObject({
      status: 'COMPLETED',
      attempt: 1,
      outputs: [{ path: 'second.mkv' }],
    });
  },
);

onSmallDisk('a job whose output folder is read-only is attempted once', { tags: 'long' }, async ({ expect }) => {
  const folder = await testFolder('read-only');
  const mediaRoot = join(folder, 'media');
  const [output, elsewhere] = [join(mediaRoot, 'archive'), join(folder, 'elsewhere')];
  for (const path of [output, elsewhere]) await mkdir(path, { recursive: true });
  const server = await startServer({
    mediaRoot,
    launcher: ['bwrap', '--dev-bind', '/', '/', '--ro-bind', elsewhere, output],
  });
  await copyFile(samplePath('480p'), join(mediaRoot, 'movie.mp4'));
  const job = await (await adminClient(server)).run(copy('archive/a.mkv', '1'));
  expect(job).toMatchObject({ status: 'FAILED', attempt: 1, error: { code: 'STORAGE_FAULT' } });
  expect(job.error?.message).toContain('read-only');
});

onSmallDisk(
  'a job that fills the disk by itself is ended above the reserve, fails at once and leaves nothing',
  { tags: 'long' },
  async ({ expect }) => {
    const [size, reserve] = [160 * MEGABYTE, 80 * MEGABYTE];
    const { admin, seen } = await serveOnSmallDisk(size, { TELECINE_MIN_FREE_DISK: `${reserve}` });
    const root = await seen();
    let least = size;
    const watching = setInterval(() => {
      const { bavail, bsize } = statfsSync(root);
      least = Math.min(least, bavail * bsize);
    }, 10);
    const endless = {
      inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
      output: 'endless.mkv',
      // Lossless video: tens of megabytes per second.
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', qp: '0', an: '' },
    };
    const job = await admin.run(endless).finally(() => clearInterval(watching));
    expect(job).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      error: {
        code: 'NO_SPACE',
        message: expect.stringContaining('used all free disk space'),
        fix: expect.any(String),
      },
    });
    expect(least).toBeLessThan(reserve);
    expect(least).toBeGreaterThan(0);
    expect(await readdir(root)).toEqual(['.telecine', 'movie.mp4']);
    expect((await admin.run(copy('after.mkv', '1'))).status).toBe('COMPLETED');
  },
);

test('with too little free disk space the service is not ready, says why, and queues jobs without running them', async ({
  expect,
}) => {
  const { admin, server } = await sharedServer({ env: { TELECINE_MIN_FREE_DISK: '900T' } })();
  const ready = await admin.request<ReadyView>('/ready');
  expect(ready).toMatchObject({
    status: 503,
    body: {
      status: 'unavailable',
      checks: { disk: { status: 'failed', message: expect.stringMatching(/B are free/) } },
    },
  });
  expect((await admin.request('/health')).status).toBe(200);
  const jobId = await admin.accept(copy('a.mkv', '1'));
  const [worker] = (await admin.request<WorkerListView>('/api/workers')).body.workers;
  const message = expect.stringMatching(/B are free under the media root; at least .* are required/);
  expect(worker).toMatchObject({ state: 'unready', failedChecks: [{ check: 'disk', message }] });
  expect(
    await waitUntil('the metrics', async () => readinessIn(await (await fetch(`${server.url}/metrics`)).text())),
  ).toEqual(['telecine_ready{check="disk"} 0', 'telecine_workers{state="unready"} 1']);
  // Longer than the interval at which the worker looks for jobs.
  const waited = await admin.request(`/api/conversion/${jobId}`, { headers: { prefer: 'wait=2' } });
  expect(waited.body).toMatchObject({ status: 'PENDING', attempt: 0 });
});

/** The lines of metrics that tell of the disk, once there are any. */
function readinessIn(metrics: string): readonly string[] | undefined {
  const found = metrics
    .split('\n')
    .filter((line) => /^telecine_(ready{check="disk"|workers{state="unready")/.test(line))
    .toSorted();
  return found.length === 2 ? found : undefined;
}
