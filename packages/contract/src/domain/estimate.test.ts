import { expect, test } from 'vitest';
import { type ConversionEstimate, limitSizes } from './estimate.ts';

const estimateOf = (low: number, likely: number, high: number): ConversionEstimate => ({
  outputs: [{ sizeBytes: { low, likely, high }, basis: ['bitRate'] }],
  time: { unknown: 'Unknown.' },
});

test('an estimate does not exceed the size to which the recipe fits the file', () => {
  expect(limitSizes(estimateOf(7e6, 7.5e6, 8.1e6), 8e6).outputs).toEqual([
    { sizeBytes: { low: 7e6, likely: 7.5e6, high: 8e6 }, basis: ['bitRate', 'limit'] },
  ]);
});

test('an estimate below the limit, without a limit or without a size stays as it is', () => {
  const small = estimateOf(1e6, 2e6, 3e6);
  expect(limitSizes(small, 8e6)).toEqual(small);
  expect(limitSizes(small, undefined)).toBe(small);
  const unknown: ConversionEstimate = { outputs: [{ unknown: 'The input is a URL.' }], time: { unknown: 'Unknown.' } };
  expect(limitSizes(unknown, 8e6)).toEqual(unknown);
});
