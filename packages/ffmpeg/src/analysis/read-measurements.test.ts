import { expect, test } from 'vitest';
import { parseVmaf } from './read-measurements.ts';

test('reads the pooled score of libvmaf', () => {
  const log = `{"frames": [{"frameNum": 0, "metrics": {"vmaf": 1.5}}], "pooled_metrics": {
    "integer_motion": {"min": 0.0, "max": 2.0, "mean": 1.0, "harmonic_mean": 1.0},
    "vmaf": {"min": 91.250000, "max": 97.0, "mean": 94.126000, "harmonic_mean": 94.1}}, "aggregate_metrics": {}}`;
  expect(parseVmaf(log)).toEqual({ mean: 94.13, min: 91.25 });
});

test.each(['', '{"pooled_metrics": {"vmaf": {"mean": "x"}}}'])('returns nothing for a log without one: %j', (log) => {
  expect(parseVmaf(log)).toBeUndefined();
});
