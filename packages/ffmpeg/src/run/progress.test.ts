import { expect, test } from 'vitest';
import { recordedProgress } from '../../../../test/fixtures/recorded.ts';
import { type ProgressBlock, ProgressReader } from '../log/progress-reader.ts';
import { ProgressTracker, withHeldFrames } from './progress.ts';

function blocks(lines: readonly string[]): ProgressBlock[] {
  const reader = new ProgressReader();
  return lines.map((line) => reader.feed(line)).filter((block) => block !== undefined);
}

const at = (outSeconds: number, speed = 2): ProgressBlock => ({ outSeconds, speed, ended: false });

test('reads frames, time, bytes and speed of a recorded last block', () => {
  const last = blocks(recordedProgress('h264-aac')).at(-1);
  expect(last).toMatchObject({ frame: 48, outSeconds: 2.005333, ended: true });
  expect(last?.totalBytes).toBeGreaterThan(100_000);
  expect(last?.speed).toBeGreaterThan(0);
});

test('N/A values are absent', () => {
  expect(blocks(recordedProgress('hls')).at(-1)).toEqual({
    frame: 98,
    repeatedFrames: 0,
    droppedFrames: 0,
    fps: 0,
    outSeconds: 4.010667,
    speed: expect.any(Number),
    ended: true,
  });
  expect(
    blocks([
      'frame=0',
      'out_time_us=-577014',
      'out_time_ms=-577014',
      'total_size=N/A',
      'speed=N/A',
      'progress=continue',
    ]),
  ).toEqual([{ frame: 0, ended: false }]);
});

test('reads large speeds in scientific notation', () => {
  expect(blocks(['speed=1.61e+03x', 'progress=end'])).toEqual([{ speed: 1610, ended: true }]);
});

test('computes percent, remaining seconds and speed from the expected duration', () => {
  expect(new ProgressTracker(1).update(0, { ...at(5), fps: 48 }, 20)).toEqual({
    percent: 25,
    speed: 2,
    fps: 48,
    etaSeconds: 7.5,
  });
});

test('without an expected duration there is no percent and no remaining time before the end', () => {
  const tracker = new ProgressTracker(1);
  expect(tracker.update(0, at(5), undefined)).toEqual({ speed: 2 });
  expect(tracker.update(0, { ended: true }, undefined)).toEqual({ percent: 100, etaSeconds: 0 });
});

test('percent never decreases, even if a later block reports less progress', () => {
  const tracker = new ProgressTracker(1);
  tracker.update(0, at(10), 20);
  expect(tracker.update(0, at(8), 20).percent).toBe(50);
  expect(tracker.update(0, { ended: false }, 20).percent).toBe(50);
  expect(tracker.update(0, at(10), 40).percent).toBe(50);
});

test('percent reaches 100 only at the end, even if the output is longer than expected', () => {
  const tracker = new ProgressTracker(1);
  expect(tracker.update(0, at(20), 20).percent).toBe(99.9);
  expect(tracker.update(0, at(500), 20)).toMatchObject({ percent: 99.9, etaSeconds: 0 });
  expect(tracker.update(0, { ...at(500), ended: true }, 20).percent).toBe(100);
});

test('two passes share one progress', () => {
  const tracker = new ProgressTracker(2);
  expect(tracker.update(0, at(10), 20)).toMatchObject({ percent: 25, etaSeconds: 15 });
  expect(tracker.update(0, { ...at(20), ended: true }, 20).percent).toBe(50);
  expect(tracker.update(1, at(0), 20).percent).toBe(50);
  expect(tracker.update(1, at(10), 20).percent).toBe(75);
  expect(tracker.update(1, { ...at(20), ended: true }, 20).percent).toBe(100);
});

test('passes that follow after all count for the time left, and the percentage never falls', () => {
  const tracker = new ProgressTracker(2);
  tracker.update(1, at(16), 20);
  tracker.addPasses(2);
  expect(tracker.update(2, at(10), 20)).toMatchObject({ percent: 90, etaSeconds: 15 });
  expect(tracker.update(3, at(18), 20).percent).toBe(97.5);
  expect(tracker.end()).toEqual({ percent: 100, etaSeconds: 0 });
});

test('the time left is taken from the speed of the last half minute, not from the mean since the pass began', () => {
  let ms = 0;
  const tracker = new ProgressTracker(1, 1, () => ms);
  // The machine was busy for a quarter of an hour, and is free now.
  for (let second = 0; second <= 900; second++) {
    ms = second * 1000;
    tracker.update(0, { outSeconds: second * 0.1, speed: 0.1, ended: false }, 300);
  }
  for (let second = 1; second <= 40; second++) {
    ms = (900 + second) * 1000;
    tracker.update(0, { outSeconds: 90 + 4 * second, speed: (90 + 4 * second) / (900 + second), ended: false }, 300);
  }
  ms += 1000;
  // By the mean, which is 0.27, it would be two and a half minutes.
  expect(tracker.update(0, { outSeconds: 254, speed: 254 / 941, ended: false }, 300).etaSeconds).toBeCloseTo(11.5, 0);
});

test('a pass that has just begun is expected to be as fast as the one before', () => {
  let ms = 0;
  const tracker = new ProgressTracker(2, 1, () => ms);
  for (let second = 1; second <= 20; second++) {
    ms = second * 1000;
    tracker.update(0, at(second * 2), 40);
  }
  ms += 2000;
  // The encoder has collected frames for two seconds.
  expect(tracker.update(1, { outSeconds: 0.1, speed: 0.05, ended: false }, 40).etaSeconds).toBeCloseTo(20, 0);
});

test('frames that an encoder holds back still take time when all of the film is read', () => {
  const read = { outSeconds: 12, frame: 300, speed: 2, ended: false };
  const expected = withHeldFrames(12, read, ['libx264', 'aac']);
  expect(new ProgressTracker(1).update(0, read, expected)).toMatchObject({ percent: 85.7, etaSeconds: 1 });
  expect(withHeldFrames(12, read, ['aac'])).toBe(12);
});
