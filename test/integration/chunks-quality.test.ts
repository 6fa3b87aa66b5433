import { rename, symlink } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expect } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, MOVIE, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { SOURCES, type SourceName } from '../support/chunk-sources.ts';
import { differences, filmFacts, similarity } from '../support/compare-media.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { runQualityChunks } from '../support/run-quality-chunks.ts';

const test = needs('ffmpeg');

const X264: Parameters = { 'c:v': 'libx264', preset: 'ultrafast', 'c:a': 'aac' };

/** A request with a quality target. */
interface Case {
  readonly source: SourceName;
  readonly target?: number;
  readonly output?: string;
  readonly parameters?: Parameters;
  /** The filters that the output has and the source lacks. */
  readonly filters?: string;
}

/** Makes the source in a scratch folder, and plans the request. */
async function planned({ source, target = 0.95, output = 'b.mp4', parameters = {} }: Case) {
  const dir = await scratch();
  const name = await SOURCES[source](dir);
  const quality: QualityTarget = { target };
  const plan = wholePlan({ input: name, output, parameters: { ...X264, ...parameters }, quality }, { chunks: true });
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

/** Runs a case in chunks and then whole. A worse value than the search found makes chunks miss the target. */
async function runBoth(one: Case, worseBy = 0) {
  const { dir, plan, runOf, input, made } = await planned(one);
  const change = <T extends { readonly value: number }>(found: T): T => ({ ...found, value: found.value + worseBy });
  const { chunks, outcome } = await runQualityChunks(dir, plan, { runOf, seconds: CHUNK_SECONDS, change });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  const inChunks = `out/chunked${extname(made)}`;
  await rename(join(dir, made), join(dir, inChunks));
  const whole = await runConversion(runOf(plan));
  if (!whole.ok) throw new Error(JSON.stringify(whole));
  expect(differences(await filmFacts(dir, made), await filmFacts(dir, inChunks))).toEqual([]);
  const [quality, ofWhole] = [outcome.outputs[0]?.quality, whole.outputs[0]?.quality];
  if (quality?.reached === undefined || ofWhole === undefined) throw new Error('The output has no quality.');
  // Measured by ffmpeg alone, over all frames of the joined film.
  const measured = await similarity(dir, input, inChunks, one.filters ?? 'null');
  expect(Math.abs(measured - quality.reached), `${measured} and ${quality.reached}`).toBeLessThan(0.001);
  const worst = chunks.toSorted((a, b) => (a.reached ?? 0) - (b.reached ?? 0))[0];
  expect(quality.chunks?.worst).toMatchObject({ score: worst?.reached, value: worst?.value });
  const { warnings } = outcome;
  return { quality, ofWhole, chunks, warnings: warnings.filter(({ code }) => /^QUALITY/.test(code)) };
}

const CASES: readonly Case[] = [
  { source: 'plain' },
  { source: 'plain', parameters: { s: '96x54', pix_fmt: 'yuv420p10le' }, filters: 'scale=96:54' },
  { source: 'silent', output: 'b.mkv', parameters: { vf: 'hflip' }, filters: 'hflip' },
  { source: 'variable in mkv', output: 'b.mkv' },
  { source: 'late start in mkv', output: 'b.mkv' },
  { source: 'edit list' },
  { source: 'ntsc', parameters: { 'c:v': 'libsvtav1', preset: '12' } },
  { source: 'plain', output: 'b.webm', parameters: { 'c:v': 'libvpx-vp9', 'cpu-used': '8', 'c:a': 'libopus' } },
];

const titleOf = ({ source, output = 'b.mp4', parameters = {} }: Case): string =>
  [`${source} → ${extname(output)}`, ...Object.entries(parameters).map((pair) => pair.join(' '))].join(', ');

for (const [at, one] of CASES.entries())
  test(`chunks with a quality target have the frames of the whole, and its quality: ${titleOf(one)}`, {
    timeout: 300_000,
    ...(at > 0 && { tags: 'long' }),
  }, async () => {
    const { quality, ofWhole, warnings } = await runBoth(one);
    expect(warnings).toEqual([]);
    expect(quality).toMatchObject({ isReached: true, chunks: { missed: 0 } });
    expect(quality.reached).toBeGreaterThan((ofWhole.reached ?? 0) - 0.004);
    expect(quality.tried.filter(({ isWhole }) => isWhole)).toHaveLength(1);
  });

for (const codec of ['libx264', 'libx265'])
  test(`chunks of ${codec} that miss a quality target are encoded once more, and join the others`, {
    timeout: 300_000,
    tags: 'long',
  }, async () => {
    const one: Case = { source: 'still title', parameters: { 'c:v': codec } };
    const { quality, chunks } = await runBoth(one, 6);
    // The still title at the start has the target with any value.
    expect(chunks[0]?.tried).toHaveLength(1);
    const again = chunks.filter(({ tried }) => tried.length > 1);
    expect(again.length).toBeGreaterThan(0);
    expect(again.length).toBeLessThan(chunks.length);
    for (const { tried, value, reached = 0 } of again) {
      const [second, first] = tried;
      expect(first?.score).toBeLessThan(0.948);
      expect([second?.value, second?.score]).toEqual([value, reached]);
      expect(reached).toBeGreaterThan(first?.score ?? 1);
    }
    expect(quality.chunks).toMatchObject({
      encodedAgain: again.length,
      missed: chunks.filter(({ isReached }) => isReached !== true).length,
      lowestValue: Math.min(...chunks.map(({ value }) => value)),
    });
  });

test('each chunk of a film has the target after at most one more encode', {
  timeout: 300_000,
  tags: 'long',
}, async () => {
  const dir = await scratch();
  const request = {
    ...{ input: 'a.mp4', output: 'b.mp4', quality: { target: 0.96 } },
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', vf: 'scale=214:-2', an: '' },
  };
  const plan = wholePlan(request, { chunks: true });
  await symlink(MOVIE, join(dir, 'in/0.mp4'));
  const runOf = (one: typeof plan) => conversion(NO_SANDBOX, dir, one, { timeoutSeconds: 240, stallSeconds: 240 });
  const { chunks, outcome } = await runQualityChunks(dir, plan, { runOf, seconds: 5 });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  const { quality } = outcome.outputs[0] ?? {};
  expect(quality).toMatchObject({ isReached: true, chunks: { missed: 0 } });
  expect(quality?.chunks?.encodedAgain).toBeGreaterThan(0);
  expect(quality?.chunks?.encodedAgain).toBeLessThan(chunks.length);
  for (const { tried, reached } of chunks) if (tried.length > 1) expect(reached).toBeLessThan(0.968);
});
