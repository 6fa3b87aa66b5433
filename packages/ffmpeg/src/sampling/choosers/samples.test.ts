import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import { describe, expect, test } from 'vitest';
import { qualityChooser } from './quality.ts';
import { chooseSamples, partsOf, type SourcePacket, type SourcePart } from './samples.ts';

const qualitySamples = (parts: readonly SourcePart[]) =>
  qualityChooser({ target: 0.98, samples: {} } as PlannedQuality, { parts, bitsPerPixel: 0 }).samples;

/** Packets of 25 frames a second. `bytesAt`: the bytes of a packet by its second; each second begins with a key frame. */
const packets = (seconds: number, bytesAt: (second: number) => number): readonly SourcePacket[] =>
  Array.from({ length: seconds * 25 }, (_, frame) => {
    const key = frame % 25 === 0;
    return { time: frame / 25, bytes: key ? 10_000 : bytesAt(frame / 25), key };
  });

const samplesOf = (seconds: number, bytesAt: (second: number) => number) =>
  qualitySamples(partsOf(packets(seconds, bytesAt), { start: 0, seconds }));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('sums packets by parts of the range, in any order', () => {
  const shuffled = packets(3, () => 400).toSorted((a, b) => Math.sin(a.time * 99) - Math.sin(b.time * 99));
  const parts = partsOf(shuffled, { start: 1, seconds: 1.1 });
  expect(parts).toHaveLength(5);
  expect(parts[0]).toEqual({
    start: 1,
    seconds: 0.25,
    bytes: 10_000 + 6 * 400,
    motion: expect.closeTo(0.042, 2),
  });
  expect(parts.at(-1)).toMatchObject({ start: 2, seconds: expect.closeTo(0.1, 6) });
});

test('encodes a short source as a whole', () => {
  expect(samplesOf(6, () => 400)).toEqual([{ start: 0, seconds: 6, weight: 1 }]);
});

test('samples of a short source are long enough to say something about the full video', () => {
  expect(samplesOf(10, () => 400).map(({ seconds }) => seconds)).toEqual([1, 1, 1]);
});

test.each([24, 30, 60, 600, 7200])(
  'samples of %d s cover at most 14 %% of the source, and at most two minutes',
  (seconds) => {
    const samples = samplesOf(seconds, (second) => 300 + 200 * Math.sin(second));
    const covered = sum(samples.map((sample) => sample.seconds));
    expect(covered).toBeLessThanOrEqual(Math.min(seconds * 0.14, 120) + 1e-6);
    expect(sum(samples.map(({ weight }) => weight))).toBeCloseTo(1, 9);
    expect(samples.every((sample) => sample.start >= 0 && sample.start + sample.seconds <= seconds)).toBe(true);
  },
);

test('gives the samples weights by which their complexity is that of the full video', () => {
  // One second in ten is complex, so that samples at equal distances find too many or too few of them.
  const bytesAt = (second: number): number => (second % 10 < 1.2 ? 4000 : 300);
  const samples = samplesOf(57, bytesAt);
  const mean = sum(samples.map(({ weight, complexity = 0 }) => weight * complexity));
  const unweighted = sum(samples.map(({ complexity = 0 }) => complexity)) / samples.length;
  const all = chooseSamples(partsOf(packets(57, bytesAt), { start: 0, seconds: 57 }), { count: 56, seconds: 1 });
  const expected = sum(all.map(({ complexity = 0 }) => complexity)) / all.length;
  expect(Math.abs(mean / expected - 1)).toBeLessThan(0.2);
  expect(Math.abs(mean / expected - 1)).toBeLessThan(Math.abs(unweighted / expected - 1));
});

test('recognises still images by packets that are tiny beside key frames', () => {
  const samples = samplesOf(60, (second) => (second < 30 ? 15 : 2000));
  expect(samples.map(({ motion = 0 }) => Number(motion.toFixed(4)))).toEqual([
    ...[0.002, 0.002, 0.002, 0.002, 0.2173, 0.2173, 0.2173, 0.2173],
  ]);
});

test.each([
  ['whose frames are all key frames', packets(60, () => 2000).map((one) => ({ ...one, key: true }))],
  ['whose packets are not known', []],
])('a source %s moves as an ordinary video', (_what, listed) => {
  const samples = qualitySamples(partsOf(listed, { start: 0, seconds: 60 }));
  expect(new Set(samples.map(({ motion }) => motion))).toEqual(new Set([0.25]));
});

test('less changes from frame to frame at a higher frame rate, and more frames of a sample are refined', () => {
  const motionAt = (rate: number) => {
    const frames = Array.from({ length: 10 * rate }, (_, frame) => ({
      ...{ time: frame / rate, bytes: frame === 0 ? 10_000 : 24_000 / rate, key: frame === 0 },
    }));
    return partsOf(frames, { start: 0, seconds: 10 })[1]?.motion;
  };
  expect(motionAt(60)).toBeCloseTo(2.5 * (motionAt(24) ?? 0), 1);
});

test('keeps the start of the range', () => {
  const samples = qualitySamples(
    partsOf(
      packets(100, () => 500),
      { start: 40, seconds: 40 },
    ),
  );
  expect(samples.every(({ start, seconds }) => start >= 40 && start + seconds <= 80)).toBe(true);
});

describe('samples without a tail', () => {
  /** Parts of a quarter of a second from 10 s on, in which each segment of 4 s has other bytes. */
  const partsFrom10 = (seconds: number, bytesAt: (segment: number) => number = () => 1) =>
    Array.from({ length: seconds * 4 }, (_, index) => ({
      ...{ start: 10 + index / 4, seconds: 0.25, bytes: bytesAt(Math.floor(index / 16)) },
    }));

  test('are spread over the source, and stand for all of it', () => {
    const parts = partsFrom10(240, (segment) => 1 + ((segment * 7) % 60));
    const samples = chooseSamples(parts, { count: 8, seconds: 4 });
    expect(samples.length).toBe(8);
    expect(sum(samples.map(({ weight }) => weight))).toBeCloseTo(1, 9);
    const mean = sum(samples.map(({ weight, complexity = 0 }) => weight * complexity));
    const all = chooseSamples(parts, { count: 59, seconds: 4 });
    expect(mean / (sum(all.map(({ complexity = 0 }) => complexity)) / all.length)).toBeCloseTo(1, 1);
  });

  test('are all of a short source', () => {
    expect(chooseSamples(partsFrom10(13), { count: 8, seconds: 4 })).toEqual([{ start: 10, seconds: 13, weight: 1 }]);
  });

  test('are as many of a file that claims to last for weeks', () => {
    const claimed = [0, 1, 2, 3, 4_000_000].map((time) => ({ time, bytes: 1000, key: true }));
    const samples = chooseSamples(partsOf(claimed, { start: 0, seconds: 4_000_001 }), { count: 8, seconds: 4 });
    expect(samples.map(({ seconds }) => seconds)).toEqual(Array.from({ length: 8 }, () => 4));
  });
});
