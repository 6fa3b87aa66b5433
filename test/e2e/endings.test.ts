// @module-tag long
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { pathsBelow } from '../support/folders.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { waitUntil } from '../support/wait.ts';

// Enough for ffmpeg to begin, also on a busy machine.
const impatient = sharedServer({ env: { TELECINE_CLIENT_LIMITS: 'time=3', TELECINE_CONCURRENCY: '2' } });
const watchful = sharedServer({ env: { TELECINE_STALL_TIMEOUT_SECONDS: '5', TELECINE_CONCURRENCY: '1' } });
const patient = sharedServer({ env: { TELECINE_CONCURRENCY: '1' } });
const test = needs('ffmpeg').concurrent;

/** A slow conversion. It uses no lookahead, which would delay the exit after SIGTERM. */
const SLOW = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency', threads: '1', an: '' };

const cancel = (of: SharedServer, jobId: string) =>
  of.admin.request<JobView>(`/api/conversion/${jobId}/cancel`, { method: 'POST' });

/** Expects that an ended job has left no output, no scratch folder and no process. */
async function expectNothingLeft({ server }: SharedServer, job: JobView): Promise<void> {
  expect(await server.media.list()).not.toContain(job.output);
  const hidden = (await readdir(server.scratchParent)).filter((name) => name.startsWith('.telecine'));
  const scratch = await Promise.all(hidden.map((name) => pathsBelow(join(server.scratchParent, name))));
  expect(scratch.flat().filter((name) => name.includes(job.jobId))).toEqual([]);
  expect(await scratchProcesses(server.scratchParent, job.jobId)).toEqual([]);
}

/** The process id of the running ffmpeg. */
const ffmpegOf = ({ server }: SharedServer, jobId: string): Promise<number> =>
  waitUntil('its ffmpeg to be seen', async () => {
    const seen = await scratchProcesses(server.scratchParent, jobId);
    return seen.find(({ command }) => /^\S*ffmpeg /.test(command))?.pid;
  });

test('a conversion over its time limit fails with TIMEOUT', async ({ expect }) => {
  const shared = await impatient();
  await shared.server.media.fill((folder) => putSample(folder, '480p', 'movie.mp4'));
  const job = await shared.admin.run({ input: 'movie.mp4', output: 'late.mp4', parameters: SLOW });
  expect(job).toMatchObject({
    status: 'FAILED',
    attempt: 1,
    error: {
      code: 'TIMEOUT',
      message: 'The conversion took longer than the 3 seconds that a job may take (limit "time").',
      fix: expect.stringMatching(/shorter part.*faster preset.*operator/),
    },
  });
  expect(await shared.admin.log(job.jobId)).toMatch(/^Stream mapping:$/m);
  await expectNothingLeft(shared, job);
});

test('a conversion without progress fails with STALLED', async ({ expect }) => {
  const shared = await watchful();
  const { admin, server } = shared;
  await server.media.fill((folder) => putSample(folder, '480p', 'movie.mp4'));
  const jobId = await admin.accept({ input: 'movie.mp4', output: 'still.mp4', parameters: SLOW });
  // A stopped process makes no progress and does not react to SIGTERM, like a hanging one.
  process.kill(await ffmpegOf(shared, jobId), 'SIGSTOP');
  const job = await admin.wait(jobId);
  expect(job).toMatchObject({
    status: 'FAILED',
    error: {
      code: 'STALLED',
      message: 'ffmpeg made no progress for 5 seconds and was stopped.',
      fix: expect.stringMatching(/filter/),
    },
  });
  await expectNothingLeft(shared, job);
});

test('cancels a running and a queued job, and neither a second time', async ({ expect }) => {
  const shared = await patient();
  const { admin, server } = shared;
  await server.media.fill((folder) => putSample(folder, '480p', 'long.mp4'));
  const running = await admin.accept({ input: 'long.mp4', output: 'a.mp4', parameters: SLOW });
  await admin.wait(running, ({ phase }) => phase === 'CONVERTING');
  await ffmpegOf(shared, running);
  const waiting = await admin.accept({ input: 'long.mp4', output: 'b.mp4', parameters: SLOW });

  const first = await cancel(shared, waiting);
  expect(first).toMatchObject({ status: 202, body: { status: 'CANCELLED', message: 'The job was cancelled.' } });
  const second = await cancel(shared, running);
  expect(second).toMatchObject({ status: 202, body: { status: 'PROCESSING', message: 'The job is being cancelled.' } });
  expect(second.body.cancelRequestedAt).toBeDefined();

  const job = await admin.wait(running);
  expect(job).toMatchObject({
    status: 'CANCELLED',
    error: { code: 'CANCELLED', message: 'The job was cancelled on request.' },
  });
  expect(Date.parse(job.completedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(job.cancelRequestedAt ?? ''));
  await expectNothingLeft(shared, job);
  for (const jobId of [waiting, running]) {
    const again = await shared.admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
    expect(again).toMatchObject({ status: 409, body: { code: 'JOB_FINISHED' } });
  }
});
