import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import { rememberSuccess } from '../../packages/contract/src/domain/remember.ts';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { processesWith } from '../fixtures/conversion.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { onDisk } from '../support/test-engines.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');

/** A service whose ffprobe reads nothing between `hold` and `release`, as from a disk that does not answer. */
async function startSlow() {
  const folder = await testFolder('slow-sources');
  const [program, held, runs] = [join(folder, 'ffprobe'), join(folder, 'held'), join(folder, 'runs')];
  await mkdir(runs);
  const wait = `while [ -e '${held}' ]; do sleep 0.1; done`;
  const script = `#!/bin/sh\n: > '${runs}'/$$\n${wait}\nexec '${tools().ffprobePath}' "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  const env = { FFPROBE_PATH: program, TELECINE_SANDBOX: 'off', TELECINE_PROBE_TIMEOUT_SECONDS: '5' };
  const server = await startServer({ env });
  const admin = await adminClient(server);
  let known = 0;
  return {
    ...{ server, admin, program },
    put: (path: string) => server.media.fill((root) => putSmallMovie(root, 2, path)),
    hold: async () => {
      onTestFinished(() => rm(held, { force: true }));
      await writeFile(held, '');
    },
    release: () => rm(held),
    /** Returns how often ffprobe has started since the last call. */
    reads: async (): Promise<number> => {
      const before = known;
      known = (await readdir(runs)).length;
      return known - before;
    },
  };
}

const start = rememberSuccess(startSlow);

const fitted = (input: string, output: string) => ({
  ...{ input, output },
  preset: { name: 'target-size', arguments: { size: 1 } },
});

test('a submission opens no file, and its job reads it', async () => {
  const { admin, put, hold, release } = await start();
  await put('held.mp4');
  await hold();
  const accepted = await admin.request<AcceptedView>('/api/conversion', { body: fitted('held.mp4', 'held-a.mp4') });
  await release();
  expect(accepted.status).toBe(202);
  expect(await admin.wait(accepted.body.jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
});

test('a dry run whose source is slow to read says when to try again, and uses then what was read', async () => {
  const { admin, put, hold, release, reads } = await start();
  await put('slow.mp4');
  await reads();
  await hold();
  const late = await admin.request('/api/conversion?dryRun=true', { body: fitted('slow.mp4', 'a.mp4') });
  expect(late).toMatchObject({
    status: 422,
    body: { code: 'TIMEOUT', errors: [{ field: '/input', fix: expect.stringContaining('again in 5 s') }] },
  });
  expect(late.headers.get('retry-after')).toBe('5');
  await release();
  // The probe waits for the read that goes on.
  expect((await admin.request<MediaInfo>('/api/probe', { body: { input: 'slow.mp4' } })).status).toBe(200);
  await hold();
  const planned = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: fitted('slow.mp4', 'b.mp4') });
  expect(planned.body).toMatchObject({ estimate: { outputs: [{ sizeBytes: expect.anything() }] }, warnings: [] });
  expect(await reads(), 'the file was read once').toBe(1);
  await release();
});

onDisk('S3 has no times that can be set.', 'ffmpeg')(
  'a file that replaces another of the same name, size and time is read again',
  async () => {
    const { server, admin, put, reads } = await start();
    await put('replaced.mp4');
    await reads();
    const titleOf = async (): Promise<string | undefined> =>
      (await admin.request<MediaInfo>('/api/probe', { body: { input: 'replaced.mp4' } })).body.format.tags['encoder'];
    const [path, other] = [join(server.mediaRoot, 'replaced.mp4'), join(server.mediaRoot, 'other.mp4')];
    await utimes(path, 1e9, 1e9);
    const title = await titleOf();
    const bytes = await server.media.get('replaced.mp4');
    const at = bytes.lastIndexOf('Lavf');
    expect(await titleOf()).toBe(title);
    expect(await reads()).toBe(1);

    bytes.write('Wavf', at);
    await writeFile(other, bytes);
    await utimes(other, 1e9, 1e9);
    await rename(other, path);
    expect(await titleOf()).toBe(title?.replace('Lavf', 'Wavf'));

    bytes.write('Xavf', at);
    await writeFile(path, bytes);
    await utimes(path, 1e9, 1e9);
    expect(await titleOf()).toBe(title?.replace('Lavf', 'Xavf'));
    expect(await reads()).toBe(2);
  },
);

test('a job that cuts a file which another job has read does not read it again', async () => {
  const { admin, put, reads } = await start();
  await put('cut.mp4');
  await reads();
  const cut = (output: string) => ({
    ...{ input: 'cut.mp4', output, cut: { keep: [{ start: 0, end: 1 }] } },
    parameters: { preset: 'ultrafast', s: '64x36' },
  });
  expect(await admin.run(cut('cut-a.mp4'))).toMatchObject({ status: 'COMPLETED' });
  expect(await reads()).toBeGreaterThan(0);
  expect(await admin.run(cut('cut-b.mp4'))).toMatchObject({ status: 'COMPLETED' });
  expect(await reads()).toBe(0);
});

test('the client package sends a dry run again by itself, and then gets the plan', { tags: 'long' }, async () => {
  const { server, admin, put, hold, release } = await start();
  await put('patient.mp4');
  await hold();
  const statuses: number[] = [];
  const client = createClient(
    server.url,
    { accessToken: admin.token },
    {
      fetch: async (...request) => {
        const reply = await fetch(...request);
        statuses.push(reply.status);
        return reply;
      },
    },
  );
  const checked = client.dryRun(fitted('patient.mp4', 'patient-a.mp4'));
  await waitUntil('the first reply', async () => statuses[0]);
  await release();
  expect(await checked).toMatchObject({ warnings: [] });
  expect(statuses).toEqual([422, 200]);
});

test('a service that stops ends the reads that nobody waits for', { tags: 'long' }, async () => {
  const { server, admin, program, put, hold } = await startSlow();
  await put('in.mp4');
  await hold();
  expect((await admin.request('/api/probe', { body: { input: 'in.mp4' } })).status).toBe(422);
  expect(processesWith(program)).not.toEqual([]);
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect(processesWith(program)).toEqual([]);
});
