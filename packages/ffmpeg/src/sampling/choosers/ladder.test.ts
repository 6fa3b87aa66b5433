import { describe, expect, test } from 'vitest';
import {
  betterValues,
  chooseRungs,
  convexHull,
  expectedPoint,
  firstValues,
  type LadderPoint,
  type LadderSearch,
  ladderSamples,
  ladderSizes,
  leastSegmentSeconds,
  outputShare,
  paretoFront,
  peakOf,
  rungsOfFiles,
} from './ladder.ts';
import { partsOf as partsOfSource } from './samples.ts';
import { LOSS_SCALES, QUALITY_SCALES } from './search-scales.ts';

const scaleOf = (encoder: string) => {
  const scale = QUALITY_SCALES[encoder];
  if (scale === undefined) throw new Error(`No scale of ${encoder}`);
  return scale;
};

const SEARCH: LadderSearch = {
  ...{ encoder: 'libx264', metric: 'ssim', target: 0.98, maxRungs: 8 },
  scale: scaleOf('libx264'),
};

/** A video whose sizes lose by scaling (`blur`) and by encoding. `bits`: those of the source's size with crf 18. */
function curves({ bits = 8_000_000, blur = 0.02, loss = 0.008 } = {}): readonly LadderPoint[] {
  return ladderSizes({ width: 1920, height: 1080 }).flatMap((size) => {
    const share = size.height / 1080;
    return [18, 24, 30, 37].map((value) => ({
      ...{ ...size, value },
      score: 1 - loss * Math.exp(0.125 * (value - 18)) * share ** 0.6 - blur * (1 / share - 1),
      bitsPerSecond: bits * share ** 1.7 * Math.exp(-0.14 * (value - 18)),
    }));
  });
}

describe('sizes', () => {
  test('no size is above the source, and all sides are even', () => {
    expect(ladderSizes({ width: 1920, height: 1080 }).map(({ width, height }) => `${width}x${height}`)).toEqual([
      ...['1920x1080', '1280x720', '960x540', '640x360', '480x270', '320x180'],
    ]);
    expect(ladderSizes({ width: 1279, height: 533 })[0]).toEqual({ width: 1278, height: 532 });
    expect(ladderSizes({ width: 1080, height: 1920 }).at(-1)).toEqual({ width: 180, height: 320 });
  });

  test('a small source has two sizes', () => {
    expect(ladderSizes({ width: 160, height: 120 })).toEqual([
      { width: 160, height: 120 },
      { width: 106, height: 80 },
    ]);
  });
});

describe('values', () => {
  test('the first values surround the target', () => {
    expect(firstValues(SEARCH)).toEqual([18, 24, 30, 37]);
    expect(firstValues({ ...SEARCH, target: 0.96 })[0]).toBeCloseTo(23.5, 0);
    expect(firstValues({ ...SEARCH, encoder: 'libsvtav1', scale: scaleOf('libsvtav1') })).toEqual([26, 39, 53, 63]);
    expect(
      firstValues({ ...SEARCH, encoder: 'libsvtav1', scale: scaleOf('libsvtav1'), target: 0.8 }).toSorted(
        (a, b) => a - b,
      ),
    ).toEqual([44, 57, 62, 63]);
  });

  test('better values are tried if the best value misses the target', () => {
    const hard = curves({ loss: 0.05 }).slice(0, 4);
    expect(betterValues(SEARCH, hard)).toEqual([3, 7, 11, 15]);
    expect(betterValues({ ...SEARCH, maxBitsPerSecond: 5_000_000 }, hard)).toBeUndefined();
    expect(betterValues(SEARCH, curves().slice(0, 4))).toBeUndefined();
    const [best] = hard;
    expect(best && betterValues(SEARCH, [{ ...best, value: 1.2 }])).toBeUndefined();
  });
});

