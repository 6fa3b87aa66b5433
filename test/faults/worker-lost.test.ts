import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { needs } from '../support/needs.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { ownTemporary } from './leftovers.ts';
import { converts, minutes, openScene, VOICE } from './scene.ts';
import { startVictim } from './soak/victim.ts';

// Side by side: one of them waits for the end of a lease.
const test = needs('ffmpeg', 'linux').concurrent;

/** Of the ticket queue. */
const LEASE_MS = 15_000;

test('a job whose worker is lost three times fails with WORKER_LOST, and the next in line runs', async () => {
  const scene = await openScene();
  const door = await scene.start({}, { args: ['--no-worker'] });
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => door.api.accept({ input: VOICE, output: `out/${name}.m4a` })),
  );
  const jobs = [first, second].map(String);
  await door.server.stop();
  for (const attempt of [1, 2, 3]) {
    await scene.crash('after-claim');
    expect(jobs.map((jobId) => scene.row(jobId)?.['attempt']).sort()).toEqual([0, attempt]);
  }
  const { api } = await scene.start();
  const ended = await Promise.all(jobs.map((jobId) => api.wait(jobId)));
  const [lost, next] = ended.sort((a, b) => b.attempt - a.attempt);
  expect(lost).toMatchObject({
    status: 'FAILED',
    attempt: 3,
    error: { code: 'WORKER_LOST', message: expect.stringContaining('3 times'), fix: expect.any(String) },
  });
  expect(next).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(await scene.inode(String(lost?.output))).toBeUndefined();
  await scene.clean();
});

test('a finished file is not given up with its worker: the third loss after publishing completes', async () => {
  const scene = await openScene();
  const door = await scene.start({}, { args: ['--no-worker'] });
  const jobId = await door.api.accept({ input: VOICE, output: 'out/a.m4a' });
  await door.server.stop();
  for (const failpoint of ['after-claim', 'after-claim', 'after-link']) await scene.crash(failpoint);
  const published = await scene.inode('out/a.m4a');
  const { api } = await scene.start();
  expect(await api.wait(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 3 });
  expect(await scene.inode('out/a.m4a')).toBe(published);
  await scene.clean();
});

test('killed while it asks ffmpeg what it can do, it leaves no folder that the next start does not remove', async () => {
  const scene = await openScene();
  for (let kills = 0; kills < 3; kills++) {
    const victim = startVictim({ ...scene, env: ownTemporary(scene) });
    const over = new AbortController();
    await new Promise<void>((resolve) => watch(scene.tmpDir, { signal: over.signal }, () => resolve()));
    victim.kill('group');
    await Promise.allSettled([victim.listening, victim.gone]);
    over.abort();
  }
  expect(await readdir(scene.tmpDir)).not.toEqual([]);
  await scene.start();
  await scene.clean();
});

test('a process that stood still for longer than a lease does not lose its jobs to itself', async () => {
  const scene = await openScene();
  const { server, api } = await scene.start({ TELECINE_CONCURRENCY: '2' });
  const jobId = await api.accept(minutes('out/a.mp4'));
  await api.wait(jobId, converts);
  // As when the machine sleeps: its ffmpeg stands still as well.
  const pids = [server.pid, ...(await scratchProcesses(scene.mediaRoot)).map(({ pid }) => pid)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  // Nothing can be asked of it meanwhile, so nothing tells that the lease has ended but the time.
  await delay(LEASE_MS + 1000);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  // Once another was taken from the line, the line has been looked at.
  expect(await api.run({ input: VOICE, output: 'out/b.m4a' })).toMatchObject({ status: 'COMPLETED' });
  expect(scene.row(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 1, fence: 1 });
});
