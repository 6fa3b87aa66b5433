import { expect, test } from 'vitest';
import { durationText, sizeLimitText, sizeText } from './quantity.ts';

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1023, '1.02 kB'],
  [300_000, '300 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [20 * 2 ** 20, '21 MB'],
  [4.5 * 2 ** 30, '4.83 GB'],
  [5e15, '5000 TB'],
])('%s bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

test.each([
  [2 ** 32, '4.29 GB (4 GiB)'],
  [384 * 2 ** 20, '403 MB (384 MiB)'],
  [1536 * 2 ** 20, '1.61 GB'],
  [64 * 2 ** 10, '65.5 kB (64 KiB)'],
  [2_000_000, '2 MB'],
  [0, '0 B'],
])('a limit of %s bytes is %s', (bytes, text) => expect(sizeLimitText(bytes)).toBe(text));

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [90, '90 seconds'],
  [2.25, '2.3 seconds'],
  [600, '10 minutes'],
  [21_600, '6 hours'],
])('%s s are %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
