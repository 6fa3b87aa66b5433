import { expect } from 'vitest';
import type { ReadyView } from '../../src/wire/system.ts';
import { ask } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { until } from '../support/wait.ts';
import { type Life, minutes, openScene, short, VOICE } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

/** Resolves when the service says that it no longer takes jobs. */
const notReady = ({ server }: Life) =>
  until('readiness to fail', async () => {
    const { status } = await ask<ReadyView>(server.url, '/ready');
    return status === 503 ? true : undefined;
  });

test('SIGTERM: not ready but still answering, nothing new is begun, and what runs may end', async () => {
  const scene = await openScene();
  const life = await scene.start({ TELECINE_DRAIN_SECONDS: '60' });
  const { server, api } = life;
  const running = await api.accept(short('out/running.mp4'));
  const waiting = await api.accept({ input: VOICE, output: 'out/waiting.m4a' });
  const goOn = await scene.holds(running);
  server.child.kill('SIGTERM');
  await notReady(life);
  expect(await api.job(running)).toMatchObject({ status: 'PROCESSING', attempt: 1 });
  const late = await api.accept({ input: VOICE, output: 'out/late.m4a' });
  goOn();
  expect(await server.exited).toEqual({ code: 0, signal: null });

  expect(scene.row(running)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  for (const jobId of [waiting, late])
    expect(scene.row(jobId)).toMatchObject({ status: 'PENDING', attempt: 0, fence: 0 });
});

test('what still runs when the time is up goes back into the line with its try given back; Ctrl-C lets it end', async () => {
  const scene = await openScene();
  const { server, api } = await scene.start({ TELECINE_DRAIN_SECONDS: '0' });
  const jobId = await api.accept(short('out/a.mp4'));
  await scene.converts(jobId);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(scene.row(jobId)).toMatchObject({ status: 'PENDING', attempt: 0, fence: 1, phase: null });
  expect(await scratchProcesses(scene.mediaRoot)).toEqual([]);
  expect(await scene.inode('out/a.mp4')).toBeUndefined();

  // A terminal sends it to the whole process group.
  const next = await scene.start({ TELECINE_DRAIN_SECONDS: '60' });
  const goOn = await scene.holds(jobId, 2);
  process.kill(-next.server.pid, 'SIGINT');
  await notReady(next);
  goOn();
  expect(await next.server.exited).toEqual({ code: 0, signal: null });
  expect(scene.row(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  await scene.clean();
});

test('a second SIGTERM ends it at once, with its ffmpeg', async () => {
  const scene = await openScene();
  const life = await scene.start({ TELECINE_DRAIN_SECONDS: '600' });
  const { server, api } = life;
  const jobId = await api.accept(minutes('out/a.mp4'));
  await scene.converts(jobId);
  server.child.kill('SIGTERM');
  await notReady(life);
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 1, signal: null });
  await until('ffmpeg to be gone', async () =>
    (await scratchProcesses(scene.mediaRoot)).length === 0 ? true : undefined,
  );
  expect(scene.row(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 1 });
});

/** The end of one process of a job may be the end of the next one. */
function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test.for(['auto', 'off'])('a service manager that ends ffmpeg too costs no try (sandbox %s)', async (sandbox) => {
  const scene = await openScene();
  const life = await scene.start({ TELECINE_DRAIN_SECONDS: '60', TELECINE_SANDBOX: sandbox });
  const { server, api } = life;
  const jobId = await api.accept(minutes('out/a.mp4'));
  await scene.converts(jobId);
  server.child.kill('SIGTERM');
  await notReady(life);
  for (const { pid } of await scratchProcesses(scene.mediaRoot)) terminate(pid);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(scene.row(jobId)).toMatchObject({ status: 'PENDING', attempt: 0 });
  expect(await scene.inode('out/a.mp4')).toBeUndefined();
});

test('SIGTERM while it starts ends it well', async () => {
  const scene = await openScene();
  const { server } = await scene.start({}, { until: 'listening' });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});
