import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import type { PlannedQuality } from '@telecine/contract/domain/sampling.ts';
import { expect, test } from 'vitest';
import { curveOf, type Try, triedPoints } from './curve.ts';
import { qualityChooser } from './quality.ts';
import { MOTION, partsOf, type Sample, type SourcePart } from './samples.ts';
import { QUALITY_SCALES } from './scales.ts';

/** Videos of a minute with 24 frames a second, encoded as a whole by libx264 with three values of `crf`. */
interface RecordedVideo {
  readonly seconds: number;
  /** For each second of the source: bytes of key frames, bytes of another packet, number of other packets. */
  readonly packets: readonly (readonly [keyBytes: number, bytes: number, count: number])[];
  /** By `crf`: 1 - SSIM of each second, and the kilobytes of the full video. */
  readonly tries: Readonly<Record<string, { readonly loss: readonly number[]; readonly kB: number }>>;
}

const VIDEOS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../test/fixtures/quality-curves.json'), 'utf8'),
) as Readonly<Record<string, RecordedVideo>>;
const CRFS = [18, 24, 30];

const recorded = (name: string): RecordedVideo => {
  const video = VIDEOS[name];
  if (video === undefined) throw new Error(`No curves of ${name}`);
  return video;
};

/** Reads a table between and beyond its values, by straight lines of the logarithm. */
function readCurve(values: readonly number[], crf: number): number {
  const at = crf < 24 ? 0 : 1;
  const [from = 0, to = 0] = [Math.log(values[at] ?? 1), Math.log(values[at + 1] ?? 1)];
  return Math.exp(from + ((to - from) * (crf - (CRFS[at] ?? 0))) / 6);
}

const lossOfSecond = ({ tries }: RecordedVideo, second: number, crf: number): number =>
  readCurve(
    CRFS.map((value) => tries[value]?.loss[second] ?? 0),
    crf,
  );

function scoreOf(video: RecordedVideo, crf: number, start = 0, seconds = video.seconds): number {
  let [loss, total] = [0, 0];
  for (let second = Math.floor(start); second < Math.min(video.seconds, start + seconds); second += 1) {
    const share = Math.min(second + 1, start + seconds) - Math.max(second, start);
    loss += share * lossOfSecond(video, second, crf);
    total += share;
  }
  return 1 - loss / total;
}

const bytesOf = ({ tries, seconds }: RecordedVideo, crf: number, length: number): number =>
  (readCurve(
    CRFS.map((value) => tries[value]?.kB ?? 0),
    crf,
  ) *
    1000 *
    length) /
  seconds;

const sourceOf = ({ packets, seconds }: RecordedVideo): readonly SourcePart[] =>
  partsOf(
    packets.flatMap(([keyBytes, bytes, count], second) => [
      ...(keyBytes > 0 ? [{ time: second, bytes: keyBytes, key: true }] : []),
      ...Array.from({ length: count }, (_, index) => ({
        time: second + (index + 1) / (count + 1),
        bytes,
        key: false,
      })),
    ]),
    { start: 0, seconds },
  );

interface Wanted {
  readonly encoder?: string;
  readonly metric?: QualityMetric;
  readonly target?: number;
  readonly bitsPerPixel?: number;
  readonly maxBitsPerSecond?: number;
}

const scaleOf = (encoder = 'libx264') => {
  const scale = QUALITY_SCALES[encoder];
  if (scale === undefined) throw new Error(`No scale of ${encoder}`);
  return scale;
};

const chooserOf = (parts: readonly SourcePart[], wanted: Wanted = {}) => {
  const { metric = 'ssim', target = 0.98, bitsPerPixel = 0, maxBitsPerSecond } = wanted;
  const planned = { target, samples: { metric, scale: scaleOf(wanted.encoder) } } as PlannedQuality;
  return qualityChooser(planned, { parts, bitsPerPixel }, maxBitsPerSecond);
};

