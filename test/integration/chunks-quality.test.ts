import { rename } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { SOURCES, type SourceName } from '../support/chunk-sources.ts';
import { differences, filmFacts, similarity } from '../support/compare-media.ts';
import { installedCatalogue, isUncomparedCopy } from '../support/installed-catalogue.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { runQualityChunks } from '../support/run-quality-chunks.ts';
import { ffmpegRelease } from '../support/tools.ts';

const test = needs('ffmpeg');

const catalogue = installedCatalogue();

const X264: Parameters = { 'c:v': 'libx264', preset: 'ultrafast', 'c:a': 'aac' };

/** A request with a quality target. */
interface Case {
  readonly source: SourceName;
  readonly target?: number;
  readonly output?: string;
  readonly parameters?: Parameters;
  /** The filters that the output has and the source lacks. */
  readonly filters?: string;
  /** The pixel format of the output. Absent: `yuv420p`, or one with as many chroma samples. */
  readonly pixelFormat?: string;
}

/** Makes the source in a scratch folder, and plans the request. */
async function planned({ source, target = 0.95, output = 'b.mp4', parameters = {} }: Case) {
  const dir = await scratch();
  const name = await SOURCES[source](dir);
  const quality: QualityTarget = { target };
  const plan = wholePlan(
    { input: name, output, parameters: { ...X264, ...parameters }, quality },
    { chunks: true, catalogue },
  );
  const [{ logical } = { logical: '' }] = plan.inputs;
  await rename(join(dir, 'in', name), join(dir, logical));
  const runOf = (one: typeof plan) =>
    conversion(NO_SANDBOX, dir, one, {
      mounts: [{ logical, hostPath: join(dir, logical) }],
      timeoutSeconds: 240,
      stallSeconds: 240,
    });
  return { dir, plan, runOf, input: logical, made: join('out', output) };
}

/** Three seconds each, of a film of 7 s or 12 s. */
const CHUNK_SECONDS = 3;

/** Runs a case in chunks and then whole. */
async function runBoth(one: Case, skip: TestContext['skip']) {
  const { dir, plan, runOf, input, made } = await planned(one);
  skip(isUncomparedCopy(plan), 'With ffmpeg 6, it runs whole.');
  const { chosen, chunks, outcome } = await runQualityChunks(dir, plan, { runOf, seconds: CHUNK_SECONDS });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  expect(chunks).toBeGreaterThan(1);
  const inChunks = `out/chunked${extname(made)}`;
  await rename(join(dir, made), join(dir, inChunks));
  const whole = await runConversion(runOf(plan));
  if (!whole.ok) throw new Error(JSON.stringify(whole));
  expect(differences(await filmFacts(dir, made), await filmFacts(dir, inChunks))).toEqual([]);
  // All chunks have the value of the samples. Nothing measures the joined video.
  const [{ quality } = {}] = outcome.outputs;
  expect(quality).toEqual(chosen.quality);
  expect(quality?.value).toBe(whole.outputs[0]?.quality?.value);
  const measured = await similarity(dir, input, inChunks, one.filters, one.pixelFormat);
  const { warnings } = outcome;
  return {
    ...{ measured, reached: whole.outputs[0]?.quality?.reached ?? 0 },
    warnings: warnings.filter(({ code }) => /^QUALITY/.test(code)),
  };
}

const CASES: readonly Case[] = [
  { source: 'plain' },
  { source: 'plain', parameters: { s: '96x54', pix_fmt: 'yuv420p10le' }, filters: 'scale=96:54' },
  { source: 'silent', output: 'b.mkv', parameters: { vf: 'hflip' }, filters: 'hflip' },
  { source: 'variable in mkv', output: 'b.mkv' },
  { source: 'late start in mkv', output: 'b.mkv' },
  // Before ffmpeg 6, its first frame is repeated, because it begins half a frame after the audio.
  { source: 'late start in mkv', ...(ffmpegRelease() < 6 && { filters: 'tpad=start=1:start_mode=clone' }) },
  { source: 'edit list' },
  { source: 'interlaced', parameters: { vf: 'yadif' }, filters: 'yadif', pixelFormat: 'yuv422p' },
  // Newer releases of SVT-AV1 want at least 64 lines.
  { source: 'ntsc', parameters: { s: '160x90', 'c:v': 'libsvtav1', preset: '12' }, filters: 'scale=160:90' },
  { source: 'plain', output: 'b.webm', parameters: { 'c:v': 'libvpx-vp9', 'cpu-used': '8', 'c:a': 'libopus' } },
];

const titleOf = ({ source, output = 'b.mp4', parameters = {} }: Case): string =>
  [`${source} → ${extname(output)}`, ...Object.entries(parameters).map((pair) => pair.join(' '))].join(', ');

for (const [at, one] of CASES.entries())
  test(`chunks with a quality target have the frames of the whole, and its quality: ${titleOf(one)}`, {
    timeout: 300_000,
    ...(at > 0 && { tags: 'long' }),
  }, async ({ skip }) => {
    const { measured, reached, warnings } = await runBoth(one, skip);
    expect(warnings).toEqual([]);
    // The rate control of an encoder begins anew with each chunk of three seconds.
    expect(Math.abs(measured - reached)).toBeLessThan(0.01);
  });