describe('samples', () => {
  /** Parts of a quarter of a second, in which each segment has other bytes. */
  const partsOf = (seconds: number, bytesAt: (segment: number) => number = () => 1) =>
    Array.from({ length: seconds * 4 }, (_, index) => ({
      ...{ start: 10 + index / 4, seconds: 0.25, bytes: bytesAt(Math.floor(index / 16)) },
    }));

  test('they are segments of the output that stand for all of them', () => {
    const samples = ladderSamples(
      partsOf(240, (segment) => (segment * 7) % 60),
      4,
    );
    expect(samples.length).toBe(8);
    expect(samples.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(samples.every(({ start, seconds }) => (start - 10) % 4 === 0 && seconds === 4)).toBe(true);
    const bytes = samples.map(({ start }) => (((start - 10) / 4) * 7) % 60).toSorted((a, b) => a - b);
    expect(bytes).toEqual([4, 11, 19, 26, 34, 41, 49, 56]);
  });

  test('all segments of a short video are samples', () => {
    expect(ladderSamples(partsOf(13), 4).map(({ start }) => start)).toEqual([10, 14, 18]);
    expect(ladderSamples(partsOf(2), 4)).toEqual([{ start: 10, seconds: 2, weight: 1 }]);
  });

  test('a sample has several short segments, or the beginning of a long one', () => {
    expect(ladderSamples(partsOf(12), 2)[0]).toMatchObject({ seconds: 4 });
    expect(ladderSamples(partsOf(60), 20).map(({ start, seconds }) => [start, seconds])).toEqual([
      ...[10, 30, 50].map((start) => [start, 6]),
    ]);
  });

  test('a file that claims to last for weeks has few windows and samples at the starts of its segments', () => {
    const packets = [0, 1, 2, 3, 4, 5, 6, 7, 4_000_000].map((time) => ({ time, bytes: 1000, key: true }));
    const parts = partsOfSource(packets, { start: 0, seconds: 4_000_001 });
    const samples = ladderSamples(parts, 4);
    expect(samples.length).toBe(8);
    expect(samples.every(({ start, seconds }) => start % 4 === 0 && seconds === 6)).toBe(true);
    expect(samples.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
  });

  test('the full video is expected to have the weighted mean of its samples', () => {
    const samples = [
      { start: 0, seconds: 4, weight: 0.25 },
      { start: 8, seconds: 4, weight: 0.75 },
    ];
    const tried = [
      { index: 0, score: 0.9, bytes: 4000, seconds: 4 },
      { index: 1, score: 0.98, bytes: 2000, seconds: 4 },
    ];
    const size = { width: 640, height: 360 };
    expect(expectedPoint(samples, { size, value: 24, samples: tried })).toEqual({
      ...{ ...size, value: 24, score: expect.closeTo(0.96, 9), bitsPerSecond: 5000 },
    });
    expect(expectedPoint(samples, { size, value: 24, samples: [] })).toBeUndefined();
    expect(outputShare(samples, { samples: tried })).toBe(1);
    // A filter such as setpts=0.5*PTS makes it half as long.
    const short = { size, value: 24, samples: tried.map((one) => ({ ...one, seconds: 2 })) };
    expect(expectedPoint(samples, short)?.bitsPerSecond).toBe(10_000);
    expect(outputShare(samples, short)).toBe(0.5);
  });
});

describe('the hull', () => {
  const at = (bitsPerSecond: number, quality: number) => ({ bitsPerSecond, quality });

  test('it has the points that no mixture of others beats', () => {
    const points = [at(1, 1), at(2, 1.5), at(2, 3), at(3, 3.2), at(4, 5), at(5, 4), at(6, 5.5)];
    const front = paretoFront(points);
    expect(front).toEqual([at(1, 1), at(2, 3), at(3, 3.2), at(4, 5), at(6, 5.5)]);
    expect(convexHull(front)).toEqual([at(1, 1), at(2, 3), at(4, 5), at(6, 5.5)]);
  });

  test('one point is a hull', () => {
    expect(convexHull([at(1, 1)])).toEqual([at(1, 1)]);
    expect(convexHull([])).toEqual([]);
  });
});

describe('rungs', () => {
  test('they begin at the target and have even steps of quality', () => {
    const rungs = chooseRungs(SEARCH, curves());
    expect(rungs[0]?.score).toBeCloseTo(0.98, 2);
    expect(rungs.length).toBeGreaterThanOrEqual(4);
    expect(rungs.length).toBeLessThanOrEqual(8);
    expect(rungs.at(-1)?.bitsPerSecond).toBeLessThanOrEqual(150_000);
    const { lossOf } = LOSS_SCALES.ssim;
    const steps = rungs.slice(1).map(({ score }, index) => lossOf(score) - lossOf(rungs[index]?.score ?? 0));
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.5);
    const heights = rungs.map(({ height }) => height);
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(new Set(heights).size).toBeGreaterThan(2);
  });

  test('with grain, the steps of bits are not very uneven', () => {
    const size = { width: 1280, height: 720 };
    const grain = [
      { ...size, value: 16, score: 0.981, bitsPerSecond: 62_000_000 },
      { ...size, value: 24, score: 0.9, bitsPerSecond: 9_000_000 },
      { ...size, value: 32, score: 0.83, bitsPerSecond: 1_000_000 },
      { ...size, value: 40, score: 0.8, bitsPerSecond: 140_000 },
    ];
    const rungs = chooseRungs(SEARCH, grain);
    expect(rungs.length).toBe(8);
    const ratios = rungs.slice(1).map(({ bitsPerSecond }, index) => (rungs[index]?.bitsPerSecond ?? 0) / bitsPerSecond);
    expect(Math.max(...ratios)).toBeLessThan(3);
    expect(Math.min(...ratios)).toBeGreaterThan(1.2);
  });

  test('a video that scaling does not harm has no rung in the size of the source', () => {
    const rungs = chooseRungs(SEARCH, curves({ blur: 0.001 }));
    expect(rungs[0]?.height).toBeLessThan(1080);
    const sharp = chooseRungs(SEARCH, curves({ blur: 0.5 }));
    expect(sharp.slice(0, 3).map(({ height }) => height)).toEqual([1080, 1080, 1080]);
  });

  test('no rung is above the highest bit rate', () => {
    const rungs = chooseRungs({ ...SEARCH, maxBitsPerSecond: 1_000_000 }, curves());
    expect(rungs[0]?.bitsPerSecond).toBeLessThanOrEqual(1_000_000);
    expect(rungs[0]?.bitsPerSecond).toBeGreaterThan(800_000);
    expect(rungs.length).toBeGreaterThan(1);
  });

  test('there are at most as many as wanted, and at least two', () => {
    expect(chooseRungs({ ...SEARCH, maxRungs: 3 }, curves()).length).toBe(3);
    const still = chooseRungs(SEARCH, curves({ bits: 60_000, blur: 0.0001, loss: 0.0005 }));
    expect(still.length).toBeGreaterThanOrEqual(2);
  });

  test('if all points are above the highest bit rate, the lowest of them is the only rung', () => {
    const points = curves();
    const rungs = chooseRungs({ ...SEARCH, maxBitsPerSecond: 10 }, points);
    expect(rungs.map(({ bitsPerSecond }) => bitsPerSecond)).toEqual([
      Math.round(Math.min(...points.map(({ bitsPerSecond }) => bitsPerSecond))),
    ]);
  });

  test('a segment has at most two and a half times the average', () => {
    const [rung] = chooseRungs(SEARCH, curves());
    const { maxrate, bufsize } = peakOf(rung as LadderPoint, 4);
    expect((4 * maxrate + bufsize) / 4 / (rung?.bitsPerSecond ?? 1)).toBeCloseTo(2.5, 3);
    expect(peakOf(rung as LadderPoint, 30).bufsize).toBe(bufsize);
  });

  test('their files can be published', () => {
    const hour = { seconds: 3600, segmentSeconds: 2, hasAudio: true };
    // 5 rungs and the audio have 6 * 1802 files.
    expect(rungsOfFiles(10_000, hour)).toBe(4);
    expect(rungsOfFiles(10_000, { ...hour, hasAudio: false })).toBe(5);
    expect(rungsOfFiles(10_000, { ...hour, seconds: 7200 })).toBe(1);
    const least = leastSegmentSeconds(10_000, { ...hour, seconds: 7200 });
    expect(least).toBe(3);
    expect(rungsOfFiles(10_000, { ...hour, seconds: 7200, segmentSeconds: least })).toBe(3);
  });
});
