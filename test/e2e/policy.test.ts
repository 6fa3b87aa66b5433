import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { readClientLimits } from '../../src/config/client-limits.ts';
import { login } from '../support/api-client.ts';
import { insertClient } from '../support/insert-client.ts';
import { putClip, putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const LIMITS = 'duration=40,pixels=1000000,threads=4,streams=6,time=50';

const COPY = { c: 'copy' };
const looped = (output: string, parameters: object = COPY) => ({
  inputs: [{ input: 'clip.mp4', parameters: { stream_loop: '-1' } }],
  output,
  parameters,
});

/** A service that lets little be done. */
const sharedWith = (sandbox: string, concurrency: string) => {
  const shared = sharedServer({
    env: { TELECINE_CLIENT_LIMITS: LIMITS, TELECINE_SANDBOX: sandbox, TELECINE_CONCURRENCY: concurrency },
  });
  let filled: Promise<unknown> | undefined;
  return async () => {
    const { server, admin } = await shared();
    const words = ['-v', 'error', '-f', 'lavfi', '-i', 'color=black:s=2000x2000', '-frames:v', '1'];
    filled ??= Promise.all([
      putClip(server.mediaRoot, '480p', 5, 'clip.mp4'),
      putSample(server.mediaRoot, '480p', 'movie.mp4'),
      command(tools().ffmpegPath, [...words, join(server.mediaRoot, 'huge.png')]),
    ]);
    await filled;
    /** A client with these limits of its own. */
    const member = async (name: string, ...limits: readonly string[]) =>
      login(server.url, await insertClient(server, name, { limits: readClientLimits(limits) }));
    return { server, admin, member };
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

const sandboxed = { start: sharedWith('required', '2'), test: needs('sandbox') };
/** One job at a time, so that others wait for it. */
const unboxed = { start: sharedWith('off', '1'), test: needs('ffmpeg') };

describe.each([
  ['in the sandbox', sandboxed],
  ['without one', unboxed],
] as const)('%s', (_how, { start, test: each }) => {
  const test = each.concurrent;

  test('what never ends is ended at the length that an output may have', async ({ expect }) => {
    const { admin } = await start();
    expect(await admin.run(looped('endless.mkv'))).toMatchObject(failedAt('duration'));
  });

  test('pictures larger than they may be are not read', async ({ expect }) => {
    const { admin } = await start();
    expect(await admin.run({ input: 'huge.png', output: 'huge.jpg' })).toMatchObject(failedAt('pixels'));
  });

  test('many small files are as much as one large one', async ({ expect }) => {
    const { member } = await start();
    const client = await member('small-scratch', 'scratch=3M', 'duration=none');
    const hls = looped('hls/list.m3u8', { ...COPY, hls_time: '1', hls_list_size: '0' });
    expect(await client.run(hls)).toMatchObject(failedAt('scratch'));
  });

  test('one file may be no larger, and files no more, than they may', async ({ expect }) => {
    const { member } = await start();
    const client = await member('small-output', 'output=1M', 'files=3', 'duration=none');
    expect(await client.run(looped('large.mkv'))).toMatchObject(failedAt('output'));
    const pictures = { input: 'clip.mp4', output: 'frames/%d.jpg', parameters: { s: '32x18' } };
    expect(await client.run(pictures)).toMatchObject(failedAt('files'));
  });

  test('a job that takes too long is ended', async ({ expect }) => {
    const { member } = await start();
    const client = await member('short-time', 'time=1', 'duration=none');
    const endless = looped('slow.mkv', { 'c:v': 'mpeg4', s: '64x36', threads: '1', an: '' });
    expect(await client.run(endless)).toMatchObject({
      status: 'FAILED',
      error: { code: 'TIMEOUT', message: expect.stringContaining('1 second') },
    });
  });
});

/** What the service holds before ffmpeg starts, or by ffmpeg's own words, is the same with and without a sandbox. */
describe('by the service itself', () => {
  const { start } = sandboxed;
  const test = sandboxed.test.concurrent;

  test('sound and pictures that filters make longer for ever are ended too', async ({ expect }) => {
    const { admin } = await start();
    const padded = { input: 'clip.mp4', output: 'padded.wav', parameters: { vn: '', af: 'apad' } };
    expect(await admin.run(padded)).toMatchObject(failedAt('duration'));
    const still = { vf: 'loop=loop=-1:size=1', an: '', s: '64x36', 'c:v': 'mpeg4' };
    expect(await admin.run({ input: 'clip.mp4', output: 'still.mp4', parameters: still })).toMatchObject(
      failedAt('duration'),
    );
  });

  test('pictures that would be larger than they may be are not written', async ({ expect }) => {
    const { admin } = await start();
    const blown = { input: 'clip.mp4', output: 'blown.png', parameters: { vf: 'scale=iw*2:ih*2', 'frames:v': '1' } };
    expect(await admin.run(blown)).toMatchObject(failedAt('pixels'));
  });

  test('more streams than a file may have are not made', async ({ expect }) => {
    const { admin } = await start();
    const parameters = { ...COPY, map: Array.from({ length: 7 }, () => '0:a'), t: '1' };
    expect(await admin.run({ input: 'clip.mp4', output: 'streams.mkv', parameters })).toMatchObject(
      failedAt('streams'),
    );
  });

  test('more threads than one may have are refused at once, and so is a size', async ({ expect }) => {
    const { admin } = await start();
    const parameters = { threads: '2000', s: 'hd1080' };
    const body = { input: 'clip.mp4', output: 'threads.mp4', parameters };
    const { status, body: problem } = await admin.request('/api/conversion', { body });
    expect(status).toBe(400);
    expect(problem.errors).toMatchObject([
      { field: '/parameters/threads', code: 'LIMIT_EXCEEDED', message: expect.stringContaining('limit of 4') },
      { field: '/parameters/s', code: 'LIMIT_EXCEEDED', message: expect.stringContaining('1000000 pixels') },
    ]);
    const pools = { 'c:v': 'libx265', preset: 'ultrafast', 'x265-params': 'pools=16' };
    const asked = { input: 'clip.mp4', output: 'pools.mp4', parameters: pools };
    expect((await admin.request('/api/conversion', { body: asked })).body.errors).toMatchObject([
      { field: '/parameters/x265-params', code: 'LIMIT_EXCEEDED' },
    ]);
  });

  test('inputs larger than they may be, together, are not begun', async ({ expect }) => {
    const { member } = await start();
    const small = await member('small-inputs', 'input=1M');
    const request = { inputs: ['clip.mp4', 'movie.mp4'], output: 'both.mkv', parameters: COPY };
    const job = await small.run(request);
    expect(job).toMatchObject(failedAt('input'));
    expect(await small.log(job.jobId)).toBe('');
  });

  test('a client with limits of its own has those, and another has not', async ({ expect }) => {
    const { admin, member } = await start();
    const free = await member('free', 'pixels=none', 'threads=8');
    const request = { input: 'huge.png', output: 'free.jpg', parameters: { threads: '8' } };
    expect(await free.run(request)).toMatchObject({ status: 'COMPLETED' });
    expect((await admin.request('/api/conversion', { body: request })).status).toBe(400);
  });
});

unboxed.test('a job runs under the limits that its client has when it starts', async () => {
  const { server, admin } = await unboxed.start();
  const client = await login(server.url, await insertClient(server, 'changed'));
  const first = await admin.accept(looped('first.mkv', { 'c:v': 'libx264', tune: 'zerolatency', threads: '1' }));
  await admin.wait(first, ({ status }) => status === 'PROCESSING');
  const second = await client.accept({ input: 'clip.mp4', output: 'second.mkv', parameters: COPY });
  await runClientCommand(server, 'set', 'changed', '--limit', 'duration=2');
  await admin.request(`/api/conversion/${first}/cancel`, { method: 'POST' });
  expect(await client.wait(second)).toMatchObject(failedAt('duration'));
});

sandboxed.test('while conversions take all that they can get, others are converted and all is answered', async () => {
  const { admin } = await sandboxed.start();
  const greedy = await admin.accept(looped('greedy.mkv', { 'c:v': 'libx264', preset: 'placebo', tune: 'zerolatency' }));
  await admin.wait(greedy, ({ phase }) => phase === 'CONVERTING');
  const small = await admin.run({ input: 'clip.mp4', output: 'small.mkv', parameters: COPY });
  expect(small.status).toBe('COMPLETED');
  expect((await admin.request('/health')).status).toBe(200);
  expect((await admin.job(greedy)).status).toBe('PROCESSING');
  await admin.request(`/api/conversion/${greedy}/cancel`, { method: 'POST' });
  expect((await admin.wait(greedy)).status).toBe('CANCELLED');
});
