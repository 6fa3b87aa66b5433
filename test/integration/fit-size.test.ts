import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, MOVIE, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { applyRecipe } from '../support/apply-recipe.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';

const test = needs('ffmpeg');

/** What a probe of the movie tells. */
const FACTS = { duration: 30.02, width: 854, height: 480, fps: 24, bitrate: 1_300_000, sounds: 1 };

const planFor = (size: number, more: Partial<ConversionRequest> = {}): Plan =>
  wholePlan(
    applyRecipe(
      { inputs: ['a.mp4'], output: 'b.mp4', preset: { name: 'target-size', arguments: { size } }, ...more },
      FACTS,
    ).request,
  );

/** The plan with another bit rate of the video in all passes. */
const withRate = (plan: Plan, rate: string): Plan => ({
  ...plan,
  passes: plan.passes.map((argv) => argv.with(argv.indexOf('-b:v') + 1, rate)),
});

/** A small picture and a third of the movie: two encodes of all of it take ten seconds of a processor. */
const SMALL = { preset: 'veryfast', vf: 'scale=426:-2' };
const QUICK = { parameters: { ...SMALL, t: '10' } };

async function run(plan: Plan) {
  const dir = await scratch();
  const percents: number[] = [];
  const outcome = await runConversion(
    conversion(NO_SANDBOX, dir, plan, {
      mounts: [{ logical: 'in/0.mp4', hostPath: MOVIE }],
      onProgress: ({ percent }) => percent !== undefined && percents.push(percent),
    }),
  );
  const { size: bytes } = await lstat(join(dir, 'out/b.mp4')).catch(() => ({ size: 0 }));
  return { outcome, bytes, percents };
}

const LARGE = /^The file has (\d+) bytes, and may have (\d+): encode again with (\d+) kb\/s of video$/m;

describe('the size of a file', () => {
  test.for<[what: string, size: number, more?: Partial<ConversionRequest>]>([
    ['of a film', 0.4, { parameters: SMALL }],
    [
      'of a part of the input',
      0.2,
      { inputs: [{ input: 'a.mp4', parameters: { ss: '5', t: '12' } }], parameters: SMALL },
    ],
    ['of a part that the output chooses', 0.2, QUICK],
  ])('%s is almost what was asked for, and not more, in two passes', ([, size, more]) => isAlmost(size, more));

  test('of a film in its own resolution is almost what was asked for', { tags: 'long' }, () => isAlmost(0.8));

  async function isAlmost(size: number, more?: Partial<ConversionRequest>) {
    const { outcome, bytes, percents } = await run(planFor(size, more));
    expect(outcome).toMatchObject({ ok: true, warnings: [] });
    expect(bytes).toBeLessThanOrEqual(size * 1_000_000);
    expect(bytes).toBeGreaterThanOrEqual(0.97 * size * 1_000_000);
    expect(outcome.log).not.toMatch(LARGE);
    expect(percents.at(-1)).toBe(100);
    expect(percents.slice(0, -1)).not.toContain(100);
  }

  test('is at most that of a source that is small enough', async () => {
    const { outcome, bytes } = await run(planFor(50, QUICK));
    expect(outcome).toMatchObject({ ok: true, warnings: [] });
    expect(bytes).toBeLessThan((FACTS.bitrate * 10) / 8);
    expect(outcome.log).not.toMatch(LARGE);
  });

  test('is reached by another pass if the encoder exceeds it, and the log says so', async () => {
    const { outcome, bytes, percents } = await run(withRate(planFor(0.15, QUICK), '150k'));
    expect(outcome).toMatchObject({ ok: true, warnings: [], outputs: [{ durationSeconds: expect.closeTo(10, 0) }] });
    expect(bytes).toBeLessThanOrEqual(150_000);
    expect(bytes).toBeGreaterThanOrEqual(0.97 * 150_000);
    const [, before, limit] = LARGE.exec(outcome.log) ?? [];
    expect(Number(before)).toBeGreaterThan(Number(limit));
    expect(outcome.log).toContain('Pass 3 of 3');
    expect(percents.at(-1)).toBe(100);
    expect(percents.slice(0, -1)).not.toContain(100);
  });

  test('of an encoder with one pass is kept by another one', async () => {
    const parameters = { ...QUICK.parameters, 'c:v': 'libsvtav1', preset: '12' };
    const { outcome, bytes } = await run(withRate(planFor(0.15, { parameters }), '150k'));
    expect(outcome).toMatchObject({ ok: true });
    expect(bytes).toBeLessThanOrEqual(150_000);
    expect(outcome.log).toMatch(LARGE);
  });

  test('is never exceeded: the job fails, and says by how much, if no bit rate is low enough', async () => {
    const { outcome, bytes } = await run({ ...withRate(planFor(0.15, QUICK), '30k'), maxBytes: 20_000 });
    expect(outcome).toMatchObject({
      ok: false,
      failure: {
        code: 'UNSUPPORTED',
        message: expect.stringMatching(/^The file has \d+ bytes, and may have 20000/),
        about: { isTooLarge: true },
      },
    });
    expect(bytes).toBe(0);
  });
});
