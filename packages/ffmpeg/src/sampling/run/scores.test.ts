import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../../../test/support/folders.ts';
import type { QualityMetric } from '../../../../contract/src/domain/quality.ts';
import { readMeanScore, readScore } from './scores.ts';

function scoresOf(metric: QualityMetric, text: string): readonly number[] {
  return text.split('\n').flatMap((line) => readScore(metric, line) ?? []);
}

const SSIM = `n:1 Y:0.899184 U:0.932717 V:0.933333 All:0.910464 (10.480035)
n:2 Y:1.000000 U:1.000000 V:1.000000 All:1.000000 (inf)
n:3 Y:0.5 All:0.500000 (3.010300)
`;

const XPSNR = `n:    1  XPSNR y: 40.0000  XPSNR u: 44.0000  XPSNR v: 44.0000
n:    2  XPSNR y: inf  XPSNR u: inf  XPSNR v: inf
n:    3  XPSNR y: 38.5000

XPSNR average, 3 frames  y: 41.0000  u: 44.0000  v: 44.0000  (minimum: 41.0000)
`;

/** As libvmaf 2 and 3 write it. */
const VMAF = `{
  "version": "3.0.0",
  "fps": 48.16,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "integer_motion2": 0.000000,
        "vmaf": 91.254311
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "vmaf": 100.000000,
        "integer_vif_scale0": 0.912345
      }
    }
  ],
  "pooled_metrics": {
    "vmaf": {
      "min": 91.254311,
      "mean": 95.627156
    }
  },
  "aggregate_metrics": {
    "vmaf": 1
  }
}
`;

test('reads the score of each frame', () => {
  expect(scoresOf('ssim', SSIM)).toEqual([0.910464, 1, 0.5]);
  // Luma counts six times, and equal frames have 100 dB.
  expect(scoresOf('xpsnr', XPSNR)).toEqual([41, 100, 38.5]);
  expect(scoresOf('vmaf', VMAF)).toEqual([91.254311, 100]);
});

test('the mean is that of the first frames', async () => {
  const file = join(await testFolder('scores'), 'quality.log');
  await writeFile(file, SSIM);
  const { signal } = new AbortController();
  expect(await readMeanScore(file, 'ssim', 2, signal)).toBeCloseTo(0.955232, 6);
  expect(await readMeanScore(file, 'ssim', 100, signal)).toBeCloseTo(0.803488, 6);
  expect(await readMeanScore(file, 'vmaf', 100, signal)).toBeUndefined();
  expect(await readMeanScore(`${file}.absent`, 'ssim', 100, signal)).toBeUndefined();
  await expect(readMeanScore(file, 'ssim', 100, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});
