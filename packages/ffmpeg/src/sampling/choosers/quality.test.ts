import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Try } from './curve.ts';
import { chooseQuality, nextQuality, type QualitySearch, qualitySamples, triedPoints } from './quality.ts';
import { partsOf, type Sample } from './samples.ts';
import { excessOf, QUALITY_SCALES, usualEffect } from './scales.ts';

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

const samplesOf = ({ packets, seconds }: RecordedVideo): readonly Sample[] =>
  qualitySamples(
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
    ),
  );

const searchFor = (wanted: Partial<QualitySearch> = {}): QualitySearch => {
  const encoder = wanted.encoder ?? 'libx264';
  const scale = QUALITY_SCALES[encoder];
  if (scale === undefined) throw new Error(`No scale of ${encoder}`);
  return { encoder, metric: 'ssim', target: 0.98, scale, ...wanted };
};

/** Searches with samples of these scores and bytes. */
function searchBy(
  asked: QualitySearch,
  samples: readonly Sample[],
  measure: (sample: Sample, value: number) => Pick<Try, 'score' | 'bytes'>,
) {
  const tries: Try[] = [];
  for (let rounds = 0; rounds < 9; rounds += 1) {
    const next = nextQuality(asked, samples, tries, rounds);
    if (next === undefined) return { chosen: chooseQuality(asked, tries), tries, rounds };
    tries.push(
      ...next.samples.flatMap((sample) =>
        next.candidates.map(({ value }) => ({ sample, value, seconds: sample.seconds, ...measure(sample, value) })),
      ),
    );
  }
  throw new Error('The search does not end.');
}

/** Searches with samples that have the recorded quality. */
function search(video: RecordedVideo, wanted: Partial<QualitySearch>) {
  const asked = searchFor(wanted);
  const samples = samplesOf(video);
  const found = searchBy(asked, samples, ({ start, seconds, tail = 0, motion }, value) => ({
    // Samples come out worse than the same frames of the full video.
    score: 1 - Math.exp(excessOf(usualEffect('libx264'), motion)) * (1 - scoreOf(video, value, start, seconds - tail)),
    bytes: bytesOf(video, value, seconds),
  }));
  const covered = found.tries.reduce((sum, { sample }) => sum + sample.seconds, 0) / video.seconds;
  return { ...found, covered, samples, asked };
}

test.each(Object.keys(VIDEOS))('finds the value for a target with "%s"', (name) => {
  const video = recorded(name);
  const { chosen, covered, rounds } = search(video, { target: 0.975 });
  const loss = 1 - scoreOf(video, chosen.value);
  // Cuts between films and slides differ most from second to second. Grain vanishes more quickly than its slope tells.
  const allowed = { cuts: 0.25, slides: 0.3, 'grain-light': 0.15 }[name] ?? 0.1;
  expect(Math.abs(loss / 0.025 - 1)).toBeLessThan(allowed);
  expect(chosen.limit).toBeUndefined();
  expect(covered).toBeLessThan(0.27);
  expect(rounds).toBeLessThanOrEqual(4);
});

test('begins with a pilot of few samples, near the usual value of the encoder', () => {
  const samples = samplesOf(recorded('plain'));
  const firstOf = (wanted: Partial<QualitySearch>) => {
    const next = nextQuality(searchFor(wanted), samples, [], 0);
    if (next === undefined) throw new Error('Nothing is tried.');
    expect(next.samples).toHaveLength(2);
    return next.candidates.map(({ value }) => value);
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
  const samples = samplesOf(recorded('plain'));
  const pilot = [samples[1], samples[4]].flatMap((one) => one ?? []);
  const near = nextQuality(searchFor(), samples, triesOf(pilot, 22, 0.9815), 1);
  expect(near).toMatchObject({ samples: samples.filter((one) => !pilot.includes(one)) });
  expect(nextQuality(searchFor(), samples, triesOf(pilot, 22, 0.9877), 1)).toMatchObject({ samples });
});

test('tries whole numbers only, for an encoder that takes no fractions', () => {
  const samples = samplesOf(recorded('plain'));
  const search = searchFor({ encoder: 'libsvtav1' });
  const tries = triesOf(samples, 35, 0.98);
  expect(nextQuality(search, samples, tries, 1)).toBeUndefined();
  expect(chooseQuality(search, tries)).toMatchObject({ value: 35 });
});

test('keeps to a limit of bits per second, and says that the target is not reached', () => {
  const video = recorded('plain');
  const free = search(video, { target: 0.975 }).chosen;
  const { chosen } = search(video, { target: 0.975, maxBitsPerSecond: free.bitsPerSecond * 0.6 });
  expect(chosen).toMatchObject({ limit: 'bitrate' });
  expect(chosen.bitsPerSecond).toBeLessThanOrEqual(free.bitsPerSecond * 0.6);
  expect(chosen.value).toBeGreaterThan(free.value + 2);
});

test('ignores a limit that is not reached', () => {
  const video = recorded('plain');
  const free = search(video, { target: 0.975 }).chosen;
  const { chosen } = search(video, { target: 0.975, maxBitsPerSecond: free.bitsPerSecond * 2 });
  expect(chosen).toEqual(free);
});

test('says that the best value of the encoder does not reach the target', () => {
  const measure = () => ({ score: 0.9, bytes: 10_000 });
  const { chosen, rounds } = searchBy(searchFor({ target: 0.999 }), samplesOf(recorded('plain')), measure);
  expect(chosen).toMatchObject({ value: 1, limit: 'scale' });
  expect(rounds).toBeLessThanOrEqual(4);
});

test('ends with samples whose scores rise with the value, as noise can make them', () => {
  const measure = (_: Sample, value: number) => ({ score: 0.9 + value / 1000, bytes: 10_000 });
  const { chosen } = searchBy(searchFor(), samplesOf(recorded('plain')), measure);
  expect(chosen.value).toBeGreaterThanOrEqual(1);
});

test('tries a whole short video until the value is near', () => {
  const samples: readonly Sample[] = [{ start: 0, seconds: 5, weight: 1 }];
  expect(nextQuality(searchFor(), samples, [], 0)).toEqual({ candidates: [{ value: 22 }], samples });
  const tries = triesOf(samples, 22, 0.9805).map((one) => ({ ...one, bytes: 500_000 }));
  expect(nextQuality(searchFor(), samples, tries, 1)).toBeUndefined();
  expect(chooseQuality(searchFor(), tries)).toMatchObject({
    ...{ value: 22.2, bitsPerSecond: expect.closeTo(778_000, -4) },
  });
});

test('sums up tries for the full video: worse values have lower scores and fewer bits', () => {
  const { asked, tries } = search(recorded('cuts'), { target: 0.98 });
  const points = triedPoints(asked, tries);
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
  const bitsOf = (seconds: number) => triedPoints(searchFor(), [{ ...point, seconds }])[0]?.bitsPerSecond;
  expect([bitsOf(4), bitsOf(2)]).toEqual([8000, 16_000]);
});

test('samples of still images are worse than the full video, and grain is not', () => {
  const excess = (encoder: string, motion?: number) => Math.exp(excessOf(usualEffect(encoder), motion));
  expect([0.0001, 0.002, 0.03, 0.25, 0.8, 3].map((motion) => Number(excess('libx264', motion).toFixed(3)))).toEqual([
    1.85, 1.85, 1.14, 1.16, 0.98, 0.98,
  ]);
  expect(excess('libx264', 0.15)).toBeCloseTo(1.245, 2);
  expect(excess('libx264')).toBe(excess('libx264', 0.25));
  expect(excess('vp9_vaapi', 0.001)).toBe(1);
});
