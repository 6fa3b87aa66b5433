import { mkdir, readFile, rename } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expect } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { shortfalls } from '../support/as-good.ts';
import { SOURCES, type SourceName } from '../support/chunk-sources.ts';
import { installedCatalogue } from '../support/installed-catalogue.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { runQualityChunks } from '../support/run-quality-chunks.ts';

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
  /** How much worse a frame may be, in decibels. Default: 5. */
  readonly decibels?: number;
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
async function runBoth(one: Case) {
  const { dir, plan, runOf, input, made } = await planned(one);
  const { chosen, starts, outcome } = await runQualityChunks(dir, plan, { runOf, seconds: CHUNK_SECONDS });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  expect(starts.length).toBeGreaterThan(1);
  const inChunks = `out/chunked${extname(made)}`;
  await rename(join(dir, made), join(dir, inChunks));
  const whole = await runConversion(runOf(plan));
  if (!whole.ok) throw new Error(JSON.stringify(whole));
  // The rate control of an encoder begins anew with each chunk of three seconds.
  const compared = {
    source: input,
    whole: made,
    inChunks,
    filters: one.filters ?? 'null',
    ssim: 0.01,
    decibels: one.decibels ?? 5,
  };
  expect(await shortfalls(dir, { ...compared, chunks: starts.length, seams: starts.slice(1) })).toEqual([]);
  // All chunks have the value of the samples. Nothing measures the joined video.
  const [{ quality } = {}] = outcome.outputs;
  expect(quality).toEqual(chosen.quality);
  expect(quality?.value).toBe(whole.outputs[0]?.quality?.value);
  const warnings = outcome.warnings.filter(({ code }) => /^QUALITY/.test(code));
  expect(warnings).toEqual([]);
}

test('a ladder per title in chunks has the rungs that samples tell, which are as good as those of the whole', {
  timeout: 300_000,
}, async () => {
  const dir = await scratch();
  const name = await SOURCES.plain(dir);
  const parameters = { ...X264, hls_time: '2', hls_segment_type: 'fmp4' };
  const request = { input: name, output: 'hls/film.m3u8', parameters, ladder: { target: 0.96, maxRungs: 3 } };
  const plan = wholePlan(request, { chunks: true, catalogue });
  const [{ logical } = { logical: '' }] = plan.inputs;
  await rename(join(dir, 'in', name), join(dir, logical));
  const runOf = (one: typeof plan) =>
    conversion(NO_SANDBOX, dir, one, { mounts: [{ logical, hostPath: join(dir, logical) }] });
  const { chosen, starts, outcome } = await runQualityChunks(dir, plan, { runOf, seconds: CHUNK_SECONDS });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  const [{ ladder } = {}] = outcome.outputs;
  const sizes = ({
    width,
    height,
    value,
  }: {
    readonly width: number;
    readonly height: number;
    readonly value: number;
  }) => `${width}x${height} ${value}`;
  expect(ladder?.rungs.map(sizes)).toEqual(chosen.ladder?.rungs.map(sizes));
  expect(ladder?.rungs.length).toBeGreaterThan(1);
  await rename(join(dir, 'out'), join(dir, 'chunked'));
  await mkdir(join(dir, 'out'));
  const whole = await runConversion(runOf(plan));
  if (!whole.ok) throw new Error(JSON.stringify(whole));
  expect(whole.outputs[0]?.ladder?.rungs.map(sizes)).toEqual(ladder?.rungs.map(sizes));
  const masterIn = async (folder: string) => {
    const text = await readFile(join(dir, folder, 'film.m3u8'), 'utf8');
    return text.replaceAll(/BANDWIDTH=\d+/g, 'BANDWIDTH=');
  };
  expect(await masterIn('chunked')).toBe(await masterIn('out'));
  for (const [rung, { width, height }] of (ladder?.rungs ?? []).entries()) {
    const files = { whole: `out/film_${rung}.m3u8`, inChunks: `chunked/film_${rung}.m3u8` };
    const compared = { source: logical, ...files, filters: `scale=${width}:${height}`, chunks: starts.length };
    const found = await shortfalls(dir, { ...compared, seams: starts.slice(1), ssim: 0.01, decibels: 5 });
    expect(found.filter((one) => !/^stream \d+ begins|^streams/.test(one))).toEqual([]);
  }
});

const CASES: readonly Case[] = [
  { source: 'plain' },
  { source: 'plain', parameters: { s: '96x54', pix_fmt: 'yuv420p10le' }, filters: 'scale=96:54' },
  { source: 'silent', output: 'b.mkv', parameters: { vf: 'hflip' }, filters: 'hflip' },
  { source: 'variable in mkv', output: 'b.mkv' },
  { source: 'late start in mkv', output: 'b.mkv' },
  { source: 'late start in mkv' },
  { source: 'edit list' },
  { source: 'interlaced', parameters: { vf: 'yadif' }, filters: 'yadif' },
  // Newer releases of SVT-AV1 want at least 64 lines.
  {
    source: 'ntsc',
    parameters: { s: '160x90', 'c:v': 'libsvtav1', preset: '12' },
    filters: 'scale=160:90',
    decibels: 10,
  },
  { source: 'plain', output: 'b.webm', parameters: { 'c:v': 'libvpx-vp9', 'cpu-used': '8', 'c:a': 'libopus' } },
];

const titleOf = ({ source, output = 'b.mp4', parameters = {} }: Case): string =>
  [`${source} → ${extname(output)}`, ...Object.entries(parameters).map((pair) => pair.join(' '))].join(', ');

for (const [at, one] of CASES.entries())
  test(`chunks with a quality target have the frames of the whole, and its quality: ${titleOf(one)}`, {
    timeout: 300_000,
    ...(at > 0 && { tags: 'long' }),
  }, async () => {
    await runBoth(one);
  });
