import type { FrameSize, PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import { describe, expect, test } from 'vitest';
import type { Candidate, Try } from './curve.ts';
import { frameSizeChooser } from './frame-size.ts';
import type { SampledSource } from './samples.ts';
import { QUALITY_SCALES } from './scales.ts';

const SOURCE: FrameSize = { width: 1920, height: 1080 };

const chooserAt = (bitsPerSecond: number, size = SOURCE, seconds = 3600, more: Partial<SampledSource> = {}) => {
  const planned = { samples: { metric: 'ssim', scale: QUALITY_SCALES['libx264'] }, bitsPerSecond } as PlannedFrameSize;
  const parts = Array.from({ length: seconds * 4 }, (_, at) => ({ start: at / 4, seconds: 0.25, bytes: 100 + at }));
  return frameSizeChooser(planned, { size, seconds, parts, isKnown: true, ...more });
};

/** The frame size of a video that is too short for samples. */
const usualSize = (size: FrameSize, bitsPerSecond: number) => {
  const { width, height } = chooserAt(bitsPerSecond, size, 60).choose([]).frameSize ?? { width: 0, height: 0 };
  return { width, height };
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

/** Searches as a run does. Returns the best size, and how many tries it took. */
function search(bitsPerSecond: number, video: Parameters<typeof tryOf>[0] = {}) {
  const { next, samples, choose } = chooserAt(bitsPerSecond);
  const tries: Try[] = [];
  for (let round = 0; round < 9; round++)
    tries.push(...(next(samples, tries, round)?.groups.flat() ?? []).map(tryOf(video)));
  const { compared = [], height } = choose(tries).frameSize ?? { height: 0 };
  return { score: Math.max(...compared.map(({ score }) => score)), height, tries: tries.length };
}

/** The best score if all sizes are tried with many values. */
function bestScore(bitsPerSecond: number, video: Parameters<typeof tryOf>[0] = {}): number {
  const tries = [1, 3 / 4, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 8].flatMap((share) => {
    const size = { width: 1920 * share, height: 2 * Math.floor(540 * share) };
    return Array.from({ length: 46 }, (_, value) => tryOf(video)({ size, value: value + 5 }));
  });
  const { compared = [] } = chooserAt(bitsPerSecond).choose(tries).frameSize ?? {};
  return Math.max(...compared.map(({ score }) => score));
}

describe('the frame size for a bit rate', () => {
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

  test('short videos and those of unknown length get no samples', () => {
    const reasonOf = (...sent: Parameters<typeof chooserAt>) => {
      const { next, samples, choose } = chooserAt(...sent);
      return next(samples, [], 0) === undefined ? choose([]).frameSize?.reason : undefined;
    };
    expect(reasonOf(400_000, SOURCE, 179)).toMatch(/^The video is shorter than 180 s\./);
    expect(reasonOf(400_000, SOURCE, 3600, { isKnown: false })).toMatch(/^The length of the video is not known\./);
    expect(reasonOf(400_000, SOURCE, 180)).toBeUndefined();
  });

  test('samples cover a forty-fifth of the video, at most 16 seconds', () => {
    const secondsOf = (total: number): number =>
      chooserAt(400_000, SOURCE, total).samples.reduce((sum, { seconds }) => sum + seconds, 0);
    expect([180, 450, 720, 7200].map(secondsOf)).toEqual([4, 10, 16, 16]);
  });
});
