import { expect, test } from 'vitest';
import { formatBytes, formatDuration } from './format.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_250_000, '1.3 MB'],
  [12_500_000, '13 MB'],
  [3_400_000_000, '3.4 GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0.4, '0.4 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1:00'],
  [75, '1:15'],
  [3_725, '1:02:05'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
