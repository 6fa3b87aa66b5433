import { expect, test } from 'vitest';
import { clockText, downToMilliseconds, secondsOf, timeText, upToMilliseconds } from './trim-time.ts';

test.each([
  ['12.5', 12.5],
  ['1500ms', 1.5],
  ['1:30', 90],
  ['1:02:03.5', 3723.5],
  ['middle', 30],
  ['25 %', 15],
  ['100%', 60],
  ['', undefined],
  ['soon', undefined],
  ['-3', undefined],
  ['140%', undefined],
])('reads the time "%s" of a film of a minute', (text, seconds) => {
  expect(secondsOf(text, 60)).toBe(seconds);
});

test.each([
  [0, '0', '0:00.000'],
  [2.04, '2.04', '0:02.040'],
  [59.9999, '1:00', '1:00.000'],
  [90.5, '1:30.5', '1:30.500'],
  [600, '10:00', '10:00.000'],
  [3723.25, '1:02:03.25', '1:02:03.250'],
])('writes %d seconds as a value and for display', (seconds, text, clock) => {
  expect([timeText(seconds), clockText(seconds)]).toEqual([text, clock]);
  expect(secondsOf(text, 0)).toBeCloseTo(seconds, 3);
});

test('a time names its frame: it is not after the frame, and not before its key frame', () => {
  const frame = 2.035366667;
  expect(downToMilliseconds(frame)).toBe(2.035);
  expect(upToMilliseconds(frame)).toBe(2.036);
  for (const round of [downToMilliseconds, upToMilliseconds]) expect(round(4.1)).toBe(4.1);
});
