import { readdir, readFile } from 'node:fs/promises';
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
