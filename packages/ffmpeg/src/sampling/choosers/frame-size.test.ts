import type { FrameSize } from '@telecine/contract/domain/sampling.ts';
import { describe, expect, test } from 'vitest';
import type { Candidate, Try } from './curve.ts';
import {
  nextSizes,
  SHORT_SECONDS,
  type SizeSearch,
  sizeSamples,
  sizeScores,
  sizesFor,
  usualSize,
  withoutSamples,
} from './frame-size.ts';
import { QUALITY_SCALES } from './scales.ts';

const SOURCE: FrameSize = { width: 1920, height: 1080 };

const searchAt = (bitsPerSecond: number): SizeSearch => {
  const scale = QUALITY_SCALES['libx264'];
  if (scale === undefined) throw new Error('There is no scale.');
  return { encoder: 'libx264', metric: 'ssim', scale, bitsPerSecond };
};

const SAMPLE = { start: 0, seconds: 1, weight: 1 };

/** A video that loses by scaling (`blur`) and by encoding. `bits`: those of the size of the source with crf 18. */
const tryOf =
  ({ bits = 8_000_000, blur = 0.02 } = {}) =>
  ({ size = SOURCE, value }: Candidate): Try => {
    const share = size.height / SOURCE.height;
    return {
      ...{ size, value, sample: SAMPLE, seconds: 1 },
      score: 1 - 0.008 * Math.exp(0.125 * (value - 18)) - blur * (1 / share - 1),
      bytes: (bits * share ** 1.7 * Math.exp(-0.14 * (value - 18))) / 8,
    };
  };

/** Searches as a run does. Returns the best height, and how many tries it took. */
function search(bitsPerSecond: number, video: Parameters<typeof tryOf>[0] = {}) {
  const one = searchAt(bitsPerSecond);
  const tries: Try[] = [];
  for (let next = nextSizes(SOURCE, one, tries); next !== undefined; next = nextSizes(SOURCE, one, tries))
    tries.push(...next.map(tryOf(video)));
  const [best] = sizeScores(one, tries).toSorted((a, b) => b.score - a.score);
  return { score: best?.score ?? 0, height: best?.size.height ?? 0, tries: tries.length };
}

/** The best score if all sizes are tried with many values. */
function bestScore(bitsPerSecond: number, video: Parameters<typeof tryOf>[0] = {}): number {
  const tries = sizesFor(SOURCE).flatMap((size) =>
    Array.from({ length: 46 }, (_, value) => tryOf(video)({ size, value: value + 5 })),
  );
  return sizeScores(searchAt(bitsPerSecond), tries).toSorted((a, b) => b.score - a.score)[0]?.score ?? 0;
}

describe('the frame size for a bit rate', () => {
  test('the sizes are those of the source and below, in its shape', () => {
    expect(sizesFor(SOURCE).map(({ width, height }) => `${width}x${height}`)).toEqual([
      ...['1920x1080', '1440x810', '1280x720', '960x540', '640x360', '480x270', '320x180', '240x134'],
    ]);
    expect(sizesFor({ width: 120, height: 214 }).map(({ width }) => width)).toEqual([120, 90]);
    expect(sizesFor({ width: 64, height: 36 })).toEqual([{ width: 64, height: 36 }]);
  });

  test('the usual size suits the bit rate and the shape, and is not above the source', () => {
    const wide = usualSize(SOURCE, 85_000);
    expect(wide.height).toBeGreaterThanOrEqual(230);
    expect(wide.height).toBeLessThanOrEqual(260);
    const upright = usualSize({ width: 1080, height: 1920 }, 85_000);
    expect(upright.height / wide.height).toBeCloseTo(16 / 9, 1);
    expect(usualSize({ width: 320, height: 180 }, 5_000_000)).toEqual({ width: 320, height: 180 });
    expect(usualSize(SOURCE, 1000).height).toBe(90);
    expect(usualSize({ width: 1080, height: 1920 }, 1000).width).toBe(90);
  });

  test.each([
    [100_000, {}],
    [400_000, {}],
    [1_000_000, {}],
    [400_000, { bits: 1_000_000 }],
    [400_000, { bits: 40_000_000 }],
    [400_000, { blur: 0.2 }],
    [400_000, { blur: 0.001 }],
  ])('at %d bits per second, a video %j gets the best of all sizes with few tries', (bitsPerSecond, video) => {
    const found = search(bitsPerSecond, video);
    expect(found.score).toBeGreaterThan(bestScore(bitsPerSecond, video) - 0.002);
    expect(found.tries).toBeLessThanOrEqual(16);
  });

  test('fewer bits never mean a larger size', () => {
    const heights = [2_000_000, 800_000, 300_000, 120_000, 50_000].map((rate) => search(rate).height);
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(new Set(heights).size).toBeGreaterThan(2);
  });

  test('short videos, small ones and those with plenty of bits need no samples', () => {
    expect(withoutSamples(SOURCE, 400_000, SHORT_SECONDS - 1)).toMatch(/shorter than 180 s/);
    expect(withoutSamples(SOURCE, 4_000_000, 3600)).toMatch(/4000 kb\/s are plenty/);
    expect(withoutSamples({ width: 64, height: 36 }, 10_000, 3600)).toMatch(/10 kb\/s are plenty/);
    expect(withoutSamples(SOURCE, 400_000, SHORT_SECONDS)).toBeUndefined();
  });

  test('samples cover a forty-fifth of the video, at most 16 seconds', () => {
    const secondsOf = (total: number): number => {
      const parts = Array.from({ length: total * 4 }, (_, at) => ({
        start: at / 4,
        seconds: 0.25,
        pace: 1,
        bytes: 100 + at,
      }));
      return sizeSamples(parts, total).reduce((sum, { seconds }) => sum + seconds, 0);
    };
    expect([180, 450, 720, 7200].map(secondsOf)).toEqual([4, 10, 16, 16]);
  });
});
