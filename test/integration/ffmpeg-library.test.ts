import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ConversionRequest, type OpenOptions, openFfmpeg } from '../../packages/ffmpeg/src/library/open-ffmpeg.ts';
import { DEFAULT_RUN_LIMITS } from '../../packages/ffmpeg/src/library/run-limits.ts';
import { POLICY } from '../fixtures/conversion.ts';
import { testFolder } from '../support/folders.ts';
import { clip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { tools } from '../support/tools.ts';

const withFfmpeg = needs('ffmpeg');

/** What ffmpeg offers, asked once for all tests. */
let cacheFolder: string | undefined;

/** An ffmpeg with a media root that contains `in.mp4`, a video of two seconds. */
async function open(options: Partial<OpenOptions> = {}) {
  const mediaRoot = await testFolder('library');
  await copyFile(await clip('480p', 2), join(mediaRoot, 'in.mp4'));
  cacheFolder ??= await testFolder('catalogues');
  const ffmpeg = await openFfmpeg({ mediaRoot, path: tools().ffmpegPath, sandbox: 'auto', cacheFolder, ...options });
  onTestFinished(() => ffmpeg.close());
  /** Plans and runs a request that is valid. */
  const run = async (request: ConversionRequest, runOptions?: Parameters<typeof ffmpeg.run>[1]) => {
    const plan = await ffmpeg.plan(request);
    if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
    return ffmpeg.run(plan, runOptions);
  };
  return { ffmpeg, mediaRoot, run };
}

const SMALL = { vf: 'scale=64:-2', 'c:v': 'libx264', preset: 'ultrafast', an: '' };

test('the default limits are those of a service without settings', () => {
  expect(POLICY).toMatchObject(DEFAULT_RUN_LIMITS);
});

withFfmpeg('plans a request, and explains a wrong one with a patch', async () => {
  const { ffmpeg } = await open();
  const request = { input: 'in.mp4', output: 'a.mkv', parameters: { 'c:v': 'libx264', crf: '20' } };
  const plan = await ffmpeg.plan(request);
  expect(plan).toMatchObject({ ok: true, errors: [], warnings: [] });
  expect(plan.argv).toHaveLength(1);
  expect(plan.argv[0]?.join(' ')).toMatch(/-i file:in\/0\.mp4 .*-c:v libx264 -crf 20 .*file:out\/a\.mkv$/);
  expect(await ffmpeg.plan({ ...request, parameters: { ...request.parameters, tunes: 'film' } })).toMatchObject({
    ok: false,
    argv: [],
    errors: [{ field: '/parameters/tunes', code: 'UNKNOWN_OPTION', apply: [{ op: 'remove' }, { op: 'add' }] }],
  });
});

withFfmpeg('reports wrong types, fields of the service and wrong options together', { tags: 'long' }, async () => {
  const { ffmpeg } = await open();
  const request = { input: 'in.mp4', output: 'a.mp4', join: 'encode', parameters: { crf: null, nonsense: 'x' } };
  const { errors } = await ffmpeg.plan(request as unknown as ConversionRequest);
  expect(errors.map(({ field }) => field).toSorted()).toEqual(['/join', '/parameters/crf', '/parameters/nonsense']);
});

withFfmpeg('rejects an image sequence and a URL before the run', { tags: 'long' }, async () => {
  const { ffmpeg } = await open();
  const codeOf = async (input: string) => (await ffmpeg.plan({ input, output: 'a.mp4' })).errors[0]?.code;
  expect(await codeOf('frames/%03d.png')).toBe('NOT_ALLOWED');
  expect(await codeOf('https://example.com/in.mp4')).toBe('STORAGE_NOT_ALLOWED');
});

withFfmpeg('chooses the frame size for a bit rate, and says why', { tags: 'long' }, async () => {
  const { run } = await open();
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', 'b:v': '100k', an: '' };
  const result = await run({ input: 'in.mp4', output: 'a.mp4', frameSize: 'auto', parameters });
  const chosen = result.ok ? result.outputs[0]?.frameSize : undefined;
  expect(chosen).toMatchObject({ bitsPerSecond: 100_000, reason: expect.stringContaining('shorter than 180 s') });
  const { width, height } = chosen ?? {};
  expect(result).toMatchObject({ ok: true, outputs: [{ streams: [{ width, height }] }] });
  expect(height).toBeLessThan(480);
});

needs('sandbox')('runs a plan in the sandbox, and leaves only the output', async () => {
  const { ffmpeg, mediaRoot, run } = await open({ sandbox: 'required' });
  expect(ffmpeg.sandbox.kind).not.toBe('none');
  const percents: number[] = [];
  const result = await run(
    { input: 'in.mp4', output: 'new/a.mp4', parameters: SMALL },
    { onProgress: ({ percent = 0 }) => percents.push(percent) },
  );
  const { sizeBytes } = await probe(join(mediaRoot, 'new/a.mp4'));
  expect(result).toMatchObject({
    ok: true,
    outputs: [{ path: 'new/a.mp4', sizeBytes, streams: [{ codec: 'h264', width: 64 }] }],
    log: expect.stringContaining('Output #0'),
  });
  expect(percents.at(-1)).toBe(100);
  expect((await readdir(mediaRoot)).toSorted()).toEqual(['in.mp4', 'new']);
});

withFfmpeg('an output of several files appears as a whole', { tags: 'long' }, async () => {
  const { mediaRoot, run } = await open();
  const hls = { ...SMALL, g: '12', hls_time: '0.5', hls_segment_filename: 'a_%03d.ts' };
  const result = await run({ input: 'in.mp4', output: 'hls/a.m3u8', parameters: hls });
  const files = (await readdir(join(mediaRoot, 'hls'))).map((name) => `hls/${name}`);
  expect(files.length).toBeGreaterThan(2);
  expect(result.ok && result.outputs.map(({ path }) => path).toSorted()).toEqual(files.toSorted());
});

withFfmpeg('replaces an existing output only with "y", and never an input', async () => {
  const { mediaRoot, run } = await open();
  await writeFile(join(mediaRoot, 'a.mp4'), 'before');
  const request = { input: 'in.mp4', output: 'a.mp4', parameters: SMALL };
  expect(await run(request)).toMatchObject({ ok: false, failure: { code: 'OUTPUT_EXISTS' } });
  expect(await readFile(join(mediaRoot, 'a.mp4'), 'utf8')).toBe('before');
  expect(await run({ ...request, parameters: { ...SMALL, y: '' } })).toMatchObject({ ok: true });
  expect(await probe(join(mediaRoot, 'a.mp4'))).toMatchObject({ streams: [{ width: 64 }] });
  await symlink('in.mp4', join(mediaRoot, 'alias.mp4'));
  const onInput = { input: 'in.mp4', output: 'alias.mp4', parameters: { ...SMALL, y: '' } };
  expect(await run(onInput)).toMatchObject({ ok: false, failure: { code: 'INPUT_INVALID' } });
});

withFfmpeg('inputs and outputs stay in the media root', { tags: 'long' }, async () => {
  const { mediaRoot, run } = await open();
  const outside = await testFolder('outside');
  await copyFile(join(mediaRoot, 'in.mp4'), join(outside, 'secret.mp4'));
  await symlink(join(outside, 'secret.mp4'), join(mediaRoot, 'link.mp4'));
  await symlink(outside, join(mediaRoot, 'folder'));
  const codeOf = async (input: string, output: string) => {
    const result = await run({ input, output, parameters: SMALL });
    return result.ok ? 'ok' : result.failure.code;
  };
  expect(await codeOf('link.mp4', 'a.mp4')).toBe('INPUT_INVALID');
  expect(await codeOf('in.mp4', 'folder/new/a.mp4')).toBe('UNSUPPORTED');
  expect(await codeOf('missing.mp4', 'a.mp4')).toBe('INPUT_NOT_FOUND');
  expect(await readdir(outside)).toEqual(['secret.mp4']);
  expect((await readdir(mediaRoot)).filter((name) => name.startsWith('.'))).toEqual([]);
});

withFfmpeg('an abort ends ffmpeg', { tags: 'long' }, async () => {
  const { mediaRoot, run } = await open();
  const controller = new AbortController();
  const request = { inputs: [{ source: 'testsrc2' }], output: 'a.mp4', parameters: { t: '3600' } };
  const result = await run(request, { signal: controller.signal, onProgress: () => controller.abort() });
  expect(result).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
  expect(await readdir(mediaRoot)).toEqual(['in.mp4']);
});

withFfmpeg('a limit and a damaged input are failures with a code', { tags: 'long' }, async () => {
  const { mediaRoot, run } = await open({ limits: { duration: 1 } });
  const codeOf = async (input: string) => {
    const result = await run({ input, output: 'a.mp4', parameters: SMALL });
    return result.ok ? 'ok' : result.failure.code;
  };
  expect(await codeOf('in.mp4')).toBe('LIMIT_EXCEEDED');
  await writeFile(join(mediaRoot, 'damaged.mp4'), 'no media');
  expect(await codeOf('damaged.mp4')).toBe('INPUT_INVALID');
  expect(await readdir(mediaRoot)).not.toContain('a.mp4');
});

withFfmpeg('keeps what ffmpeg offers in the cache folder', { tags: 'long' }, async () => {
  const cacheFolder = join(await testFolder('cache'), 'catalogues');
  await mkdir(cacheFolder, { mode: 0o700 });
  const { ffmpeg } = await open({ cacheFolder });
  await ffmpeg.close();
  expect(await readdir(cacheFolder)).toHaveLength(1);
});

withFfmpeg('finds ffmpeg in the search path, and says what to do without it', async () => {
  const searchPath = dirname(await realpath(tools().ffmpegPath));
  const { ffmpeg } = await open({ path: undefined, searchPath, sandbox: 'off' });
  expect(ffmpeg).toMatchObject({ version: tools().version, sandbox: { kind: 'none', weakness: expect.any(String) } });
  await expect(openFfmpeg({ mediaRoot: '.', searchPath: '/nowhere' })).rejects.toThrow('pass "searchPath"');
});

withFfmpeg('runs only its own plans', async () => {
  const [one, other] = [await open(), await open()];
  const plan = await one.ffmpeg.plan({ input: 'in.mp4', output: 'a.mp4' });
  if (!plan.ok) throw new Error('the plan is valid');
  await expect(other.ffmpeg.run(plan)).rejects.toThrow(TypeError);
});

withFfmpeg('publishes nothing if two outputs are one file, or a folder cannot be made', { tags: 'long' }, async () => {
  const { mediaRoot, run } = await open();
  await mkdir(join(mediaRoot, 'real'));
  await symlink('real', join(mediaRoot, 'alias'));
  await symlink('nowhere', join(mediaRoot, 'broken'));
  const failureOf = async (...paths: readonly string[]) => {
    const result = await run({ input: 'in.mp4', outputs: paths.map((output) => ({ output, parameters: SMALL })) });
    return result.ok ? 'ok' : result.failure.code;
  };
  expect(await failureOf('real/a.mp4', 'alias/a.mp4')).toBe('UNSUPPORTED');
  expect(await failureOf('real/a.mp4', 'broken/a.mp4')).toBe('UNSUPPORTED');
  expect(await readdir(join(mediaRoot, 'real'))).toEqual([]);
});

withFfmpeg('an error of the progress function is reported, and the output appears', { tags: 'long' }, async () => {
  const faults: unknown[] = [];
  const { mediaRoot, run } = await open({ onFault: (error) => faults.push(error) });
  const onProgress = () => {
    throw new Error('a mistake of the caller');
  };
  const result = await run({ input: 'in.mp4', output: 'a.mp4', parameters: SMALL }, { onProgress });
  expect(result).toMatchObject({ ok: true });
  expect(faults).toContainEqual(new Error('a mistake of the caller'));
  expect(await readdir(mediaRoot)).toContain('a.mp4');
});

needs('root')('an output on another disk below the media root appears whole', { tags: 'long' }, async () => {
  const { mediaRoot, run } = await open();
  await mkdir(join(mediaRoot, 'disk'));
  execFileSync('mount', ['-t', 'tmpfs', 'none', join(mediaRoot, 'disk')]);
  onTestFinished(() => void execFileSync('umount', [join(mediaRoot, 'disk')]));
  const request = { input: 'in.mp4', output: 'disk/a.mp4', parameters: SMALL };
  expect(await run(request)).toMatchObject({ ok: true });
  expect(await run(request)).toMatchObject({ ok: false, failure: { code: 'OUTPUT_EXISTS' } });
  expect(await run({ ...request, parameters: { ...SMALL, y: '' } })).toMatchObject({ ok: true });
  expect(await readdir(join(mediaRoot, 'disk'))).toEqual(['a.mp4']);
});
