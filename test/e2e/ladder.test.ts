import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('sandbox');

test('the recipe "ladder-per-title" publishes a ladder, and the job says what was tried', {
  tags: 'long',
}, async () => {
  const { server, own } = await start();
  await putSmallMovie(server.mediaRoot, 3, 'clip.mp4');
  const request = {
    ...{ input: 'clip.mp4', output: 'stream/master.m3u8', parameters: { preset: 'ultrafast' } },
    preset: { name: 'ladder-per-title', arguments: { target: 0.95, most: 3, segment: 1 } },
  };
  const dry = await own.request('/api/conversion?dryRun=true', { method: 'POST', body: request });
  expect(dry.body).toMatchObject({
    argv: [expect.arrayContaining(['-crf:v:0', 'QUALITY'])],
    estimate: { outputs: [{ unknown: expect.stringContaining('rungs') }] },
    warnings: [],
  });
  const job = await own.run(request);
  expect(job).toMatchObject({ status: 'COMPLETED', ladder: { target: 0.95, maxRungs: 3 } });
  const main = job.outputs?.find(({ path }) => path === 'stream/master.m3u8');
  const { rungs = [], tried = [] } = main?.ladder ?? {};
  expect(rungs.length).toBeGreaterThanOrEqual(2);
  expect(tried.length).toBeGreaterThanOrEqual(rungs.length);
  const master = await readFile(join(server.mediaRoot, 'stream/master.m3u8'), 'utf8');
  for (const { bandwidth, averageBandwidth, width, height } of rungs)
    expect(master).toContain(
      `BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${averageBandwidth},RESOLUTION=${width}x${height}`,
    );
  expect(await own.log(job.jobId)).toMatch(/^Ladder, rung 1 of \d: /m);
});

test('a request that sets more than a ladder allows is rejected, with what to send instead', async () => {
  const { own } = await start();
  const request = { input: 'clip.mp4', output: 'b.mp4', parameters: { crf: '20' }, ladder: { target: 0.98 } };
  const { status, body } = await own.request('/api/conversion', { method: 'POST', body: request });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({ field: '/parameters/crf', code: 'EXCLUSIVE' }),
      expect.objectContaining({ field: '/ladder', code: 'EXCLUSIVE' }),
    ]),
  });
});
