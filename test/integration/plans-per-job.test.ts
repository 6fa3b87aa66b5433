import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type Mock, vi } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import type { Service } from '../../packages/service/src/start/service.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const PLANNER = '../../packages/ffmpeg/src/plan/planner.ts';
const log = { info() {}, warn() {}, error() {}, isLevelEnabled: () => false } as never;

let finishPlan: Mock<(...args: readonly unknown[]) => unknown>;
let service: Service | undefined;
let authorization = '';

beforeAll(async () => {
  // Other test files of this run share the loaded modules, so load them again with a spy.
  vi.resetModules();
  vi.doMock(PLANNER, { spy: true });
  ({ finishPlan } = await import(PLANNER));
  const { openService } = await import('../../packages/service/src/start/service.ts');
  const folder = await testFolder('plans-per-job');
  await mkdir(join(folder, 'media'));
  makeMedia(join(folder, 'media'));
  await writeFile(join(folder, 'model.bin'), 'from the model');
  const config = readConfig({
    TELECINE_DATA_DIR: join(folder, 'data'),
    TELECINE_MEDIA_ROOT: join(folder, 'media'),
    FFMPEG_PATH: await withWhisper(folder),
    FFPROBE_PATH: tools().ffprobePath ?? '',
    TELECINE_WHISPER_MODEL: join(folder, 'model.bin'),
    // The sandbox does not show the shell that pretends to be ffmpeg.
    TELECINE_SANDBOX: 'off',
    // Another slot of the service would take chunks of the job, and plan it too.
    TELECINE_CONCURRENCY: '1',
  });
  service = await openService(config, log, { role: 'all' });
  await service.started;
  const client = JSON.parse(await readFile(join(folder, 'data/admin-client.json'), 'utf8'));
  const { accessToken } = await call<{ accessToken: string }>('/api/auth/token', client);
  authorization = `Bearer ${accessToken}`;
}, 300_000);

afterAll(async () => {
  await service?.drain(0);
  await service?.close();
  vi.doUnmock(PLANNER);
  vi.resetModules();
});

/** An ffmpeg that pretends to have whisper. */
async function withWhisper(folder: string): Promise<string> {
  const script = await readFile(new URL('../fixtures/ffmpeg-with-whisper.sh', import.meta.url), 'utf8');
  const path = join(folder, 'ffmpeg');
  await writeFile(path, script.replaceAll(/^(\s*(?:exec )?)REAL_FFMPEG/gm, `$1${tools().ffmpegPath}`), { mode: 0o755 });
  return path;
}

function makeMedia(folder: string): void {
  const make = (...args: readonly string[]) =>
    execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args], { cwd: folder });
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=10:d=6'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10'];
  make(
    ...picture,
    '-f',
    'lavfi',
    '-i',
    "aevalsrc='if(between(t,2,4),0,sin(440*t))':d=6",
    ...video,
    '-c:a',
    'aac',
    'a.mp4',
  );
  make(...picture, ...video, '-vf', "hue=s=0:enable='gt(t,3)'", '-f', 'mp4', 'b.mp4');
}

async function call<T>(url: string, body?: object): Promise<T> {
  const app = service?.app;
  if (app === undefined) throw new Error('The service is not open.');
  const reply = await app.inject({
    ...{ method: body === undefined ? 'GET' : 'POST', url },
    headers: authorization === '' ? {} : { authorization },
    ...(body !== undefined && { payload: body }),
  });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json<T>();
}

async function run(request: object): Promise<JobView> {
  const { jobId } = await call<{ jobId: string }>('/api/conversion', request);
  return vi.waitUntil(
    async () => {
      const job = await call<JobView>(`/api/conversion/${jobId}`);
      return job.completedAt === undefined ? undefined : job;
    },
    { timeout: 280_000, interval: 100 },
  );
}

const X264 = { 'c:v': 'libx264', preset: 'ultrafast' };
const COPY = { c: 'copy' };
const input = 'a.mp4';
const inputs = ['a.mp4', 'a.mp4'];

const REQUESTS: Readonly<Record<string, object>> = {
  plain: { input, output: 'plain.mkv', parameters: COPY },
  'a part': { input, output: 'part.mp4', parameters: { ...X264, ss: '1.3', t: '2' } },
  'an encoded join': { inputs, output: 'joined.mp4', join: 'encode', parameters: X264 },
  'a copied join': { inputs, output: 'copied.mp4', join: 'copy' },
  'a cut by a list': { input, output: 'list.mp4', cut: { keep: [{ start: 1, end: 2 }] }, parameters: X264 },
  'a cut without silence': { input, output: 'loud.mp4', cut: { remove: { silence: {} } }, parameters: X264 },
  'a cut to scenes': {
    ...{ input, output: 'scenes.mp4', parameters: X264 },
    cut: { keep: { scenes: { threshold: 10 }, count: 2, partSeconds: 1 } },
  },
  'a copied cut': {
    input,
    output: 'keys.mp4',
    cut: { keep: [{ start: 1.5, end: 3 }, { start: 4 }] },
    parameters: COPY,
  },
  captions: { input, output: 'said.srt', transcribe: {} },
  loudness: { input, output: 'level.m4a', parameters: { af: 'loudnorm=I=-16', pass: '2', vn: '' } },
  'a quality': { input, output: 'good.mp4', quality: { target: 0.9 }, parameters: X264 },
  'a ladder': { input, output: 'hls/all.m3u8', ladder: { target: 0.9, maxRungs: 2 }, parameters: X264 },
  chunks: { input, output: 'chunks.mp4', chunks: { seconds: 2 }, parameters: X264 },
};

describe('plans of a job, from its submission to its result', () => {
  test.for(Object.entries(REQUESTS))('%s: at most two', { timeout: 300_000 }, async ([, request]) => {
    finishPlan.mockClear();
    expect(await run(request)).toMatchObject({ status: 'COMPLETED' });
    expect(finishPlan.mock.calls.length).toBeLessThanOrEqual(2);
  });

  test('with a fallback: at most three', { timeout: 300_000 }, async () => {
    finishPlan.mockClear();
    const parameters = { 'c:v': 'h264_nvenc' };
    expect(await run({ input, output: 'device.mp4', parameters, fallback: X264 })).toMatchObject({
      status: 'COMPLETED',
    });
    expect(finishPlan.mock.calls.length).toBeLessThanOrEqual(3);
  });

  test.for(Object.entries(REQUESTS))(
    'a dry run of %s: one, also if its command is tried',
    { timeout: 300_000 },
    async ([, request]) => {
      finishPlan.mockClear();
      await call('/api/conversion?dryRun=true', {
        ...request,
        output: `dry/${(request as { output: string }).output}`,
      });
      expect(finishPlan).toHaveBeenCalledOnce();
    },
  );
});
