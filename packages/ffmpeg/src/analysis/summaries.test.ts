import { expect, test } from 'vitest';
import type { FoundValue } from '../log/printed-frames.ts';
import {
  audioExtent,
  frameTimes,
  intervalsOf,
  missingFrames,
  printedTimes,
  psnrOf,
  qualityOf,
  videoExtent,
  xpsnrOf,
} from './summaries.ts';

/** Values of frames, of which each lasts 0.1 seconds. */
async function* found(...values: readonly number[]): AsyncGenerator<FoundValue> {
  for (const [index, value] of values.entries()) yield { at: index / 10, pts: String(index), value };
}

const times = (...values: readonly number[]) => printedTimes(found(...values));

test('pairs starts with ends; one without an end lasts until the end of the file', async () => {
  expect(await intervalsOf(times(3, 8), times(5), { end: 9.5, offset: 60 })).toEqual({
    count: 2,
    totalSeconds: 3.5,
    intervals: [
      { start: 63, end: 65 },
      { start: 68, end: 69.5 },
    ],
  });
});

test('drops intervals that are too short', async () => {
  expect(await intervalsOf(times(1, 4), times(1.5, 6), { end: 9, minSeconds: 2 })).toEqual({
    count: 1,
    totalSeconds: 2,
    intervals: [{ start: 4, end: 6 }],
  });
});

test('a stream ends where its last frame does', async () => {
  expect(await videoExtent(found(1, 1, 1))).toEqual({ frames: 3, end: expect.closeTo(0.3) });
  // For audio, the printed times are those at which frames end.
  expect(await audioExtent(found(1, 1, 1))).toEqual({ frames: 3, end: 0.2 });
});

test('the last picture after a long pause is not as long as the pause', async () => {
  const slides = (async function* () {
    for (const at of [0, 1, 2, 60]) yield { at, pts: String(at), value: 1 };
  })();
  expect(await videoExtent(slides)).toEqual({ frames: 4, end: 80 });
});

test('the times of frames are exact, and those that a filter prints have six digits', async () => {
  const listed = async (numbers: AsyncIterable<number>) => {
    const all: number[] = [];
    for await (const one of numbers) all.push(one);
    return all;
  };
  expect(await listed(times(36_002, 36_002.4))).toEqual([36_002, 36_002.4]);
  expect(await listed(frameTimes(found(5, 6)))).toEqual([0, 0.1]);
});

test('PSNR is that of the mean error, and null for equal pictures', async () => {
  const infinite = Number.POSITIVE_INFINITY;
  // 65025 is the square of 255: 10 dB and 20 dB.
  expect(await psnrOf(found(6502.5, 650.25, 0), found(10, 20, infinite), 0)).toEqual({
    mean: 14.36,
    min: 10,
    minAt: 0,
  });
  expect(await psnrOf(found(0, 0), found(infinite, infinite), 0)).toBeNull();
  expect(await psnrOf(found(), found(), 0)).toBeUndefined();
});

test('XPSNR is the square-mean-root, as ffmpeg averages it', async () => {
  expect(await xpsnrOf(found(30, 40))).toBeCloseTo(33.63, 2);
  expect(await xpsnrOf(found(Number.POSITIVE_INFINITY))).toBeNull();
});

test('a comparison has its mean and its worst picture', async () => {
  expect(await qualityOf(found(1, 0.5, 0.9), 10)).toEqual({ mean: 0.8, min: 0.5, minAt: 10.1 });
});

test('frames that are missing among the distinct ones are duplicates', async () => {
  const kept = (async function* () {
    yield { at: 0, pts: '0', value: 1 };
    yield { at: 0.2, pts: '2', value: 1 };
  })();
  expect(await missingFrames(found(1, 1, 1, 1), kept, 1)).toEqual({ frames: 4, duplicates: 2, at: [1.1, 1.3] });
});
