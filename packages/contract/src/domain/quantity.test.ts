import { expect, test } from 'vitest';
import { durationText, sizeText } from './quantity.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [300_000, '293 KiB'],
  [20 * 2 ** 20, '20 MiB'],
  [4.5 * 2 ** 30, '4.5 GiB'],
  [2 ** 50, '1024 TiB'],
])('%s bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [90, '90 seconds'],
  [2.25, '2.3 seconds'],
  [600, '10 minutes'],
  [21_600, '6 hours'],
])('%s s are %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
