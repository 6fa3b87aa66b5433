import { expect, test } from 'vitest';
import { addSample, type ProgressSample } from './progress-history.ts';

const converting = { status: 'PROCESSING', phase: 'CONVERTING' } as const;

test('keeps what is new while a job converts', () => {
  let samples: readonly ProgressSample[] = [];
  samples = addSample(samples, { status: 'PROCESSING', phase: 'STAGING', progress: 50 }, 0);
  expect(samples).toEqual([]);
  samples = addSample(samples, { ...converting, progress: 1, speed: 2, etaSeconds: 9 }, 1000);
  samples = addSample(samples, { ...converting, progress: 1, speed: 2, etaSeconds: 9 }, 1500);
  samples = addSample(samples, { ...converting, progress: 2, speed: 2 }, 2000);
  expect(samples).toEqual([
    { at: 1, percent: 1, speed: 2, etaSeconds: 9 },
    { at: 2, percent: 2, speed: 2, etaSeconds: null },
  ]);
  expect(addSample(samples, { status: 'COMPLETED', progress: 100 }, 3000)).toBe(samples);
  expect(addSample(samples, { status: 'PENDING', progress: 0 }, 3000)).toEqual([]);
});

test('a time left that is too uncertain to show as a number is not plotted', () => {
  const [sample] = addSample([], { ...converting, progress: 0.9, speed: 2, etaSeconds: 9 }, 1000);
  expect(sample).toEqual({ at: 1, percent: 0.9, speed: 2, etaSeconds: null });
});

test('a job of days has no more points than one of minutes', () => {
  let samples: readonly ProgressSample[] = [];
  for (let second = 0; second < 10_000; second += 1)
    samples = addSample(samples, { ...converting, progress: second / 100 }, second * 1000);
  expect(samples.length).toBeLessThanOrEqual(600);
  expect(samples[0]?.at).toBe(0);
  expect(samples.at(-1)?.at).toBe(9999);
});
