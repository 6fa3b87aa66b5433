import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import type { ConversionRun } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, MOVIE, SONG, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { testFolder } from '../support/folders.ts';
import { withFilters } from '../support/more-filters.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { ssimOf } from '../support/ssim.ts';
import { tools } from '../support/tools.ts';

type Overridable = 'signal' | 'onProgress' | 'ffmpegPath' | 'stallSeconds' | 'timeoutSeconds';

interface RunOptions extends Partial<Pick<ConversionRun, Overridable>> {
  readonly sandbox?: Sandbox;
  readonly input?: string;
  readonly name?: string;
  /** The name of the input in the request. */
  readonly from?: string;
}

/** A program that runs shell commands in the scratch folder, and then ffmpeg. */
async function wrapper(commands: string): Promise<string> {
  const path = join(await testFolder('ffmpeg-wrapper'), 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${commands}\nexec '${realpathSync(tools().ffmpegPath)}' "$@"\n`, { mode: 0o755 });
  return realpathSync(path);
}

/** Three seconds of the film, small and fast to encode. */
const SMALL: Parameters = { t: '3', vf: 'scale=214:-2', 'c:v': 'libx264', preset: 'ultrafast', an: '' };

async function run(
  quality: QualityTarget,
  parameters: Parameters = SMALL,
  { sandbox = NO_SANDBOX, input = MOVIE, name = 'o.mp4', from = 'a.mp4', ...more }: RunOptions = {},
) {
  const dir = await scratch();
  const request = { input: from, output: name, parameters, quality };
  const plan = wholePlan(request, { catalogue: withFilters('xpsnr') });
  const mounts = [{ logical: `in/0${extname(from)}`, hostPath: input }];
  const outcome = await runConversion(conversion(sandbox, dir, plan, { mounts, ...more }));
  return { dir, outcome, file: join(dir, 'out', name) };
}

const resultOf = ({ outcome }: Awaited<ReturnType<typeof run>>) => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure), { cause: outcome.log });
  const [{ quality } = {}] = outcome.outputs;
  if (quality === undefined) throw new Error('The output has no quality.');
  return { quality, warnings: outcome.warnings, log: outcome.log };
};

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(`with the sandbox ${kind}`, { tags }, () => {
    test('a short film has the quality that was asked for', async () => {
      const done = await run({ target: 0.96 }, SMALL, { sandbox });
      const { quality, warnings, log } = resultOf(done);
      expect(warnings).toEqual([]);
      expect(quality).toMatchObject({ metric: 'ssim', target: 0.96, isReached: true, option: 'crf' });
      expect(Math.abs((quality.reached ?? 0) - 0.96)).toBeLessThan(0.01);
      expect(quality.tried.length).toBeGreaterThan(1);
      const values = quality.tried.map(({ value }) => value);
      expect(Math.min(...values.map((value) => Math.abs(value - quality.value)))).toBeLessThan(4);
      expect(log).toMatch(/^Quality, samples: crf \d+(?:\.\d)? has SSIM 0\.\d+ at \d+ kb\/s$/m);
      expect(log).toMatch(new RegExp(`^Quality: the output has SSIM ${quality.reached}, the target is 0.96$`, 'm'));
      // Measured without the service: the same film, scaled to the same size.
      expect(ssimOf(done.file, MOVIE, 'trim=duration=3,scale=214:-2', 4)).toBeCloseTo(quality.reached ?? 0, 3);
    });
  });

describe('a quality target', () => {
  const test = needs('ffmpeg');

  test.each<[what: string, parameters: Parameters, filter: string]>([
    [
      'a fade at a time of the film',
      { t: '30', vf: 'scale=214:-2,fade=t=out:st=27:d=2' },
      'scale=214:-2,fade=t=out:st=27:d=2',
    ],
    ['another frame rate', { vf: 'scale=214:-2', r: '10' }, 'trim=duration=3,scale=214:-2,fps=10'],
    [
      'a film in 10 bits',
      { vf: 'scale=214:-2', pix_fmt: 'yuv420p10le' },
      'trim=duration=3,scale=214:-2,format=yuv420p10le',
    ],
  ])('%s is measured as it is encoded', { tags: 'long' }, async (_what, parameters, filter) => {
    const done = await run({ target: 0.95 }, { ...SMALL, ...parameters }, { name: 'o.mkv' });
    const { quality } = resultOf(done);
    expect(ssimOf(done.file, MOVIE, filter)).toBeCloseTo(quality.reached ?? 0, 3);
    // A sample that is compared with other frames than those that were encoded would have a much lower score.
    expect(Math.abs((quality.reached ?? 0) - 0.95)).toBeLessThan(0.02);
  });

  test('frames that ffmpeg drops to keep a rate are paired by time', { tags: 'long' }, async () => {
    const done = await run({ target: 0.9 }, { ...SMALL, fpsmax: '12' }, { name: 'o.mkv' });
    expect(Math.abs((resultOf(done).quality.reached ?? 0) - 0.9)).toBeLessThan(0.05);
  });

  test('a video in Matroska that begins after its audio is paired with its source', { tags: 'long' }, async () => {
    const source = join(await scratch(), 'late.mkv');
    // The audio of the output begins 21 ms before 0, which is more than a frame: Matroska shifts the video as well.
    await promisify(execFile)(tools().ffmpegPath, [
      ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=50:d=3'],
      ...['-f', 'lavfi', '-t', '3.3', '-i', 'sine=440:r=48000', '-filter:v', 'setpts=PTS+0.3/TB'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10', '-c:a', 'pcm_s16le', source],
    ]);
    const parameters: Parameters = { 'c:v': 'libx264', preset: 'ultrafast', fps_mode: 'cfr', 'c:a': 'aac' };
    const done = await run({ target: 0.95 }, parameters, { input: source, from: 'a.mkv', name: 'o.mkv' });
    const { quality } = resultOf(done);
    // Fifteen frames are repeated at the start, and the source has none to compare them with.
    expect(ssimOf(done.file, source, 'null', undefined, 15)).toBeCloseTo(quality.reached ?? 0, 3);
  });

  test('the bit rate counts more than the target, and a warning says by how much it is missed', {
    tags: 'long',
  }, async () => {
    const { quality, warnings } = resultOf(await run({ target: 0.995, maxBitrate: 60_000 }));
    expect(quality.isReached).toBe(false);
    expect(quality.reached).toBeLessThan(0.993);
    expect(warnings).toEqual([
      {
        field: '/quality/maxBitrate',
        code: 'QUALITY_MISSED',
        message: `The output has SSIM ${quality.reached} with crf ${quality.value}, and the target is 0.995.`,
        fix: expect.stringContaining('Send a higher "maxBitrate"'),
      },
    ]);
  });

  test('the size counts more than the target, with room for the audio', { tags: 'long' }, async () => {
    const { an: _, ...withAudio } = SMALL;
    const done = await run({ target: 0.995, maxSize: 90_000 }, { ...withAudio, 'b:a': '64k', ac: '1' });
    const { warnings } = resultOf(done);
    expect(warnings).toMatchObject([{ field: '/quality/maxSize', code: 'QUALITY_MISSED' }]);
    expect((await stat(done.file)).size).toBeLessThanOrEqual(90_000);
  });

  test('that the samples of the video miss is reported with what came out, and nothing is encoded again', {
    tags: 'long',
  }, async () => {
    // Samples have no frame with this noise, so the full video is worse than they are.
    const vf = "scale=160:-2,noise=alls=50:allf=t:enable='between(t,5,9)'";
    const done = await run({ target: 0.96 }, { ...SMALL, t: '30', vf });
    const { quality, warnings } = resultOf(done);
    expect(quality.tried.filter(({ isWhole }) => isWhole)).toMatchObject([
      { value: quality.value, score: quality.reached },
    ]);
    expect(quality.isReached).toBe(false);
    expect(warnings).toMatchObject([{ code: 'QUALITY_MISSED', field: '/quality/target' }]);
    expect(warnings[0]?.message).toBe(
      `The output has SSIM ${quality.reached} with crf ${quality.value}, and the target is 0.96.`,
    );
    expect(ssimOf(done.file, MOVIE, vf)).toBeCloseTo(quality.reached ?? 0, 2);
    expect(await readdir(join(done.dir, 'pass'))).toEqual([]);
  });

  test('a cancel while the output is measured ends the job', { tags: 'long' }, async () => {
    const cancel = new AbortController();
    let cancelledAt = 0;
    const onProgress = ({ percent = 0 }: { readonly percent?: number }) => {
      if (percent <= 67) return;
      cancelledAt ||= performance.now();
      cancel.abort();
    };
    const { outcome } = await run({ target: 0.96 }, { ...SMALL, t: '30' }, { signal: cancel.signal, onProgress });
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
    expect(performance.now() - cancelledAt).toBeLessThan(10_000);
  });

  test('a search that needs too much space fails', { tags: 'long' }, async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort({ code: 'NO_SPACE', message: 'Full.' });
    const { outcome } = await run({ target: 0.96 }, SMALL, { signal: stop.signal, onProgress });
    expect(outcome.ok).toBe(false);
  });

  test('an output whose measurement is stopped is complete, with a warning', { tags: 'long' }, async () => {
    const ffmpegPath = await wrapper('case "$*" in *movie=*out/*) exec sleep 60 ;; esac');
    const done = await run({ target: 0.96 }, SMALL, { ffmpegPath, stallSeconds: 6 });
    const { quality, warnings } = resultOf(done);
    expect(quality).not.toHaveProperty('reached');
    expect(warnings).toMatchObject([{ field: '/quality', code: 'QUALITY_UNKNOWN' }]);
    expect((await stat(done.file)).size).toBeGreaterThan(10_000);
  });

  test('a size has room for audio whose bit rate only its encoder knows', { tags: 'long' }, async () => {
    const { an: _, ...withAudio } = SMALL;
    const lossless: Parameters = { ...withAudio, 'c:a': 'flac', ac: '1' };
    const done = await run({ target: 0.995, maxSize: 260_000 }, lossless, { name: 'o.mkv' });
    expect((await stat(done.file)).size).toBeLessThanOrEqual(260_000);
    const { outcome } = await run({ target: 0.995, maxSize: 100_000 }, lossless, { name: 'o.mkv' });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('the audio alone needs') },
    });
  });

  test('a size has room for audio that could not be encoded alone', { tags: 'long' }, async () => {
    const { an: _, ...withAudio } = SMALL;
    const ffmpegPath = await wrapper('case "$*" in *"-vn -sn -dn"*) exit 1 ;; esac');
    const done = await run({ target: 0.995, maxSize: 90_000 }, { ...withAudio, 'b:a': '64k', ac: '1' }, { ffmpegPath });
    expect(resultOf(done).warnings).toMatchObject([{ field: '/quality/maxSize', code: 'QUALITY_MISSED' }]);
    expect((await stat(done.file)).size).toBeLessThanOrEqual(90_000);
  });

  test('a size has room for the video if there is no audio', { tags: 'long' }, async () => {
    const { an: _, ...parameters } = SMALL;
    const done = await run({ target: 0.9, maxSize: 60_000 }, { ...parameters, map: ['0', '-0:a'] });
    // Three seconds of audio at 128 kb/s would need most of it.
    expect(resultOf(done).quality.isReached).toBe(true);
    expect((await stat(done.file)).size).toBeLessThanOrEqual(60_000);
  });

  test('a cancel during the search ends it', async () => {
    const cancel = new AbortController();
    let cancelledAt = 0;
    const { outcome } = await run(
      { target: 0.97 },
      { ...SMALL, t: '30', preset: 'slow' },
      {
        signal: cancel.signal,
        onProgress: () => {
          cancelledAt ||= performance.now();
          cancel.abort();
        },
      },
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
    // The search alone would take longer.
    expect(performance.now() - cancelledAt).toBeLessThan(10_000);
  });

  test('progress rises through the search, the encode and the measurement', { tags: 'long' }, async () => {
    const percents: number[] = [];
    resultOf(await run({ target: 0.96 }, SMALL, { onProgress: ({ percent = 0 }) => percents.push(percent) }));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.filter((one) => one > 0 && one < 34)).not.toEqual([]);
    expect(percents.filter((one) => one > 34 && one < 100)).not.toEqual([]);
    expect(percents.at(-1)).toBe(100);
  });

  test('an image that is repeated, and a test picture, have an end', { tags: 'long' }, async () => {
    const still: Parameters = { ...SMALL, vf: 'scale=214:-2', t: '2' };
    const dir = await scratch();
    const inputs = [{ source: 'testsrc2=s=320x180', duration: '12' }];
    const plan = wholePlan({ inputs, output: 'o.mp4', parameters: { ...still, t: '12' }, quality: { target: 0.97 } });
    let started = 0;
    const made = await runConversion(conversion(NO_SANDBOX, dir, plan, { mounts: [], onStart: () => started++ }));
    // A test picture has nothing of a real video, so samples say little of the full video.
    const reached = (made.ok ? made.outputs[0]?.quality?.reached : undefined) ?? 0;
    expect(Math.abs(reached - 0.97)).toBeLessThan(0.01);
    expect(started).toBe(1);
    const image = join(dir, 'a.png');
    await promisify(execFile)(tools().ffmpegPath, ['-v', 'error', '-i', MOVIE, '-frames:v', '1', image]);
    const looped = await run({ target: 0.97 }, { ...still, loop: '1' }, { input: image, from: 'a.png' });
    expect(looped.outcome).toMatchObject({ ok: true, outputs: [{ durationSeconds: expect.closeTo(2, 1) }] });
    expect(resultOf(looped).quality.isReached).toBe(true);
  });

  test('a filter that drops the frames of all samples fails, and the message tells of "ss" and "t"', {
    tags: 'long',
  }, async () => {
    const failureWith = async (vf: string) => (await run({ target: 0.95 }, { ...SMALL, t: '30', vf })).outcome;
    expect(await failureWith('trim=start=50')).toMatchObject({ ok: false, failure: { code: 'FFMPEG_FAILED' } });
    const part = await failureWith('trim=start=20:end=20.5,setpts=PTS-STARTPTS');
    expect(part).toMatchObject({ ok: false, failure: { code: 'UNSUPPORTED', fix: expect.stringMatching(/"ss"/) } });
  });

  test('an input without a video fails as it does without a target', { tags: 'long' }, async () => {
    const { outcome } = await run({ target: 0.96 }, { map: '0:v' }, { input: SONG });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'INPUT_INVALID', message: expect.stringMatching(/no video/) },
    });
  });

  needs('ffmpeg', 'ffmpeg 7.1')('XPSNR is measured where ffmpeg has it', async () => {
    const { quality } = resultOf(await run({ target: 38 }));
    expect(quality).toMatchObject({ metric: 'xpsnr', isReached: true });
  });
});
