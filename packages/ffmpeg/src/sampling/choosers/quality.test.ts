import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseSamples, partsOf, type Sample } from './samples.ts';
import { correctedValue, type NextTry, nextTry, type QualitySearch, summaryOf, type Try } from './search.ts';
import { excessOf, usualEffect } from './search-scales.ts';

/** Videos of a minute with 24 frames a second, encoded as a whole by libx264 with three values of `crf`. */
interface RecordedVideo {
  readonly seconds: number;
  /** For each second of the source: bytes of key frames, bytes of another packet, number of other packets. */
  readonly packets: readonly (readonly [keyBytes: number, bytes: number, count: number])[];
  /** By `crf`: 1 - SSIM of each second, and the kilobytes of the full video. */
  readonly tries: Readonly<Record<string, { readonly loss: readonly number[]; readonly kB: number }>>;
}

const VIDEOS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/fixtures/quality-curves.json'), 'utf8'),
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
  chooseSamples(
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

/** Searches with samples that have the recorded quality. */
function search(video: RecordedVideo, wanted: Omit<QualitySearch, 'encoder' | 'metric'>) {
  const asked: QualitySearch = { encoder: 'libx264', metric: 'ssim', ...wanted };
  const samples = samplesOf(video);
  const tries: Try[] = [];
  let next: NextTry = nextTry(asked, samples, tries);
  let covered = 0;
  while (next.kind === 'try') {
    const { value } = next;
    const measured = next.samples.map((index) => {
      const { start = 0, seconds = 0, tail = 0, motion } = samples[index] ?? {};
      // Samples come out worse than the same frames of the full video.
      const excess = Math.exp(excessOf(usualEffect('libx264'), motion));
      covered += seconds / video.seconds;
      return {
        index,
        score: 1 - excess * (1 - scoreOf(video, value, start, seconds - tail)),
        bytes: bytesOf(video, value, seconds),
      };
    });
    tries.push({ value, samples: measured });
    next = nextTry(asked, samples, tries);
  }
  return { chosen: next, tries, covered, samples, asked };
}

test.each(Object.keys(VIDEOS))('finds the value for a target with "%s"', (name) => {
  const video = recorded(name);
  const { chosen, covered, tries } = search(video, { target: 0.975 });
  const loss = 1 - scoreOf(video, chosen.value);
  // Cuts between films and slides differ most from second to second.
  const allowed = { cuts: 0.25, slides: 0.3 }[name] ?? 0.1;
  expect(Math.abs(loss / 0.025 - 1)).toBeLessThan(allowed);
  expect(chosen.reached).toBe(true);
  expect(covered).toBeLessThan(0.27);
  expect(tries.length).toBeLessThanOrEqual(4);
});

test('begins with a pilot of few samples, near the usual value of the encoder', () => {
  const samples = samplesOf(recorded('plain'));
  const first = nextTry({ encoder: 'libsvtav1', metric: 'ssim', target: 0.98 }, samples, []);
  expect(first).toEqual({ kind: 'try', value: 35, samples: expect.objectContaining({ length: 2 }) });
  const higher = nextTry({ encoder: 'libsvtav1', metric: 'ssim', target: 0.99 }, samples, []);
  expect(higher).toMatchObject({ value: 23 });
});

test('begins nearer to the answer if the bits of the source are known', () => {
  const samples = samplesOf(recorded('plain'));
  const valueFor = (bitsPerPixel: number, metric: 'ssim' | 'xpsnr' = 'ssim', target = 0.98) => {
    const next = nextTry({ encoder: 'libx264', metric, target, bitsPerPixel }, samples, []);
    return next.value;
  };
  expect([6, 1.5, 0.375, 0.02].map((bits) => valueFor(bits))).toEqual([18.4, 22, 25.6, 33.2]);
  expect(valueFor(1e-9)).toBe(34);
  expect(valueFor(0.02, 'xpsnr', 41)).toBe(22);
});

test('does not try samples again that were tried near the value', () => {
  const samples = samplesOf(recorded('plain'));
  const asked: QualitySearch = { encoder: 'libx264', metric: 'ssim', target: 0.98 };
  const pilot = (score: number) => [{ value: 22, samples: [1, 4].map((index) => ({ index, score, bytes: 10_000 })) }];
  const near = nextTry(asked, samples, pilot(0.9815));
  expect(near).toMatchObject({ kind: 'try', samples: [0, 2, 3, 5, 6, 7] });
  expect(near.value).toBeGreaterThan(22);
  expect(nextTry(asked, samples, pilot(0.9877))).toMatchObject({ kind: 'try', samples: [0, 1, 2, 3, 4, 5, 6, 7] });
});

test('tries whole numbers only, for an encoder that takes no fractions', () => {
  const samples = samplesOf(recorded('plain'));
  const asked: QualitySearch = { encoder: 'libsvtav1', metric: 'ssim', target: 0.98 };
  const measured = (score: number) => samples.map((_, index) => ({ index, score, bytes: 10_000 }));
  const next = nextTry(asked, samples, [{ value: 35, samples: measured(0.98) }]);
  expect(next).toMatchObject({ kind: 'chosen', value: 35 });
});

test('encodes only the samples that lack a value', () => {
  const samples = samplesOf(recorded('plain'));
  const asked: QualitySearch = { encoder: 'libx264', metric: 'vmaf', target: 95 };
  const next = nextTry(asked, samples, [
    { value: 22, samples: [1, 4].map((index) => ({ index, score: 94.2, bytes: 1 })) },
  ]);
  expect(next).toMatchObject({ kind: 'try', value: 22.2, samples: [0, 2, 3, 5, 6, 7] });
});

test('keeps to a limit of bits per second, and says that the target is not reached', () => {
  const video = recorded('plain');
  const free = search(video, { target: 0.975 }).chosen;
  const { chosen } = search(video, { target: 0.975, maxBitsPerSecond: free.bitsPerSecond * 0.6 });
  expect(chosen).toMatchObject({ reached: false, limit: 'bitrate' });
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
  const samples = samplesOf(recorded('plain'));
  const asked: QualitySearch = { encoder: 'libx264', metric: 'ssim', target: 0.999 };
  const tries: Try[] = [];
  let next: NextTry = nextTry(asked, samples, tries);
  for (; next.kind === 'try'; next = nextTry(asked, samples, tries))
    tries.push({
      value: next.value,
      samples: next.samples.map((index) => ({ index, score: 0.9, bytes: 10_000 })),
    });
  expect(next).toMatchObject({ value: 1, reached: false, limit: 'scale' });
  expect(tries.length).toBeLessThanOrEqual(4);
});

test('ends with samples whose scores rise with the value, as noise can make them', () => {
  const samples = samplesOf(recorded('plain'));
  const asked: QualitySearch = { encoder: 'libx264', metric: 'ssim', target: 0.98 };
  const tries: Try[] = [];
  let next: NextTry = nextTry(asked, samples, tries);
  for (; next.kind === 'try'; next = nextTry(asked, samples, tries)) {
    const { value } = next;
    tries.push({ value, samples: next.samples.map((index) => ({ index, score: 0.9 + value / 1000, bytes: 10_000 })) });
    expect(tries.length).toBeLessThanOrEqual(4);
  }
  expect(next.value).toBeGreaterThanOrEqual(1);
});

test('tries a whole short video until the value is near', () => {
  const samples: readonly Sample[] = [{ start: 0, seconds: 5, weight: 1 }];
  const asked: QualitySearch = { encoder: 'libx264', metric: 'ssim', target: 0.98 };
  expect(nextTry(asked, samples, [])).toEqual({ kind: 'try', value: 22, samples: [0] });
  const next = nextTry(asked, samples, [{ value: 22, samples: [{ index: 0, score: 0.9805, bytes: 500_000 }] }]);
  expect(next).toMatchObject({ kind: 'chosen', value: 22.2, bitsPerSecond: expect.closeTo(778_000, -4) });
});

test('sums up tries for the full video: worse values have lower scores and fewer bits', () => {
  const { asked, samples, tries } = search(recorded('cuts'), { target: 0.98 });
  const summary = summaryOf(asked, samples, tries);
  expect(summary.length).toBeGreaterThanOrEqual(2);
  for (const [index, one] of summary.entries()) {
    const before = summary[index - 1];
    if (before === undefined) continue;
    expect(one.value).toBeGreaterThan(before.value);
    expect(one.score).toBeLessThan(before.score);
    expect(one.bitsPerSecond).toBeLessThan(before.bitsPerSecond);
  }
});

test('corrects the value by how much the full video differs from its samples', () => {
  const { asked, samples, tries, chosen } = search(recorded('plain'), { target: 0.98 });
  const { value, bitsPerSecond } = chosen;
  const corrected = (score: number, more: Partial<QualitySearch> = {}, bits = bitsPerSecond) =>
    correctedValue({ ...asked, ...more }, samples, tries, { value, score, bitsPerSecond: bits });
  expect(corrected(0.98).value).toBeCloseTo(value, 0);
  expect(corrected(0.975).value).toBeLessThan(value - 1);
  expect(corrected(0.975).growth).toBeGreaterThan(1.1);
  expect(corrected(0.985).value).toBeGreaterThan(value + 1);
  expect(corrected(0.985).growth).toBeLessThan(0.9);
  // With the same factor between the loss and that of the target, a step to a smaller file is the more careful one.
  const [smaller, larger] = [corrected(1 - 0.02 * 0.7).value - value, value - corrected(1 - 0.02 / 0.7).value];
  expect(smaller / larger).toBeGreaterThan(0.7);
  expect(smaller / larger).toBeLessThan(0.9);
  // The full video is twice as large as its samples, and the limit lies between both.
  const limited = corrected(0.975, { maxBitsPerSecond: bitsPerSecond * 1.5 }, bitsPerSecond * 2);
  expect(limited.value).toBeGreaterThan(value + 1);
  expect(limited).toMatchObject({ reached: false, limit: 'bitrate' });
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
