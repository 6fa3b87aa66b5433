import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import { needs } from '../support/needs.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { createFaultHarness, longJob, VOICE } from './fault-harness.ts';
import { temporaryFolderEnv } from './leftovers.ts';
import { startKillableService } from './soak/killable-service.ts';

// Side by side: one of them waits for the end of a lease.
const test = needs('ffmpeg', 'linux').concurrent;

/** Of the ticket queue. */
const LEASE_MS = 15_000;

test('lost three times: what was published by then completes, other jobs fail with WORKER_LOST, the next runs', async ({
  expect,
}) => {
  const harness = await createFaultHarness();
  const two = { TELECINE_CONCURRENCY: '2' };
  const door = await harness.start({}, { args: ['--no-worker'] });
  // One after the other: so they stand in the line.
  const lost = await door.api.accept(longJob('out/lost.mp4'));
  const finished = await door.api.accept({ input: VOICE, output: 'out/finished.m4a' });
  const next = await door.api.accept({ input: VOICE, output: 'out/next.m4a' });
  await door.server.stop();
  for (const [index, failpoint] of ['after-claim', 'after-claim', 'after-link'].entries()) {
    await harness.crash(failpoint, two);
    expect([lost, finished].map((jobId) => harness.row(jobId)?.['attempt'])).toEqual([index + 1, index + 1]);
  }
  // The slot of "finished" is free while it is published, so the last crash may cost "next" an attempt.
  const nextAttempts = Number(harness.row(next)?.['attempt']);
  expect(nextAttempts).toBeLessThanOrEqual(1);
  const published = await harness.inode('out/finished.m4a');
  const { api } = await harness.start(two);
  expect(await api.wait(lost)).toMatchObject({
    status: 'FAILED',
    attempt: 3,
    error: { code: 'WORKER_LOST', message: expect.stringContaining('3 times'), fix: expect.any(String) },
  });
  expect(await harness.inode('out/lost.mp4')).toBeUndefined();
  expect(await api.wait(finished)).toMatchObject({ status: 'COMPLETED', attempt: 3 });
  expect(await harness.inode('out/finished.m4a')).toBe(published);
  expect(await api.wait(next)).toMatchObject({ status: 'COMPLETED', attempt: nextAttempts + 1 });
  await harness.expectNoLeftovers();
});

test('killed while it asks ffmpeg what it can do, it leaves no folder that the next start does not remove', async ({
  expect,
}) => {
  const harness = await createFaultHarness();
  const victim = startKillableService({ ...harness, program: inject('program'), env: temporaryFolderEnv(harness) });
  const over = new AbortController();
  await new Promise<void>((resolve) => watch(harness.tmpDir, { signal: over.signal }, () => resolve()));
  victim.kill('group');
  await Promise.allSettled([victim.listening, victim.gone]);
  over.abort();
  expect(await readdir(harness.tmpDir)).not.toEqual([]);
  await harness.start();
  await harness.expectNoLeftovers();
});

test('a process that stood still for longer than a lease does not lose its jobs to itself', async ({ expect }) => {
  const harness = await createFaultHarness();
  const { server, api } = await harness.start({ TELECINE_CONCURRENCY: '2' });
  const jobId = await api.accept(longJob('out/a.mp4'));
  await harness.waitForFfmpeg(jobId);
  // As when the machine sleeps: its ffmpeg stands still as well.
  const pids = [server.pid, ...(await scratchProcesses(harness.mediaRoot)).map(({ pid }) => pid)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  // Nothing can be asked of it meanwhile, so nothing tells that the lease has ended but the time.
  await delay(LEASE_MS + 1000);
  // Its ffmpeg may stand still until the end.
  process.kill(server.pid, 'SIGCONT');
  // Once another was taken from the line, the line has been looked at.
  expect(await api.run({ input: VOICE, output: 'out/b.m4a' })).toMatchObject({ status: 'COMPLETED' });
  expect(harness.row(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 1, fence: 1 });
});
