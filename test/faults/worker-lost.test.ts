// @module-tag long
import { watch } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { needs } from '../support/needs.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { waitUntil } from '../support/wait.ts';
import { createFaultHarness, longJob, VOICE } from './fault-harness.ts';
import { temporaryFolderEnv } from './service-state.ts';
import { startKillableService } from './soak/killable-service.ts';

// The tests run concurrently, because one of them waits until a lease expires.
const test = needs('ffmpeg', 'linux').concurrent;

test('after three lost workers a published job completes, others fail with WORKER_LOST, and the next job runs', async ({
  expect,
}) => {
  const harness = await createFaultHarness();
  const two = { TELECINE_CONCURRENCY: '2' };
  const acceptor = await harness.start({}, { args: ['--no-worker'] });
  // One after the other, to fix their order in the queue.
  const lost = await acceptor.api.accept(longJob('out/lost.mp4'));
  const finished = await acceptor.api.accept({ input: VOICE, output: 'out/finished.mp4' });
  const next = await acceptor.api.accept({ input: VOICE, output: 'out/next.mp4' });
  await acceptor.server.stop();
  for (const [index, failpoint] of ['after-claim', 'after-claim', 'after-link'].entries()) {
    await harness.crash(failpoint, two);
    expect([lost, finished].map((jobId) => harness.row(jobId)?.['attempt'])).toEqual([index + 1, index + 1]);
  }
  // While "finished" is published, its slot is free and "next" may start. The last crash then costs "next" an attempt.
  const nextAttempts = Number(harness.row(next)?.['attempt']);
  expect(nextAttempts).toBeLessThanOrEqual(1);
  const published = await harness.inode('out/finished.mp4');
  const { api } = await harness.start(two);
  expect(await api.wait(lost)).toMatchObject({
    status: 'FAILED',
    attempt: 3,
    error: { code: 'WORKER_LOST', message: expect.stringContaining('3 times'), fix: expect.any(String) },
  });
  expect(await harness.inode('out/lost.mp4')).toBeUndefined();
  expect(await api.wait(finished)).toMatchObject({ status: 'COMPLETED', attempt: 3 });
  expect(await harness.inode('out/finished.mp4')).toBe(published);
  expect(await api.wait(next)).toMatchObject({ status: 'COMPLETED', attempt: nextAttempts + 1 });
  await harness.expectNoLeftovers();
});

test('a service killed while it tries its sandbox leaves only a temporary folder that the next start removes', async ({
  expect,
}) => {
  const harness = await createFaultHarness();
  const workRoot = join(harness.dataDir, 'tmp');
  await mkdir(workRoot, { recursive: true, mode: 0o700 });
  const watching = new AbortController();
  const created = new Promise<void>((resolve) =>
    watch(workRoot, { signal: watching.signal }, (_event, name) => void (name?.startsWith('tool-') && resolve())),
  );
  const service = startKillableService({ ...harness, program: inject('program'), env: temporaryFolderEnv(harness) });
  await created;
  service.kill('group');
  await Promise.allSettled([service.listening, service.gone]);
  watching.abort();
  expect(await readdir(workRoot)).not.toEqual([]);
  expect(await readdir(harness.tmpDir), 'nothing is kept in the system’s temporary folder').toEqual([]);
  await harness.start();
  expect(await readdir(workRoot)).toEqual([]);
  await harness.expectNoLeftovers();
});

test('a process that was suspended for longer than a lease keeps its jobs', async ({ expect }) => {
  const harness = await createFaultHarness();
  const { server, api } = await harness.start({ TELECINE_CONCURRENCY: '2' });
  const jobId = await api.accept(longJob('out/a.mp4'));
  await harness.waitForFfmpeg(jobId);
  // Suspend ffmpeg too, as if the machine slept.
  const pids = [server.pid, ...(await scratchProcesses(harness.mediaRoot)).map(({ pid }) => pid)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await waitUntil('the lease to expire', async () => harness.leaseEnd(jobId) < new Date() || undefined);
  // ffmpeg can stay suspended until the end of the test.
  process.kill(server.pid, 'SIGCONT');
  // Once the worker has run another job, it has polled the queue after it was resumed.
  expect(await api.run({ input: VOICE, output: 'out/b.m4a' })).toMatchObject({ status: 'COMPLETED' });
  expect(harness.row(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 1, fence: 1 });
});
