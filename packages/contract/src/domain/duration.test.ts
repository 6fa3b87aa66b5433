import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each<[string, number]>([
  ['55', 55],
  ['0.2', 0.2],
  ['+5', 5],
  ['5.', 5],
  ['1500.5us', 0.0015005],
  ['200ms', 0.2],
  ['200000us', 0.2],
  ['3s', 3],
  ['12:03:45', 43_425],
  ['100:00:00', 360_000],
  ['1:30', 90],
  ['00:01:30.250', 90.25],
  ['-1:30', -90],
  ['-2.5', -2.5],
])('ffmpeg reads %s as %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBeCloseTo(seconds, 9);
});

test.each(['', '-', '.5', 'soon', '10000:00:00', '1:90', '90:00', '1h', '5 s', '1:2:3:4', '1e3', '--1', '0x10'])(
  '%j is not a time',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
