import type { FrameSize, PlannedLadder } from '@telecine/contract/domain/sampling.ts';
import { describe, expect, test } from 'vitest';
import type { Try } from './curve.ts';
import { chooseRungs, ladderChooser, peakOf } from './ladder.ts';
import { LOSS_SCALES, QUALITY_SCALES } from './scales.ts';

const scaleOf = (encoder: string) => {
  const scale = QUALITY_SCALES[encoder];
  if (scale === undefined) throw new Error(`No scale of ${encoder}`);
  return scale;
};

const SEARCH = { metric: 'ssim', target: 0.98, maxRungs: 8, scale: scaleOf('libx264') } as const;

const FULL_HD: FrameSize = { width: 1920, height: 1080 };

type Sent = Partial<PlannedLadder> & { size?: FrameSize; seconds?: number; encoder?: string; segmentSeconds?: number };

/** Chooses for a source that begins at 10 s. */
const chooserOf = ({ size = FULL_HD, seconds = 60, segmentSeconds = 4, ...more }: Sent = {}) => {
  const { encoder = 'libx264', ...ladder } = more;
  const samples = { metric: 'ssim', scale: scaleOf(encoder) };
  const planned = { target: 0.98, maxRungs: 8, samples, rung: { segmentSeconds }, ...ladder } as PlannedLadder;
  const parts = Array.from({ length: seconds * 4 }, (_, at) => ({ start: 10 + at / 4, seconds: 0.25, bytes: 1 }));
  return ladderChooser(planned, { size, seconds, parts, audioStreams: [1] });
};

/** What is tried, by size. */
function triedSizes(...sent: Parameters<typeof chooserOf>) {
  const { next, samples } = chooserOf(...sent);
  const { groups = [] } = next(samples, [], 0) ?? {};
  return groups.map((candidates) => ({
    size: candidates[0]?.size ?? FULL_HD,
    values: candidates.map(({ value }) => value),
  }));
}

const ladderSizes = (size: FrameSize) => triedSizes({ size }).map((one) => one.size);

const SAMPLE = { start: 0, seconds: 1, weight: 1 };

/** A try whose only sample is the whole video. */
const tryOf = (size: FrameSize, value: number, score: number, bitsPerSecond: number): Try => ({
  ...{ size, value, score, sample: SAMPLE, seconds: 1, bytes: bitsPerSecond / 8 },
});

