import { stat, utimes } from 'node:fs/promises';
import { commonServer } from '../support/common-server.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { onDisk } from '../support/test-engines.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

async function ready(folder: string) {
  const { server, own } = await start();
  const media = server.media.below(folder);
  await media.fill((root) => putClip(root, '480p', 3, 'movie.mp4'));
  const output = `${folder}/out/result.mkv`;
  return { own, media, output, request: { input: `${folder}/movie.mp4`, output } };
}

/** The output in the folder of a test. */
const RESULT = 'out/result.mkv';

const COPY = { c: 'copy' };
const ENCODE = { 'c:v': 'libx264', preset: 'ultrafast', s: '320x180', an: '' };

test('keeps an existing output, and the message says how to replace it', async ({ expect }) => {
  const { own, media, request } = await ready('kept');
  await own.run({ ...request, parameters: COPY });
  await media.put(RESULT, 'precious');
  const job = await own.run({ ...request, parameters: COPY });
  expect(job).toMatchObject({
    status: 'FAILED',
    error: { code: 'OUTPUT_EXISTS', fix: expect.stringContaining('"y": ""') },
  });
  expect(job.error?.message).toContain(request.output);
  expect((await media.get(RESULT)).toString()).toBe('precious');
});

test('"y" replaces an output atomically: a reader gets the whole old file or the whole new one', async ({ expect }) => {
  const { own, media, request } = await ready('replaced');
  const first = await own.run({ ...request, parameters: COPY });
  const jobId = await own.accept({ ...request, parameters: { ...ENCODE, y: '' } });
  const sizes: number[] = [];
  let looking = true;
  const looked = (async () => {
    while (looking) sizes.push((await media.get(RESULT)).length);
  })();
  const job = await own.wait(jobId);
  looking = false;
  await looked;
  expect(job.status).toBe('COMPLETED');
  const whole = [first, job].map(({ outputs }) => outputs?.[0]?.sizeBytes);
  expect([...new Set([...sizes, (await media.get(RESULT)).length])]).toEqual(whole);
  expect((await probe(await media.local(RESULT))).streams).toMatchObject([{ codec_name: 'h264', width: 320 }]);
  expect(await media.list('out')).toEqual(['result.mkv']);
});

test('a failed conversion with "y" does not change the old file', { tags: 'long' }, async ({ expect }) => {
  const { own, media, request } = await ready('failed');
  await own.run({ ...request, parameters: COPY });
  const before = await media.get(RESULT);
  const job = await own.run({ ...request, parameters: { ...ENCODE, ss: '100', y: 'true' } });
  expect(job).toMatchObject({ status: 'FAILED', error: { code: 'FFMPEG_FAILED' } });
  expect(before.equals(await media.get(RESULT))).toBe(true);
});

onDisk('S3 has no inodes.', 'ffmpeg').concurrent.for([
  ['that exists', COPY, 'OUTPUT_EXISTS'],
  ['of a failed conversion with "y"', { ...ENCODE, ss: '100', y: '' }, 'FFMPEG_FAILED'],
] as const)('an output %s stays the same file, with its time', async ([, parameters, code], { expect }) => {
  const { own, media, request } = await ready(`same-${code}`);
  await media.put(RESULT, 'precious');
  const file = await media.local(RESULT);
  await utimes(file, 1000, 1000);
  const before = await stat(file);
  expect(await own.run({ ...request, parameters })).toMatchObject({ error: { code } });
  const after = await stat(file);
  expect([after.ino, after.size, after.mtimeMs]).toEqual([before.ino, before.size, before.mtimeMs]);
});

test('of two concurrent jobs with the same output, one publishes it and the other fails', { tags: 'long' }, async ({
  expect,
}) => {
  const { own, output, media, request } = await ready('raced');
  const parameters = { ...ENCODE, t: '2' };
  const jobs = await Promise.all([0, 1].map(() => own.run({ ...request, parameters })));
  expect(jobs.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'FAILED']);
  expect(jobs.find(({ status }) => status === 'FAILED')?.error?.code).toBe('OUTPUT_EXISTS');
  expect(jobs.find(({ status }) => status === 'COMPLETED')?.outputs).toMatchObject([{ path: output }]);
  expect((await probe(await media.local(RESULT))).streams).toMatchObject([{ width: 320 }]);
});

test('"y": "false" keeps an existing output', { tags: 'long' }, async ({ expect }) => {
  const { own, request } = await ready('kept-by-false');
  await own.run({ ...request, parameters: COPY });
  const job = await own.run({ ...request, parameters: { ...COPY, y: 'false' } });
  expect(job).toMatchObject({ status: 'FAILED', error: { code: 'OUTPUT_EXISTS' } });
});
