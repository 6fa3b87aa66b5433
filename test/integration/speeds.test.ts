import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { hasEdits } from '../../packages/contract/src/domain/edit.ts';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import { type Plan, planOfOutput } from '../../packages/contract/src/domain/plan.ts';
import { predictOutput } from '../../packages/ffmpeg/src/estimate/predict.ts';
import { parseProbeAnswer } from '../../packages/ffmpeg/src/probe/read-answer.ts';
import { foreseenWarnings } from '../../packages/ffmpeg/src/rules/find-warnings.ts';
import { faultGuard } from '../../packages/ffmpeg/src/rules/rule.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { readFacts } from '../../packages/service/src/recipes/facts.ts';
import { conversion, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { applyRecipe } from '../support/apply-recipe.ts';
import { installedCatalogue } from '../support/installed-catalogue.ts';
import { makeOnce } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { ffmpegRelease, tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const execute = promisify(execFile);

/** 60 frames of 29.97 frames per second. The time base of the MP4 is 1/30000 s. */
async function film(extension: 'mp4' | 'mkv'): Promise<string> {
  const folder = await makeOnce('film-at-30000', async (dir) => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=30000/1001:duration=2.002'];
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    await execute(tools().ffmpegPath, [
      ...['-v', 'error', ...source, ...video, '-video_track_timescale', '30000', join(dir, 'film.mp4')],
      ...[...video, join(dir, 'film.mkv')],
    ]);
  });
  return join(folder, `film.${extension}`);
}

async function probed(file: string): Promise<MediaInfo> {
  const args = ['-v', 'error', '-print_format', 'json', '-count_packets', '-show_format', '-show_streams'];
  const { stdout } = await execute(tools().ffprobePath ?? '', [...args, '-show_chapters', file]);
  const info = parseProbeAnswer(stdout);
  if (info === undefined) throw new Error(stdout);
  return info;
}

const planned = (request: ConversionRequest): Plan => wholePlan(request, { catalogue: installedCatalogue() });

/** Converts the film, and returns the rate, the number of frames, the length in seconds and the level of the video. */
async function converted(plan: Plan, source: string) {
  const dir = await scratch();
  const run = conversion(NO_SANDBOX, dir, plan, {
    mounts: [{ logical: plan.inputs[0]?.logical ?? '', hostPath: source }],
  });
  const outcome = await runConversion(run);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  const file = join(dir, plan.outputs[0]?.logical ?? '');
  const video = ['-select_streams', 'v', '-count_packets', '-show_entries'];
  const { stdout } = await execute(tools().ffprobePath ?? '', [
    ...[
      '-v',
      'error',
      '-print_format',
      'json',
      ...video,
      'stream=level,avg_frame_rate,nb_read_packets:format=duration',
    ],
    file,
  ]);
  const { streams, format } = JSON.parse(stdout);
  const [{ level, avg_frame_rate: rate, nb_read_packets: frames }] = streams;
  return { level, rate, frames: Number(frames), seconds: Number(format.duration) };
}

/** The level of H.264 for 160x90 at 29.97 frames per second, at the bit rates of these tests, or the next higher ones. */
const MAX_LEVEL = 21;

describe('the recipe speed keeps the frame rate of the video, with a level that players accept', () => {
  test.for([
    ['mp4', 2, 30, 1.001],
    ['mkv', 2, 30, 1.001],
    ['mp4', 0.5, 120, 4.004],
  ] as const)('%s, %d times as fast', async ([extension, factor, frames, seconds]) => {
    const source = await film(extension);
    const { request } = applyRecipe(
      {
        ...{ input: `a.${extension}`, output: `b.${extension}`, preset: { name: 'speed', arguments: { factor } } },
        parameters: { preset: 'ultrafast', maxrate: '300k', bufsize: '600k' },
      },
      readFacts(await probed(source)),
    );
    const result = await converted(planned(request), source);
    expect(result).toMatchObject({ rate: '30000/1001' });
    expect(Math.abs(result.frames - frames), `${result.frames} frames`).toBeLessThanOrEqual(1);
    expect(result.seconds).toBeCloseTo(seconds, 1);
    expect(result.level).toBeLessThanOrEqual(MAX_LEVEL);
  });
});

test('the fix of a dry run about "setpts" gives the level of the video', async () => {
  const source = await film('mp4');
  const media = [await probed(source)];
  const parameters: Parameters = { 'c:v': 'libx264', preset: 'ultrafast', maxrate: '300k', bufsize: '600k' };
  const requestOf = (vf: string): ConversionRequest => ({
    ...{ input: 'a.mp4', output: 'b.mp4', parameters: { ...parameters, vf } },
  });
  const guard = faultGuard((error) => {
    throw error;
  });
  const foreseenOf = (plan: Plan) =>
    plan.outputs.flatMap((output, index) => {
      const predicted = predictOutput(plan, output, media);
      if (typeof predicted === 'string') throw new Error(predicted);
      return foreseenWarnings(planOfOutput(plan, index), media, predicted, guard);
    });
  const plan = planned(requestOf('setpts=PTS/2'));
  const [warning, ...others] = foreseenOf(plan);
  expect(others).toEqual([]);
  if (ffmpegRelease() < 7) {
    expect(warning).toBeUndefined();
    expect((await converted(plan, source)).level).toBeLessThanOrEqual(MAX_LEVEL);
    return;
  }
  expect(warning).toMatchObject({ code: 'UNKNOWN_FRAME_RATE', rule: 'setpts-without-rate', field: '/parameters/vf' });
  // The filter of ffmpeg 8.1 and later keeps the rate.
  if (ffmpegRelease() === 7) expect((await converted(plan, source)).level).toBeGreaterThan(50);
  const fix = warning?.fix;
  const [edit] = hasEdits(fix) ? fix.edits : [];
  const fixed = planned(requestOf(edit?.do === 'send' ? String(edit.value) : ''));
  expect(foreseenOf(fixed)).toEqual([]);
  const result = await converted(fixed, source);
  expect(result).toMatchObject({ rate: '30000/1001', frames: 30 });
  expect(result.level).toBeLessThanOrEqual(MAX_LEVEL);
});
