import { expect } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { sendRequest } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { waitUntil } from '../support/wait.ts';
import { createFaultHarness, longJob, type RunningService, shortJob, signal, VOICE } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

/** Resolves when /ready says that the service starts no more jobs. */
const notReady = ({ server }: RunningService) =>
  waitUntil('readiness to fail', async () => {
    const { status } = await sendRequest<ReadyView>(server.url, '/ready');
    return status === 503 ? true : undefined;
  });

test('after SIGTERM the service is not ready but answers, starts no job, and lets running ones finish', {
  tags: 'long',
}, async () => {
  const harness = await createFaultHarness();
  const life = await harness.start({ TELECINE_DRAIN_SECONDS: '60' });
  const { server, api } = life;
  // Longer than a light job, so that it has the only slot.
  const film = shortJob('out/running.mp4');
  const running = await api.accept({ ...film, parameters: { ...film.parameters, preset: 'veryfast', t: '6' } });
  const waiting = await api.accept({ input: VOICE, output: 'out/waiting.mp4' });
  const goOn = await harness.pauseFfmpeg(running);
  server.child.kill('SIGTERM');
  await notReady(life);
  expect(await api.job(running)).toMatchObject({ status: 'PROCESSING', attempt: 1 });
  const late = await api.accept({ input: VOICE, output: 'out/late.mp4' });
  goOn();
  expect(await server.exited).toEqual({ code: 0, signal: null });

  expect(harness.row(running)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  for (const jobId of [waiting, late])
    expect(harness.row(jobId)).toMatchObject({ status: 'PENDING', attempt: 0, fence: 0 });
});

test('a job that outlasts the drain time goes back to the queue without a spent attempt; Ctrl-C drains too', async () => {
  const harness = await createFaultHarness();
  const { server, api } = await harness.start({ TELECINE_DRAIN_SECONDS: '0' });
  const jobId = await api.accept(shortJob('out/a.mp4'));
  await harness.waitForFfmpeg(jobId);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(harness.row(jobId)).toMatchObject({ status: 'PENDING', attempt: 0, fence: 1, phase: null });
  expect(await scratchProcesses(harness.mediaRoot)).toEqual([]);
  expect(await harness.inode('out/a.mp4')).toBeUndefined();

  // A terminal sends SIGINT to the whole process group.
  const next = await harness.start({ TELECINE_DRAIN_SECONDS: '60' });
  const goOn = await harness.pauseFfmpeg(jobId, 2);
  process.kill(-next.server.pid, 'SIGINT');
  await notReady(next);
  goOn();
  expect(await next.server.exited).toEqual({ code: 0, signal: null });
  expect(harness.row(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  await harness.expectNoLeftovers();
});

test('a second SIGTERM ends the service at once, with its ffmpeg', { tags: 'long' }, async () => {
  const harness = await createFaultHarness();
  const life = await harness.start({ TELECINE_DRAIN_SECONDS: '600' });
  const { server, api } = life;
  const jobId = await api.accept(longJob('out/a.mp4'));
  await harness.waitForFfmpeg(jobId);
  server.child.kill('SIGTERM');
  await notReady(life);
  // Send it repeatedly: for half a second, the service counts another signal as a copy of the first, which npm may
  // send.
  const exit = await waitUntil('the service to end', async () => {
    server.child.kill('SIGTERM');
    return Promise.race([server.exited, undefined]);
  });
  expect(exit).toEqual({ code: null, signal: 'SIGTERM' });
  await waitUntil('ffmpeg to be gone', async () =>
    (await scratchProcesses(harness.mediaRoot)).length === 0 ? true : undefined,
  );
  expect(harness.row(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 1 });
});

test.for(['auto', 'off'])(
  'a service manager that also ends ffmpeg costs no attempt (sandbox %s)',
  { tags: 'long' },
  async (sandbox) => {
    const harness = await createFaultHarness();
    const life = await harness.start({ TELECINE_DRAIN_SECONDS: '60', TELECINE_SANDBOX: sandbox });
    const { server, api } = life;
    const jobId = await api.accept(longJob('out/a.mp4'));
    await harness.waitForFfmpeg(jobId);
    server.child.kill('SIGTERM');
    await notReady(life);
    for (const { pid } of await scratchProcesses(harness.mediaRoot)) signal(pid, 'SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(harness.row(jobId)).toMatchObject({ status: 'PENDING', attempt: 0 });
    expect(await harness.inode('out/a.mp4')).toBeUndefined();
  },
);

test('SIGTERM while it starts ends it well', async () => {
  const harness = await createFaultHarness();
  const { server } = await harness.start({}, { until: 'listening' });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});