/** Searches with samples of these scores and bytes. */
function searchBy(
  parts: readonly SourcePart[],
  wanted: Wanted,
  measure: (sample: Sample, value: number) => Pick<Try, 'score' | 'bytes'>,
) {
  const chooser = chooserOf(parts, wanted);
  const tries: Try[] = [];
  for (let rounds = 0; rounds < 9; rounds += 1) {
    const next = chooser.next(chooser.samples, tries, rounds);
    if (next === undefined) {
      const { quality: chosen, isLimited } = chooser.choose(tries);
      if (chosen === undefined) throw new Error('Nothing is chosen.');
      const { score, bitsPerSecond } = curveOf({ metric: 'ssim', scale: scaleOf(wanted.encoder) }, tries);
      const expected = { score: score(chosen.value), bitsPerSecond: bitsPerSecond(chosen.value) };
      return { chosen, isLimited, expected, tries, rounds };
    }
    tries.push(
      ...next.samples.flatMap((sample) =>
        next.groups.flat().map(({ value }) => ({ sample, value, seconds: sample.seconds, ...measure(sample, value) })),
      ),
    );
  }
  throw new Error('The search does not end.');
}

/** Searches with samples that have the recorded quality. */
function search(video: RecordedVideo, wanted: Wanted) {
  const found = searchBy(sourceOf(video), wanted, ({ start, seconds, tail = 0, motion = MOTION.max }, value) => ({
    // Samples come out worse than the same frames of the full video.
    score: 1 - (MOTION.max / motion) ** scaleOf().excess * (1 - scoreOf(video, value, start, seconds - tail)),
    bytes: bytesOf(video, value, seconds),
  }));
  const covered = found.tries.reduce((sum, { sample }) => sum + sample.seconds, 0) / video.seconds;
  return { ...found, covered };
}

test.each(Object.keys(VIDEOS))('finds the value for a target with "%s"', (name) => {
  const video = recorded(name);
  const { chosen, covered, rounds } = search(video, { target: 0.975 });
  const loss = 1 - scoreOf(video, chosen.value);
  // Cuts between films and slides differ most from second to second. Grain vanishes more quickly than its slope tells.
  const allowed = { cuts: 0.25, slides: 0.3, 'grain-light': 0.15 }[name] ?? 0.1;
  expect(Math.abs(loss / 0.025 - 1)).toBeLessThan(allowed);
  expect(covered).toBeLessThan(0.34);
  expect(rounds).toBeLessThanOrEqual(4);
});

test('begins with a pilot of few samples, near the usual value of the encoder', () => {
  const firstOf = (wanted: Wanted) => {
    const { next, samples } = chooserOf(sourceOf(recorded('plain')), wanted);
    const first = next(samples, [], 0);
    expect(first?.samples).toHaveLength(2);
    return first?.groups.flat().map(({ value }) => value);
  };
  expect(firstOf({})).toEqual([22]);
  expect(firstOf({ encoder: 'libsvtav1' })).toEqual([35]);
  expect(firstOf({ encoder: 'libsvtav1', target: 0.99 })).toEqual([23]);
  // The first value is nearer to the answer if the bits of the source are known.
  expect([6, 1.5, 0.375, 0.02, 1e-9].flatMap((bitsPerPixel) => firstOf({ bitsPerPixel }))).toEqual([
    ...[18.4, 22, 25.6, 33.2, 34],
  ]);
  expect(firstOf({ bitsPerPixel: 0.02, metric: 'xpsnr', target: 41 })).toEqual([22]);
});

/** Tries of some samples with a value. */
const triesOf = (samples: readonly Sample[], value: number, score: number): readonly Try[] =>
  samples.map((sample) => ({ sample, value, score, seconds: sample.seconds, bytes: 10_000 }));

test('does not try samples again that were tried near the value', () => {
  const { next, samples } = chooserOf(sourceOf(recorded('plain')));
  const pilot = next(samples, [], 0)?.samples ?? [];
  const near = next(samples, triesOf(pilot, 22, 0.977), 1);
  expect(near).toMatchObject({ samples: samples.filter((one) => !pilot.includes(one)) });
  // The pilot has to be near enough that it shows how fast the video gets worse.
  expect(next(samples, triesOf(pilot, 22, 0.9877), 1)).toMatchObject({ samples });
});

test('tries whole numbers only, for an encoder that takes no fractions', () => {
  const { next, choose, samples } = chooserOf(sourceOf(recorded('plain')), { encoder: 'libsvtav1' });
  const tries = triesOf(samples, 35, 0.98);
  expect(next(samples, tries, 1)).toBeUndefined();
  expect(choose(tries)).toMatchObject({ quality: { value: 35 } });
});

