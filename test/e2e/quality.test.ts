import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('sandbox');
let media: Promise<string> | undefined;

async function service() {
  const { server, own } = await start();
  media ??= putSmallMovie(server.mediaRoot, 3, 'clip.mp4');
  await media;
  return { server, own };
}

test('a job says which quality its video has, and what was tried', async () => {
  const { server, own } = await service();
  const job = await own.run({
    ...{ input: 'clip.mp4', output: 'small.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast' } },
    quality: { target: 0.95 },
  });
  expect(job).toMatchObject({
    status: 'COMPLETED',
    quality: { target: 0.95 },
    outputs: [{ path: 'small.mp4', quality: { metric: 'ssim', target: 0.95, isReached: true, option: 'crf' } }],
  });
  const { tried = [], value } = job.outputs?.[0]?.quality ?? {};
  expect(tried.length).toBeGreaterThan(1);
  expect(value).toBeGreaterThan(1);
  expect(job.phases?.map(({ phase }) => phase)).toEqual(['STAGING', 'SAMPLING', 'CONVERTING', 'PUBLISHING']);
  expect(await own.log(job.jobId)).toMatch(/^Quality, samples: crf .* has SSIM 0\.\d+ at \d+ kb\/s$/m);
  expect((await stat(join(server.mediaRoot, 'small.mp4'))).size).toBe(job.outputs?.[0]?.sizeBytes);
});

test('a dry run shows the command, and that the job finds the size', async () => {
  const { own } = await service();
  const request = { input: 'clip.mp4', output: 'dry.mp4', quality: { target: 0.95 } };
  const { status, body } = await own.request('/api/conversion?dryRun=true', { method: 'POST', body: request });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    argv: [expect.arrayContaining(['-crf:v', 'QUALITY'])],
    estimate: { outputs: [{ unknown: expect.stringContaining('target quality') }] },
    warnings: [],
  });
});

test('a request that sets the quality twice is rejected', async () => {
  const { own } = await service();
  const request = { input: 'clip.mp4', output: 'b.mp4', parameters: { crf: '20' }, quality: { target: 0.95 } };
  const { status, body } = await own.request('/api/conversion', { method: 'POST', body: request });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: [
      { field: '/parameters/crf', code: 'EXCLUSIVE', message: expect.stringContaining('both would set the quality') },
    ],
  });
});

test('the recipe "looks-the-same" makes a smaller file that is as good', { tags: 'long' }, async () => {
  const { own } = await service();
  const job = await own.run({
    ...{ input: 'clip.mp4', output: 'same.mp4' },
    preset: { name: 'looks-the-same', arguments: { target: 0.97 } },
  });
  expect(job).toMatchObject({ status: 'COMPLETED', quality: { target: 0.97 } });
  expect(job.outputs?.[0]?.quality?.reached).toBeGreaterThan(0.968);
});

test('a target replaces the usual quality of a recipe', { tags: 'long' }, async () => {
  const { own } = await service();
  const job = await own.run({
    ...{ input: 'clip.mp4', output: 'web.mp4', preset: { name: 'web-h264' } },
    quality: { target: 0.95 },
  });
  expect(job).toMatchObject({ status: 'COMPLETED', outputs: [{ quality: { isReached: true } }] });
  expect(job.parameters).not.toHaveProperty('crf');
});
