import type { PlannedQuality } from '@telecine/contract/domain/quality.ts';
import { describe, expect, test } from 'vitest';
import { anotherValue, exceedsBitrate, isBetter } from './another-value.ts';

const qualityOf = (more: Partial<PlannedQuality> = {}): PlannedQuality => ({
  ...{ metric: 'ssim', target: 0.98, encoder: 'libx264', scale: { option: 'crf', min: 1, max: 51, step: 0.1 } },
  ...{ range: { start: 0 }, sampleFile: 'pass/quality.mp4', encode: [], compare: [], result: [] },
  ...more,
});

/** An encode of a full video of ten seconds. */
const whole = (reached: number | undefined, { value = 24, bytes = 1_000_000 } = {}) => {
  const videoBytes = bytes - 50_000;
  return { value, reached, bytes, videoBytes, bitsPerSecond: (videoBytes * 8) / 10 };
};

/** Returns the value of the second encode, for the score of the first and the value that the samples propose. */
const valueAfter = (reached: number | undefined, value: number, more: Partial<PlannedQuality> = {}) =>
  anotherValue(qualityOf(more), { corrected: () => proposed(value) }, whole(reached))?.value;

const proposed = (value: number) =>
  ({ kind: 'chosen', value, score: 0.98, bitsPerSecond: 700_000, reached: true, growth: 0.9 }) as const;

describe('the full video is encoded once more', () => {
  test.each<[what: string, reached: number, value: number]>([
    ['if it is worse than the target', 0.9779, 23],
    ['if it is much better than the target', 0.9831, 27],
  ])('%s', (_what, reached, value) => expect(valueAfter(reached, value)).toBe(value));

  test.each<[what: string, limit: Partial<PlannedQuality>]>([
    ['a bit rate', { maxBitrate: 700_000 }],
    ['a size', { maxSize: 990_000 }],
  ])('if it exceeds %s, though it has the target', (_what, limit) => expect(valueAfter(0.98, 26, limit)).toBe(26));
});

describe('one encode is enough', () => {
  test.each<[what: string, reached: number | undefined, value: number, limit?: Partial<PlannedQuality>]>([
    ['near the target', 0.9781, 23],
    ['somewhat above the target', 0.9829, 26],
    ['if it was not measured', undefined, 20],
    ['if no better value is proposed', 0.9779, 24],
    ['if the value would hardly change', 0.9779, 23.7],
    ['if it exceeds a bit rate by less than 1 %', 0.98, 26, { maxBitrate: 753_000 }],
    ['if a limit keeps the value', 0.97, 24.5, { maxBitrate: 760_000 }],
  ])('%s', (_what, reached, value, limit) => expect(valueAfter(reached, value, limit)).toBeUndefined());
});

test.each<[what: string, limits: Partial<PlannedQuality>, limit: number | undefined]>([
  ['what a size leaves beside the other streams', { maxSize: 900_000 }, ((900_000 * 0.97 - 50_000) * 8) / 10],
  ['almost a bit rate', { maxBitrate: 500_000 }, 485_000],
  ['the lower of both', { maxSize: 900_000, maxBitrate: 500_000 }, 485_000],
  ['nothing', {}, undefined],
])('another value is limited by %s', (_what, limits, limit) => {
  let found: number | undefined;
  const corrected = (_whole: unknown, max: number | undefined) => {
    found = max;
    return proposed(26);
  };
  anotherValue(qualityOf(limits), { corrected }, whole(0.98));
  expect(found).toEqual(limit === undefined ? undefined : expect.closeTo(limit, 3));
});

test('a bit rate is not exceeded by what ffmpeg rounds', () => {
  expect(exceedsBitrate(qualityOf({ maxBitrate: 759_900 }), whole(0.98))).toBe(false);
  expect(exceedsBitrate(qualityOf({ maxBitrate: 750_000 }), whole(0.98))).toBe(true);
});

test('a bit rate that is unknown exceeds no limit', () =>
  expect(exceedsBitrate(qualityOf({ maxBitrate: 10_000 }), { ...whole(0.98), bitsPerSecond: undefined })).toBe(false));

describe('of two encodes', () => {
  const quality = qualityOf({ maxSize: 2_000_000 });
  const best = (one: ReturnType<typeof whole>, other: ReturnType<typeof whole>) => {
    const isFirst = isBetter(quality, one, other);
    expect(isBetter(quality, other, one)).toBe(!isFirst);
    return isFirst ? one : other;
  };
  const small = whole(0.979);
  const large = whole(0.983, { bytes: 1_500_000 });

  test('the one with the target is better', () => expect(best(whole(0.97, { bytes: 900_000 }), large)).toBe(large));
  test('the smaller one is better if both have it', () => expect(best(large, small)).toBe(small));
  test('the one nearer to the target is better if none has it', () => {
    const [bad, worse] = [whole(0.97), whole(0.96)];
    expect(best(worse, bad)).toBe(bad);
  });
  test('the one within the limits is better', () => {
    const exceeding = whole(0.98, { bytes: 2_100_000 });
    expect(best(exceeding, whole(0.96))).toMatchObject({ reached: 0.96 });
    expect(best(exceeding, whole(0.985, { bytes: 2_300_000 }))).toBe(exceeding);
  });
  test('one that was not measured is not better', () => expect(isBetter(quality, whole(undefined), large)).toBe(false));
});