test('keeps to a limit of bits per second', () => {
  const video = recorded('plain');
  const free = search(video, { target: 0.975 });
  const maxBitsPerSecond = free.expected.bitsPerSecond * 0.6;
  const { chosen, expected, isLimited } = search(video, { target: 0.975, maxBitsPerSecond });
  expect(isLimited).toBe(true);
  expect(expected.bitsPerSecond).toBeLessThanOrEqual(maxBitsPerSecond);
  expect(chosen.value).toBeGreaterThan(free.chosen.value + 2);
});

test('ignores a limit that is not reached', () => {
  const video = recorded('plain');
  const free = search(video, { target: 0.975 });
  const { chosen, isLimited } = search(video, { target: 0.975, maxBitsPerSecond: free.expected.bitsPerSecond * 2 });
  expect(isLimited).toBeUndefined();
  expect(chosen).toEqual(free.chosen);
});

test('takes the best value of the encoder if none reaches the target', () => {
  const measure = () => ({ score: 0.9, bytes: 10_000 });
  const { chosen, rounds } = searchBy(sourceOf(recorded('plain')), { target: 0.999 }, measure);
  expect(chosen.value).toBe(1);
  expect(rounds).toBeLessThanOrEqual(4);
});

test('ends with samples whose scores rise with the value, as noise can make them', () => {
  const measure = (_: Sample, value: number) => ({ score: 0.9 + value / 1000, bytes: 10_000 });
  const { chosen } = searchBy(sourceOf(recorded('plain')), {}, measure);
  expect(chosen.value).toBeGreaterThanOrEqual(1);
});

test('tries a whole short video until the value is near', () => {
  const { next, choose, samples } = chooserOf([{ start: 0, seconds: 5, bytes: 1 }]);
  expect(samples).toEqual([{ start: 0, seconds: 5, weight: 1 }]);
  expect(next(samples, [], 0)).toEqual({ groups: [[{ value: 22 }]], samples });
  const tries = triesOf(samples, 22, 0.9805).map((one) => ({ ...one, bytes: 500_000 }));
  expect(next(samples, tries, 1)).toBeUndefined();
  expect(choose(tries)).toMatchObject({ quality: { value: 22.2, tried: [{ value: 22, bitsPerSecond: 800_000 }] } });
});

test('sums up tries for the full video: worse values have lower scores and fewer bits', () => {
  const { tried: points } = search(recorded('cuts'), { target: 0.98 }).chosen;
  expect(points.length).toBeGreaterThanOrEqual(2);
  for (const [index, one] of points.entries()) {
    const before = points[index - 1];
    if (before === undefined) continue;
    expect(one.value).toBeGreaterThan(before.value);
    expect(one.score).toBeLessThan(before.score);
    expect(one.bitsPerSecond).toBeLessThan(before.bitsPerSecond);
  }
});

test('a video that filters shorten has the bits of its own seconds', () => {
  const sample = { start: 0, seconds: 4, weight: 1 };
  const point = { sample, value: 24, score: 0.96, bytes: 4000 };
  const bitsOf = (seconds: number) =>
    triedPoints(curveOf({ metric: 'ssim', scale: scaleOf() }, [{ ...point, seconds }]))[0]?.bitsPerSecond;
  expect([bitsOf(4), bitsOf(2)]).toEqual([8000, 16_000]);
});

test('samples of still images are worse than the full video, and moving ones are not', () => {
  const lossOf = (encoder: string, motion: number) => {
    const sample = { start: 0, seconds: 4, weight: 1, motion };
    const tries = [{ sample, value: 24, score: 0.96, bytes: 4000, seconds: 4 }];
    return 1 - curveOf({ metric: 'ssim', scale: scaleOf(encoder) }, tries).score(24);
  };
  expect(0.04 / lossOf('libx264', MOTION.min)).toBeCloseTo(1.8, 1);
  expect(lossOf('libx264', MOTION.max)).toBeCloseTo(0.04, 6);
  expect(lossOf('libx264', 0.03)).toBeGreaterThan(lossOf('libx264', 0.01));
  expect(lossOf('vp9_vaapi', MOTION.min)).toBeCloseTo(0.04, 6);
});
