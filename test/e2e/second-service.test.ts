// @module-tag long
import { join } from 'node:path';
import { expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg');

test('a second service on the same media root does not start, says why, and does not disturb the first', async () => {
  const server = await startServer();
  const admin = await adminClient(server);
  await putSample(server.mediaRoot, '480p', 'movie.mp4');
  const jobId = await admin.accept({
    input: 'movie.mp4',
    output: 'slow.mkv',
    parameters: { 'c:v': 'libx264', preset: 'slower', tune: 'zerolatency', threads: '1', an: '' },
  });
  await admin.wait(jobId, ({ phase, progress }) => phase === 'CONVERTING' && (progress ?? 0) > 0);
  // Paused, the conversion takes no processor time from the other services.
  const conversion = await scratchProcesses(server.mediaRoot, jobId);
  for (const { pid } of conversion) process.kill(pid, 'SIGSTOP');

  const dataDir = join(await testFolder('second'), 'data');
  const settings = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot, TELECINE_PORT: '0' };
  const second = await runCli(['serve'], settings);
  expect(second.code).toBe(1);
  expect(second.stdout).toContain(`Another telecine runs jobs of the media root ${server.mediaRoot}.`);
  expect(second.stdout).not.toContain('stack');

  const withoutWorker = await startServer({ dataDir, mediaRoot: server.mediaRoot, args: ['--no-worker'] });
  expect((await withoutWorker.stop()).code).toBe(0);
  const before = await admin.job(jobId);
  for (const { pid } of conversion) process.kill(pid, 'SIGCONT');
  const later = await admin.wait(
    jobId,
    (job) => job.status !== 'PROCESSING' || (job.progress ?? 0) > (before.progress ?? 100),
  );
  expect(later).toMatchObject({ status: 'PROCESSING', attempt: 1 });
  await admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });

  await server.stop();
  const next = await startServer({ dataDir, mediaRoot: server.mediaRoot });
  expect((await next.stop()).code).toBe(0);
});
