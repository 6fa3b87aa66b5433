import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { readClientLimits } from '../../packages/service/src/config/client-limits.ts';
import { command } from '../../scripts/setup/command.ts';
import { type ApiClient, login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { clientName, insertClient } from '../support/insert-client.ts';
import { putClip, putSample } from '../support/media.ts';
import { isMet, needs } from '../support/needs.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const LIMITS = ['duration=40', 'pixels=1000000', 'threads=4', 'streams=6', 'time=50'];

const COPY = { c: 'copy' };
const looped = (output: string, parameters: object = COPY) => ({
  inputs: [{ input: 'clip.mp4', parameters: { stream_loop: '-1' } }],
  output,
  parameters,
});

/** A service with media, and functions that add clients with low limits. */
const filledBy = (start: () => Promise<{ readonly server: TestServer }>) => {
  let filled: Promise<unknown> | undefined;
  let limited: Promise<ApiClient> | undefined;
  return async () => {
    const { server } = await start();
    const words = ['-v', 'error', '-f', 'lavfi', '-i', 'color=black:s=2000x2000', '-frames:v', '1'];
    filled ??= Promise.all([
      putClip(server.mediaRoot, '480p', 5, 'clip.mp4'),
      putSample(server.mediaRoot, '480p', 'movie.mp4'),
      command(tools().ffmpegPath, [...words, join(server.mediaRoot, 'huge.png')]),
    ]);
    await filled;
    /** Adds a client with these limits, and `LIMITS` for the others. */
    const addMember = async (name: string, ...limits: readonly string[]) =>
      login(server.url, await insertClient(server, name, { limits: readClientLimits([...LIMITS, ...limits]) }));
    limited ??= addMember('limited');
    return { server, limited: await limited, addMember };
  };
};

const failedAt = (limit: string) => ({
  status: 'FAILED',
  attempt: 1,
  error: {
    code: 'LIMIT_EXCEEDED',
    message: expect.stringContaining(`limit "${limit}"`),
    fix: expect.stringContaining('the operator'),
  },
});

const common = commonServer();
const unconfined = sharedServer({ env: { TELECINE_SANDBOX: 'off', TELECINE_CONCURRENCY: '1' } });
const sandboxed = { start: filledBy(common), test: needs('sandbox'), tags: [] };
const withoutSandbox = { start: filledBy(unconfined), test: needs('ffmpeg'), tags: isMet('sandbox') ? ['long'] : [] };

for (const [how, { start, test: each, tags }] of [
  ['in the sandbox', sandboxed],
  ['without the sandbox', withoutSandbox],
] as const)
  describe(how, { tags }, () => {
    const test = each.concurrent;

    test('stops an endless output at the duration limit', { tags: 'long' }, async ({ expect }) => {
      const { limited } = await start();
      expect(await limited.run(looped('endless.mkv'))).toMatchObject(failedAt('duration'));
    });

    test('rejects an input picture over the size limit', { tags: 'long' }, async ({ expect }) => {
      const { limited } = await start();
      expect(await limited.run({ input: 'huge.png', output: 'huge.jpg' })).toMatchObject(failedAt('pixels'));
    });

    test('counts the bytes of all output files together', { tags: 'long' }, async ({ expect }) => {
      const { addMember } = await start();
      const client = await addMember('small-scratch', 'scratch=3M', 'duration=none');
      const hls = looped('hls/list.m3u8', { ...COPY, hls_time: '1', hls_list_size: '0' });
      expect(await client.run(hls)).toMatchObject(failedAt('scratch'));
    });

    test('limits the size of one file and the number of files', { tags: 'long' }, async ({ expect }) => {
      const { addMember } = await start();
      const client = await addMember('small-output', 'output=1M', 'files=3', 'duration=none');
      expect(await client.run(looped('large.mkv'))).toMatchObject(failedAt('output'));
      const pictures = { input: 'clip.mp4', output: 'frames/%d.jpg', parameters: { s: '32x18' } };
      expect(await client.run(pictures)).toMatchObject(failedAt('files'));
    });

    test('stops a job at its time limit', { tags: 'long' }, async ({ expect }) => {
      const { addMember } = await start();
      const client = await addMember('short-time', 'time=1', 'duration=none');
      const endless = looped('slow.mkv', { 'c:v': 'mpeg4', s: '64x36', threads: '1', an: '' });
      expect(await client.run(endless)).toMatchObject({
        status: 'FAILED',
        error: { code: 'TIMEOUT', message: expect.stringContaining('1 second') },
      });
    });
  });

/** The service checks these limits itself, or with options of ffmpeg. */
describe('limits that do not depend on the sandbox', () => {
  const { start } = sandboxed;
  const test = sandboxed.test.concurrent;

  test('stops endless sound and pictures from filters at the duration limit', { tags: 'long' }, async ({ expect }) => {
    const { limited } = await start();
    const padded = { input: 'clip.mp4', output: 'padded.wav', parameters: { vn: '', af: 'apad' } };
    expect(await limited.run(padded)).toMatchObject(failedAt('duration'));
    const still = { vf: 'loop=loop=-1:size=1', an: '', s: '64x36', 'c:v': 'mpeg4' };
    expect(await limited.run({ input: 'clip.mp4', output: 'still.mp4', parameters: still })).toMatchObject(
      failedAt('duration'),
    );
  });

  test('does not write a picture over the size limit', { tags: 'long' }, async ({ expect }) => {
    const { limited } = await start();
    const blown = { input: 'clip.mp4', output: 'blown.png', parameters: { vf: 'scale=iw*2:ih*2', 'frames:v': '1' } };
    expect(await limited.run(blown)).toMatchObject(failedAt('pixels'));
  });

  test('limits the number of streams of an output', async ({ expect }) => {
    const { limited } = await start();
    const parameters = { ...COPY, map: Array.from({ length: 7 }, () => '0:a'), t: '1' };
    expect(await limited.run({ input: 'clip.mp4', output: 'streams.mkv', parameters })).toMatchObject(
      failedAt('streams'),
    );
  });

  test('rejects a request over the limit of threads or frame size at once', async ({ expect }) => {
    const { limited } = await start();
    const parameters = { threads: '2000', s: 'hd1080' };
    const body = { input: 'clip.mp4', output: 'threads.mp4', parameters };
    const { status, body: problem } = await limited.request('/api/conversion', { body });
    expect(status).toBe(400);
    expect(problem.errors).toMatchObject([
      { field: '/parameters/threads', code: 'LIMIT_EXCEEDED', message: expect.stringContaining('limit of 4') },
      { field: '/parameters/s', code: 'LIMIT_EXCEEDED', message: expect.stringContaining('1000000 pixels') },
    ]);
    const pools = { 'c:v': 'libx265', preset: 'ultrafast', 'x265-params': 'pools=16' };
    const poolsRequest = { input: 'clip.mp4', output: 'pools.mp4', parameters: pools };
    expect((await limited.request('/api/conversion', { body: poolsRequest })).body.errors).toMatchObject([
      { field: '/parameters/x265-params', code: 'LIMIT_EXCEEDED' },
    ]);
  });

  test('does not start a job whose inputs together exceed the size limit', async ({ expect }) => {
    const { addMember } = await start();
    const small = await addMember('small-inputs', 'input=1M');
    const request = { inputs: ['clip.mp4', 'movie.mp4'], output: 'both.mkv', parameters: COPY };
    const job = await small.run(request);
    expect(job).toMatchObject(failedAt('input'));
    expect(await small.log(job.jobId)).toBe('');
  });

  test('limits of one client do not apply to another', { tags: 'long' }, async ({ expect }) => {
    const { limited, addMember } = await start();
    const free = await addMember('free', 'pixels=none', 'threads=8');
    const request = { input: 'huge.png', output: 'free.jpg', parameters: { threads: '8' } };
    expect(await free.run(request)).toMatchObject({ status: 'COMPLETED' });
    expect((await limited.request('/api/conversion', { body: request })).status).toBe(400);
  });
});

sandboxed.test('a job runs under the limits that its client has when it starts', async () => {
  const { admin } = await common();
  const { server, limited, addMember } = await sandboxed.start();
  const client = await addMember('changed');
  const long = { 'c:v': 'libx264', tune: 'zerolatency', threads: '1' };
  const running = await Promise.all(
    Array.from({ length: COMMON.slots }, (_, slot) => limited.accept(looped(`slot-${slot}.mkv`, long))),
  );
  for (const jobId of running) await limited.wait(jobId, ({ status }) => status === 'PROCESSING');
  const second = await client.accept({ input: 'clip.mp4', output: 'second.mkv', parameters: { 'c:v': 'libx264' } });
  const path = `/api/clients/${clientName(server, 'changed')}`;
  await admin.request(path, { method: 'PATCH', body: { limits: { duration: 2 } } });
  for (const jobId of running) await limited.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  expect(await client.wait(second)).toMatchObject(failedAt('duration'));
});

sandboxed.test(
  'serves requests and other jobs while conversions use all resources that they can',
  {
    tags: 'long',
  },
  async () => {
    const { limited } = await sandboxed.start();
    const greedy = await limited.accept(
      looped('greedy.mkv', { 'c:v': 'libx264', preset: 'placebo', tune: 'zerolatency' }),
    );
    await limited.wait(greedy, ({ phase }) => phase === 'CONVERTING');
    const small = await limited.run({ input: 'clip.mp4', output: 'small.mkv', parameters: COPY });
    expect(small.status).toBe('COMPLETED');
    expect((await limited.request('/health')).status).toBe(200);
    expect((await limited.job(greedy)).status).toBe('PROCESSING');
    await limited.request(`/api/conversion/${greedy}/cancel`, { method: 'POST' });
    expect((await limited.wait(greedy)).status).toBe('CANCELLED');
  },
);