/** A video whose sizes lose by scaling (`blur`) and by encoding. `bits`: those of the source's size with crf 18. */
function curves({ bits = 8_000_000, blur = 0.02, loss = 0.008 } = {}): readonly Try[] {
  return ladderSizes(FULL_HD).flatMap((size) => {
    const share = size.height / 1080;
    return [18, 24, 30, 37].map((value) =>
      tryOf(
        size,
        value,
        1 - loss * Math.exp(0.125 * (value - 18)) * share ** 0.6 - blur * (1 / share - 1),
        bits * share ** 1.7 * Math.exp(-0.14 * (value - 18)),
      ),
    );
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
  test('those of smaller sizes surround the target, and those of the source come near to it', () => {
    const valuesAt = (index: number, sent: Parameters<typeof chooserOf>[0] = {}) => triedSizes(sent)[index]?.values;
    expect(valuesAt(1)).toEqual([18, 24, 30, 37]);
    expect(valuesAt(0)).toEqual([4, 11, 18, 24, 30, 37]);
    expect(valuesAt(1, { target: 0.96 })?.[0]).toBeCloseTo(23.5, 0);
    expect(valuesAt(1, { encoder: 'libsvtav1' })).toEqual([26, 39, 53, 63]);
    expect(valuesAt(1, { encoder: 'libsvtav1', target: 0.8 })?.at(-1)).toBe(63);
  });
});

test('a sample has several short segments, or the beginning of a long one', () => {
  expect(chooserOf({ seconds: 24, segmentSeconds: 2 }).samples[0]).toMatchObject({ seconds: 4 });
  const { samples } = chooserOf({ segmentSeconds: 20 });
  expect(samples.map(({ start, seconds }) => [start, seconds])).toEqual([...[17, 37, 57].map((start) => [start, 6])]);
  expect(chooserOf({ seconds: 240 }).samples.length).toBe(8);
});

describe('rungs', () => {
  test('they begin at the target, and neither quality nor bits have very uneven steps', () => {
    const rungs = chooseRungs(SEARCH, curves());
    expect(rungs[0]?.score).toBeCloseTo(0.98, 2);
    expect(rungs.length).toBeGreaterThanOrEqual(4);
    expect(rungs.length).toBeLessThanOrEqual(8);
    expect(rungs.at(-1)?.bitsPerSecond).toBeLessThanOrEqual(150_000);
    const { lossOf } = LOSS_SCALES.ssim;
    const steps = rungs.slice(1).map(({ score }, index) => lossOf(score) - lossOf(rungs[index]?.score ?? 0));
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(3);
    const ratios = rungs.slice(1).map(({ bitsPerSecond }, index) => (rungs[index]?.bitsPerSecond ?? 0) / bitsPerSecond);
    expect(Math.max(...ratios)).toBeLessThan(2.5);
    expect(Math.min(...ratios)).toBeGreaterThan(1.2);
    const heights = rungs.map(({ height }) => height);
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(new Set(heights).size).toBeGreaterThan(2);
  });

  test('with grain, the steps of bits are not very uneven', () => {
    const size = { width: 1280, height: 720 };
    const grain = [
      tryOf(size, 16, 0.981, 62_000_000),
      tryOf(size, 24, 0.9, 9_000_000),
      tryOf(size, 32, 0.83, 1_000_000),
      tryOf(size, 40, 0.8, 140_000),
    ];
    const rungs = chooseRungs(SEARCH, grain);
    expect(rungs.length).toBe(8);
    const ratios = rungs.slice(1).map(({ bitsPerSecond }, index) => (rungs[index]?.bitsPerSecond ?? 0) / bitsPerSecond);
    expect(Math.max(...ratios)).toBeLessThan(3.1);
    expect(Math.min(...ratios)).toBeGreaterThan(1.2);
  });

  test('a video that scaling does not harm has no rung in the size of the source', () => {
    const rungs = chooseRungs(SEARCH, curves({ blur: 0.001 }));
    expect(rungs[0]?.height).toBeLessThan(1080);
    const sharp = chooseRungs(SEARCH, curves({ blur: 0.5 }));
    expect(sharp.slice(0, 3).map(({ height }) => height)).toEqual([1080, 1080, 1080]);
  });

  test.each([{ blur: 0.5 }, { blur: 0.001 }, {}])(
    'a rung of a video %j has a value between those that were tried',
    (video) => {
      const values = chooseRungs(SEARCH, curves(video)).map(({ value }) => value);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(18);
      expect(Math.max(...values)).toBeLessThanOrEqual(37);
    },
  );

  test('no rung is above the highest bit rate', () => {
    const rungs = chooseRungs({ ...SEARCH, maxBitrate: 1_000_000 }, curves());
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
    const tries = curves();
    const rungs = chooseRungs({ ...SEARCH, maxBitrate: 10 }, tries);
    expect(rungs).toHaveLength(1);
    expect(rungs[0]?.bitsPerSecond).toBeCloseTo(Math.min(...tries.map(({ bytes }) => bytes * 8)), -3);
  });

  test('a segment has at most two and a half times the average', () => {
    const [rung] = chooseRungs(SEARCH, curves());
    const { maxrate, bufsize } = peakOf({ bitsPerSecond: rung?.bitsPerSecond ?? 1 }, 4);
    expect((4 * maxrate + bufsize) / 4 / (rung?.bitsPerSecond ?? 1)).toBeCloseTo(2.5, 3);
    expect(peakOf({ bitsPerSecond: rung?.bitsPerSecond ?? 1 }, 30).bufsize).toBe(bufsize);
  });

  test('their files can be published', () => {
    const rungsOf = (seconds: number, more: Sent = {}) =>
      chooserOf({ seconds, segmentSeconds: 2, ...more }).choose(curves()).ladder?.rungs.length;
    // 4 rungs and the audio have 5 * 1802 files.
    expect(rungsOf(3600)).toBe(4);
    expect(rungsOf(3600, { isSingleFile: true })).toBeGreaterThan(4);
    expect(() => rungsOf(7200)).toThrow('more than 10000 files');
  });
});
