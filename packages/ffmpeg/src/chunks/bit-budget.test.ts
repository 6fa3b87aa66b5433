import { describe, expect, test } from 'vitest';
import { correctedRates, rateError, shareRate, TOLERANCE_OF_SIZE } from './bit-budget.ts';

const AVERAGE = 1_000_000;

/** Chunks of ten seconds with these bits per second in the trial. */
const trial = (...rates: readonly number[]) => rates.map((rate) => ({ seconds: 10, bytes: (rate * 10) / 8 }));

const mean = (rates: readonly number[] = []): number => rates.reduce((sum, rate) => sum + rate, 0) / rates.length;

describe('the shares of an average bit rate', () => {
  test('a chunk that needs twice as many bits for the same quality gets twice as many', () => {
    expect(shareRate(AVERAGE, trial(500_000, 1_000_000, 1_500_000))).toEqual([500_000, 1_000_000, 1_500_000]);
    expect(shareRate(AVERAGE, trial(100_000, 200_000, 300_000))).toEqual([500_000, 1_000_000, 1_500_000]);
  });

  test('a short last chunk counts by its length', () => {
    const chunks = [...trial(1_000_000, 1_000_000), { seconds: 1, bytes: 2_000_000 / 8 }];
    const rates = shareRate(AVERAGE, chunks) ?? [];
    const bits = rates.reduce((sum, rate, at) => sum + rate * (chunks[at]?.seconds ?? 0), 0);
    expect(bits / 21).toBeCloseTo(AVERAGE, -2);
    expect((rates[2] ?? 0) / (rates[0] ?? 1)).toBeCloseTo(2, 3);
  });

  test('no chunk has more than the limit or an absurd rate, and the average holds all the same', () => {
    const limited = shareRate(AVERAGE, trial(200_000, 200_000, 200_000, 3_000_000), 1_500_000);
    expect(limited?.at(-1)).toBe(1_500_000);
    expect(mean(limited)).toBeCloseTo(AVERAGE, -1);
    const uneven = shareRate(AVERAGE, trial(...Array.from({ length: 9 }, () => 10_000), 9_000_000));
    expect(uneven?.at(-1)).toBe(4_000_000);
    expect(mean(uneven)).toBeCloseTo(AVERAGE, -1);
    const still = shareRate(AVERAGE, trial(0, 1_000_000, 1_000_000, 1_000_000));
    expect(still?.[0]).toBe(50_000);
    expect(mean(still)).toBeCloseTo(AVERAGE, -1);
  });

  test('a limit below the average does not lower the average', () => {
    expect(mean(shareRate(AVERAGE, trial(500_000, 1_000_000), 800_000))).toBeCloseTo(AVERAGE, -1);
  });

  test('a still chunk has enough bits for the second pass of libx264, but at most the average', () => {
    const shares = shareRate(100_000, trial(1000, 100_000, 100_000));
    expect(shares?.[0]).toBe(20_000);
    expect(mean(shares)).toBeCloseTo(100_000, -1);
    expect(shareRate(10_000, trial(1000, 30_000))).toEqual([10_000, 10_000]);
  });

  test('the average holds even if one chunk could take nearly all bits', () => {
    const shares = shareRate(AVERAGE, trial(10_000, 10_000, 10_000, 9_000_000));
    expect(shares?.slice(0, 3)).toEqual([50_000, 50_000, 50_000]);
    expect(mean(shares)).toBeCloseTo(AVERAGE, -1);
  });

  test('a video that cannot use its bits has no shares', () => {
    expect(shareRate(AVERAGE, trial(20_000, 30_000))).toBeUndefined();
  });
});

describe('chunks that miss the average', () => {
  const encoded = (...actual: readonly number[]) =>
    trial(...actual).map((chunk) => ({ ...chunk, rate: AVERAGE, budget: AVERAGE }));

  test('all chunks may miss their rates if the average holds', () => {
    expect(correctedRates(AVERAGE, encoded(1_100_000, 900_000, 1_010_000))).toEqual([]);
    expect(rateError(AVERAGE, encoded(1_010_000, 1_010_000))).toBeCloseTo(0.01, 6);
  });

  test('with a largest size, they may exceed the average by less than without one', () => {
    const chunks = encoded(1_015_000, 1_015_000);
    expect(correctedRates(AVERAGE, chunks)).toEqual([]);
    expect(correctedRates(AVERAGE, chunks, undefined, TOLERANCE_OF_SIZE)).not.toEqual([]);
    expect(correctedRates(AVERAGE, encoded(985_000, 985_000), undefined, TOLERANCE_OF_SIZE)).toEqual([]);
  });

  test('those that miss their rates by most are encoded again for other rates', () => {
    const corrected = correctedRates(AVERAGE, encoded(1_000_000, 1_200_000, 1_010_000));
    expect(corrected).toEqual([
      { at: 1, rate: 833_333 },
      { at: 2, rate: 990_099 },
    ]);
    expect(correctedRates(AVERAGE, encoded(1_000_000, 800_000))).toEqual([{ at: 1, rate: 1_250_000 }]);
  });

  test('a chunk that was asked for another rate still has its budget', () => {
    const [first, second] = encoded(1_000_000, 1_050_000);
    if (first === undefined || second === undefined) throw new Error('There are no chunks.');
    expect(correctedRates(AVERAGE, [first, { ...second, rate: 800_000 }])).toEqual([{ at: 1, rate: 761_905 }]);
  });

  test('a chunk that may not have more bits is not encoded again', () => {
    expect(correctedRates(AVERAGE, encoded(900_000, 1_000_000), AVERAGE)).toEqual([]);
    const [first, second] = encoded(800_000, 950_000);
    if (first === undefined || second === undefined) throw new Error('There are no chunks.');
    expect(correctedRates(AVERAGE, [first, { ...second, rate: 700_000 }], AVERAGE)).toEqual([
      { at: 1, rate: 884_211, budget: 1_200_000 },
    ]);
  });

  test('what a still chunk cannot use, all others share', () => {
    expect(correctedRates(AVERAGE, encoded(400_000, 1_000_000, 1_000_000))).toEqual([
      { at: 1, rate: 1_300_000, budget: 1_300_000 },
      { at: 2, rate: 1_300_000, budget: 1_300_000 },
    ]);
    expect(correctedRates(AVERAGE, encoded(400_000, 500_000))).toEqual([]);
  });

  test('too many bits that cannot be saved cannot be corrected', () => {
    const [chunk] = trial(25_000);
    if (chunk === undefined) throw new Error('There is no chunk.');
    expect(correctedRates(20_000, [{ ...chunk, rate: 20_000, budget: 20_000 }])).toBeUndefined();
  });

  test('no chunk gets more than twice its rate', () => {
    expect(correctedRates(AVERAGE, encoded(600_000, 600_000, 600_000, 750_000))).toEqual([
      { at: 3, rate: 2_000_000, budget: 2_200_000 },
    ]);
  });
});
