import { expect, test } from 'vitest';
import { type ConversionEstimate, limitSizes, type TimeEstimate, timeInChunks } from './estimate.ts';

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

test('chunks shorten the time if workers are free, and the worker of the job may encode all of them alone', () => {
  const time: TimeEstimate = { seconds: { low: 100, likely: 160, high: 260 }, basis: 'jobs', jobsBefore: 2 };
  expect(timeInChunks(time, 0.25)).toEqual({ ...time, seconds: { low: 25, likely: 40, high: 260 } });
  // One worker takes longer for all chunks than for the whole.
  expect(timeInChunks(time, 1.1)).toEqual({ ...time, seconds: { low: 110, likely: 180, high: 290 } });
});

test('a range that chunks make too wide becomes its low end', () => {
  const time: TimeEstimate = { seconds: { low: 100, likely: 400, high: 1600 }, basis: 'model', jobsBefore: 2 };
  expect(timeInChunks(time, 0.25)).toEqual({
    ...{ longerThanSeconds: 25, jobsBefore: 2 },
    unknown: expect.stringContaining('when they are free'),
  });
  expect(timeInChunks({ longerThanSeconds: 10, unknown: 'So.' }, 0.25)).toEqual({
    longerThanSeconds: 2.5,
    unknown: 'So.',
  });
  expect(timeInChunks({ unknown: 'So.' }, 0.25)).toEqual({ unknown: 'So.' });
});
