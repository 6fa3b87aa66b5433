import { expect, test } from 'vitest';
import { resultOf } from '../../../../test/support/result-of-steps.ts';
import { forcedNumbers as forcedNumbersInSteps, fractionOf, microsOfFrame, type Rate } from './forced-key-frames.ts';

const forcedNumbers = (...all: Parameters<typeof forcedNumbersInSteps>) => resultOf(forcedNumbersInSteps(...all));

const PAL: Rate = [25, 1];
const CINEMA: Rate = [24_000, 1001];

test('an interval is compared in doubles, as ffmpeg does', () => {
  // 3 × 3.2 is more than 240 × 0.04.
  expect(forcedNumbers({ everySeconds: 3.2 }, PAL, 400).numbers.slice(0, 5)).toEqual([0, 80, 160, 241, 320]);
  const numbers = forcedNumbers({ everySeconds: 6.006 }, CINEMA, 6400).numbers;
  expect(numbers).toContain(6193);
  expect(numbers).not.toContain(6192);
});

test('listed times are certain if rounding them changes no frame', () => {
  expect(forcedNumbers({ seconds: [2, 4] }, CINEMA, 240)).toEqual({ numbers: [48, 96], areCertain: true });
  // 2997.003 frames.
  expect(forcedNumbers({ seconds: [100] }, [30_000, 1001], 4000)).toEqual({ numbers: [2997], areCertain: false });
  expect(forcedNumbers({ seconds: [100] }, [30_000, 1001], 2000)).toEqual({ numbers: [], areCertain: true });
  // In doubles, 4.35 × 1e6 is less than 4350000.
  expect(forcedNumbers({ seconds: [4.35] }, [100, 1], 1000)).toEqual({ numbers: [435], areCertain: true });
});

test('a frame that reaches two listed times leaves the second to the next frame', () => {
  expect(forcedNumbers({ seconds: [1, 1] }, PAL, 50).numbers).toEqual([25, 26]);
});

test('a rate is the fraction of its numbers', () => {
  expect([25, 24_000 / 1001, 30_000 / 1001, 12.5].map(fractionOf)).toEqual([PAL, CINEMA, [30_000, 1001], [25, 2]]);
  expect(fractionOf(Math.PI)).toBeUndefined();
});

test('the time of a frame is never after the frame', () => {
  expect([1, 2, 24].map((frame) => microsOfFrame(frame, CINEMA))).toEqual([41_708, 83_416, 1_001_000]);
});
