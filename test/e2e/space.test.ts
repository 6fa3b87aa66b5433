import { join } from 'node:path';
import { expect } from 'vitest';
import { samplePath } from '../../scripts/lib/samples.ts';
import type { ReadyView } from '../../src/wire/system.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const test = needs('ffmpeg').concurrent;

const copy = (output: string, t: string) => ({ input: 'movie.mp4', output, parameters: { c: 'copy', t } });

/** bubblewrap makes the small disk. */
needs('sandbox').concurrent(
  'a disk that is full makes a job wait, and it is done once there is room again',
  async () => {
    const folder = await testFolder('small');
    const mediaRoot = join(folder, 'media');
    // A disk of three megabytes in place of the media root, seen by the service alone; the input is shown in it.
    const launcher = ['bwrap', '--dev-bind', '/', '/', '--size', '3000000', '--tmpfs', mediaRoot];
    const input = ['--ro-bind', samplePath('480p'), join(mediaRoot, 'movie.mp4')];
    const server = await startServer({
      dataDir: join(folder, 'data'),
      mediaRoot,
      launcher: [...launcher, ...input],
      env: { TELECINE_MIN_FREE_DISK: '1' },
    });
    const admin = await adminClient(server);
    const first = await admin.run(copy('first.mkv', '15'));
    expect(first.error).toBeUndefined();

    const jobId = await admin.accept(copy('second.mkv', '15'));
    const waiting = await admin.wait(jobId, ({ status, attempt }) => status !== 'PROCESSING' && attempt === 1);
    expect(waiting).toMatchObject({ status: 'PENDING', message: 'The job is queued for another try, after 1 of 3.' });
    expect(await admin.log(jobId)).toBe('');
    await admin.ask(`/api/conversion/${first.jobId}?outputs=true`, { method: 'DELETE' });
    expect(await admin.wait(jobId)).toMatchObject({
      status: 'COMPLETED',
      attempt: 2,
      outputs: [{ path: 'second.mkv' }],
    });
  },
);

test('with less free than the operator wants, the service is not ready and says so, takes jobs and lets them wait', async () => {
  const { admin } = await sharedServer({ env: { TELECINE_MIN_FREE_DISK: '900T' } })();
  const ready = await admin.ask<ReadyView>('/ready');
  expect(ready).toMatchObject({
    status: 503,
    body: {
      status: 'unavailable',
      checks: { disk: { status: 'failed', message: expect.stringMatching(/MiB are free/) } },
    },
  });
  expect((await admin.ask('/health')).status).toBe(200);
  const jobId = await admin.accept(copy('a.mkv', '1'));
  const waiting = await admin.wait(jobId, ({ attempt, status }) => attempt === 1 && status === 'PENDING');
  expect(waiting.outputs).toBeUndefined();
});
