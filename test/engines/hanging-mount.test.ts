import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { mountShared } from '../support/fuse-mounts.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg', 'bubblewrap', 'FUSE mounts');

/** Finds the process that answers for a mount. */
async function processOf(mount: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words[0]?.endsWith('mergerfs') === true && words.includes(mount)) return Number(pid);
  }
  throw new Error(`No process answers for ${mount}.`);
}

test('requests for files of a mount that hangs are rejected in half a minute, and work again when it replies', {
  timeout: 180_000,
}, async () => {
  const shared = await mountShared(1);
  const mount = shared.mounts[0] ?? '';
  await putSmallMovie(shared.source, 1, 'movie.mp4');
  const server = await startServer({ mediaRoot: shared.mediaRoot, launcher: shared.launcher(0) });
  const { token } = await adminClient(server);
  const client = clientWithToken(server.url, token);
  const dryRun = () =>
    client.request('/api/conversion?dryRun=true', {
      body: { input: 'movie.mp4', output: 'o.mkv', parameters: { c: 'copy' } },
    });
  expect(await dryRun()).toMatchObject({ status: 200 });
  const pid = await processOf(mount);
  process.kill(pid, 'SIGSTOP');
  const goOn = (): void => void process.kill(pid, 'SIGCONT');
  onTestFinished(goOn);
  const hanging = { status: 503, body: { code: 'UNAVAILABLE', detail: expect.stringContaining('does not reply') } };
  const replies = await Promise.all(Array.from({ length: 8 }, dryRun));
  for (const reply of replies) expect(reply).toMatchObject(hanging);
  expect(await dryRun()).toMatchObject(hanging);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  goOn();
  await expect.poll(dryRun).toMatchObject({ status: 200 });
});

test('two disks below a local media root hang at once, and keep no job of another disk from running', {
  timeout: 300_000,
}, async () => {
  const { mounts, source, mediaRoot } = await mountShared(2);
  await putSmallMovie(source, 1, 'movie.mp4');
  await putSmallMovie(mediaRoot, 10, 'local.mp4');
  const names = mounts.map((_mount, index) => `nas${index}`);
  for (const name of names) await mkdir(join(mediaRoot, name));
  const binds = mounts.flatMap((mount, index) => ['--bind', mount, join(mediaRoot, names[index] ?? '')]);
  const server = await startServer({
    mediaRoot,
    launcher: ['bwrap', '--dev-bind', '/', '/', ...binds],
    env: { TELECINE_CONCURRENCY: '1' },
  });
  const { token } = await adminClient(server);
  const client = clientWithToken(server.url, token);
  const encode = (input: string, output: string) => ({
    ...{ input, output },
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', 'frames:v': '5', an: '' },
  });

  // The disks hang after the jobs were accepted, and before their inputs are staged.
  const [worker] = (await client.request<{ workers: { workerId: string }[] }>('/api/workers')).body.workers;
  const control = (what: string) => client.request(`/api/workers/${worker?.workerId}/${what}`, { method: 'POST' });
  expect(await control('drain')).toMatchObject({ status: 200 });
  const waiting = await Promise.all(names.map((name) => client.accept(encode(`${name}/movie.mp4`, `${name}.mkv`))));
  const local = await client.accept(encode('local.mp4', 'local.mkv'));
  const pids = await Promise.all(mounts.map(processOf));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const goOn = (): void => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(goOn);
  expect(await control('resume')).toMatchObject({ status: 200 });

  expect(await client.wait(local, undefined, 150)).toMatchObject({ status: 'COMPLETED' });
  for (const name of names)
    expect(server.log()).toContain(`The storage did not reply while reading the input \\"${name}/movie.mp4\\".`);
  const hanging = { status: 503, body: { code: 'UNAVAILABLE' } };
  const requests = names.flatMap((name) => [
    () => client.request('/api/conversion?dryRun=true', { body: encode(`${name}/movie.mp4`, 'o.mkv') }),
    () => client.request(`/api/files?prefix=${name}/`),
    () => client.request(`/api/files/${name}/movie.mp4`),
    () => client.request(`/api/files/${name}/movie.mp4`, { method: 'DELETE' }),
  ]);
  for (const request of requests) expect(await request()).toMatchObject(hanging);
  // The disks are shown in the folder that they are mounted in, and keep no other entry from being listed or found.
  const listed = async (query: string) => {
    const { body } = await client.request<{ files: { path: string }[] }>(`/api/files?${query}`);
    return body.files.map(({ path }) => path);
  };
  expect(await listed('')).toEqual(expect.arrayContaining(['local.mp4', ...names.map((name) => `${name}/`)]));
  expect(await listed('q=local')).toEqual(expect.arrayContaining(['local.mp4']));
  expect(await client.request('/api/conversion?dryRun=true', { body: encode('local.mp4', 'o.mkv') })).toMatchObject({
    status: 200,
  });
  expect(await client.run(encode('local.mp4', 'again.mkv'))).toMatchObject({ status: 'COMPLETED' });

  goOn();
  for (const jobId of waiting) expect(await client.wait(jobId, undefined, 120)).toMatchObject({ status: 'COMPLETED' });
});
