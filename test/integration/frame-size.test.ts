import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Progress, SampleProgress } from '../../packages/contract/src/domain/job.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { ConversionRun } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { withChosen } from '../../packages/ffmpeg/src/sampling/fill-argv.ts';
import { findBySamples } from '../../packages/ffmpeg/src/sampling/run/find-by-samples.ts';
import { conversion, MOVIE, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { makeOnce } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const execute = promisify(execFile);

/** Ten seconds of the film again and again: three minutes, with 12 frames per second and 144 lines. */
async function longMovie(): Promise<string> {
  const folder = await makeOnce('long-movie', async (dir) => {
    const video = ['-vf', 'scale=256:144', '-r', '12', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12'];
    await execute(tools().ffmpegPath, ['-v', 'error', '-t', '10', '-i', MOVIE, '-an', ...video, join(dir, 'once.mp4')]);
    const copied = [
      '-stream_loop',
      '18',
      '-i',
      join(dir, 'once.mp4'),
      '-t',
      '181',
      '-c',
      'copy',
      join(dir, 'long.mp4'),
    ];
    await execute(tools().ffmpegPath, ['-v', 'error', ...copied]);
  });
  return join(folder, 'long.mp4');
}

const planWith = (parameters: Parameters): Plan =>
  wholePlan({
    ...{ input: 'a.mp4', output: 'b.mp4', frameSize: 'auto' },
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', pass: '2', an: '', ...parameters },
  });

async function runOf(plan: Plan, movie: string, more: Partial<ConversionRun> = {}) {
  const dir = await scratch();
  return {
    dir,
    run: conversion(NO_SANDBOX, dir, plan, { mounts: [{ logical: 'in/0.mp4', hostPath: movie }], ...more }),
  };
}

async function chosenFor(parameters: Parameters, movie: string, more: Partial<ConversionRun> = {}) {
  const { run } = await runOf(planWith(parameters), movie, more);
  const found = await findBySamples(run);
  if (!found.ok || found.value.frameSize === undefined) throw new Error(JSON.stringify(found));
  return found.value.frameSize;
}

describe('the frame size for a bit rate', () => {
  test('is found also if other workers need longer for all samples than the limit "time" allows for one', async () => {
    const { run } = await runOf(planWith({ 'b:v': '20k' }), await longMovie(), { timeoutSeconds: 6, stallSeconds: 6 });
    let waitMs = 6500;
    const found = await findBySamples(run, async (tasks) => {
      await sleep(waitMs);
      waitMs = 0;
      return tasks.map(({ candidates }) => candidates.map((one) => ({ ...one, score: 0.9, bytes: 1000, seconds: 1 })));
    });
    expect(found).toMatchObject({ ok: true, value: { frameSize: { compared: expect.anything() } } });
  });

  test('is that of the samples which look best, and the job says why', async () => {
    const counts: SampleProgress[] = [];
    const onProgress = ({ samples }: Progress): void => void (samples && counts.push(samples));
    const movie = await longMovie();
    const { width, height, compared = [], reason } = await chosenFor({ 'b:v': '20k' }, movie, { onProgress });
    expect(compared.length).toBeGreaterThan(1);
    // The count begins before the first sample is encoded, and has each of them.
    const done = [...new Set(counts.map((one) => one.done))];
    expect(done).toEqual(done.map((_, index) => index));
    expect(done.length).toBeGreaterThan(compared.length);
    expect(counts.every((one) => one.choose === 'frameSize' && one.total >= one.done)).toBe(true);
    const best = compared.toSorted((a, b) => b.score - a.score)[0];
    expect({ width, height }).toEqual({ width: best?.width, height: best?.height });
    expect(reason).toMatch(
      new RegExp(`^At 20 kb/s, samples in ${width}x${height} are most like the source: SSIM 0\\.\\d{4}\\. `),
    );
  });

  test('is the usual one for a short video, without samples', async () => {
    const { compared, ...chosen } = await chosenFor({ 'b:v': '20k', t: '10' }, await longMovie());
    expect(compared).toBeUndefined();
    expect(chosen).toEqual({
      ...{ width: 206, height: 116, bitsPerSecond: 20_000 },
      reason: expect.stringMatching(/^The video is shorter than 180 s\. So it has the usual size for 20 kb\/s\.$/),
    });
  });

  test.for([
    ['1920x1080', '1', '1:1'],
    ['720x576', '16/15', '16:15'],
  ] as const)(
    'a video of %s with pixels of %s keeps the shape of its pixels',
    { tags: 'long' },
    async ([size, sar, expected]) => {
      const dir = await scratch();
      const movie = join(dir, 'movie.mp4');
      const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=5:duration=0.4,setsar=${sar}`];
      const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
      await execute(tools().ffmpegPath, ['-v', 'error', ...source, ...video, movie]);
      const { dir: out, run } = await runOf(planWith({ 'b:v': '100k' }), movie);
      const outcome = await runConversion(run);
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
      expect(outcome.outputs[0]?.frameSize?.height).toBeLessThan(Number(size.split('x')[1]));
      const shape = await pixelShapeOf(join(out, 'out/b.mp4'));
      if (sar === '1') expect(shape).toBe(1);
      else expect(shape).toBeCloseTo(ratioOf(expected), 1);
    },
  );

  test('is that of the video which the passes encode, if there are several', { tags: 'long' }, async () => {
    const movie = join(await scratch(), 'two.mp4');
    const sources = ['160x120', '320x180'].flatMap((size) => [
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=${size}:rate=5:duration=1`,
    ]);
    const video = [
      '-map',
      '0',
      '-map',
      '1',
      '-disposition:0',
      '0',
      '-disposition:1',
      'default',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
    ];
    await execute(tools().ffmpegPath, ['-v', 'error', ...sources, ...video, movie]);
    expect(await chosenFor({ 'b:v': '5M' }, movie)).toMatchObject({ width: 320, height: 180 });
    expect(await chosenFor({ 'b:v': '5M', map: '0:v:0' }, movie)).toMatchObject({ width: 160, height: 120 });
  });

  test('is the usual one if filters drop all frames of the samples', { timeout: 240_000 }, async () => {
    const vf = "select='between(t,180.3,180.6)'";
    const { reason, compared } = await chosenFor({ 'b:v': '20k', vf }, await longMovie());
    expect(compared).toBeUndefined();
    expect(reason).toBe('Samples of the video cannot be encoded or compared. So it has the usual size for 20 kb/s.');
  });

  test('is chosen before the passes, which all have it', { tags: 'long' }, async () => {
    const percents: number[] = [];
    const { run } = await runOf(planWith({ 'b:v': '20k' }), await longMovie(), {
      onProgress: ({ percent = 0 }) => percents.push(percent),
    });
    const outcome = await runConversion(run);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
    const [{ frameSize, streams } = {}] = outcome.outputs;
    expect(streams).toMatchObject([{ width: frameSize?.width, height: frameSize?.height }]);
    expect(outcome.log).toContain(`Frame size: ${frameSize?.width}x${frameSize?.height}. At 20 kb/s`);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
  });

  for (const rate of ['10k', '20k', '60k'])
    test(`at ${rate} is as good as any other when the full video is encoded`, {
      tags: 'long',
      timeout: 240_000,
    }, async () => {
      const movie = await longMovie();
      const plan = planWith({ 'b:v': rate });
      const chosen = await chosenFor({ 'b:v': rate }, movie);
      const scoreOf = async (size: { readonly width: number; readonly height: number }): Promise<number> => {
        const { dir, run } = await runOf(withChosen(plan, { frameSize: { ...chosen, ...size } }), movie);
        const outcome = await runConversion(run);
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
        const score = await similarityOf(movie, join(dir, 'out/b.mp4'));
        await rm(dir, { recursive: true, force: true });
        return score;
      };
      const scores = await Promise.all(
        [chosen, { width: 256, height: 144 }, { width: 192, height: 108 }, { width: 170, height: 96 }].map(scoreOf),
      );
      expect(scores[0], `${chosen.height}: ${scores.join(', ')}`).toBeGreaterThan(Math.max(...scores) - 0.004);
    });
});

const ratioOf = (text: string): number => {
  const [width = 0, height = 1] = text.split(':').map(Number);
  return width / height;
};

/** The width of the pixels of a video, by their height. */
async function pixelShapeOf(file: string): Promise<number> {
  const shown = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=sample_aspect_ratio',
    '-of',
    'csv=p=0',
  ];
  const { stdout } = await execute(tools().ffprobePath, [...shown, file]);
  return ratioOf(stdout.trim());
}

/** The SSIM of a video, after scaling up to its source. */
async function similarityOf(source: string, file: string): Promise<number> {
  const graph = '[1:v]scale=256:144:flags=bicubic,setpts=N/12/TB[a];[0:v]setpts=N/12/TB[b];[a][b]ssim';
  const { stderr } = await execute(
    tools().ffmpegPath,
    ['-hide_banner', '-i', source, '-i', file, '-lavfi', graph, '-f', 'null', '-'],
    { maxBuffer: 2 ** 26 },
  );
  return Number(/SSIM .*All:([\d.]+)/.exec(stderr)?.[1]);
}
