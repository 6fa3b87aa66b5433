import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import { readScratchLines } from '../../log/scratch-lines.ts';

/** The score of two equal frames, in dB. XPSNR calls it infinite. */
const EQUAL_DB = 100;

/** Matches a line of the filter `ssim` (vf_ssim.c, 5.1 to 8): `n:1 Y:0.97 U:0.98 V:0.98 All:0.977 (16.4)`. */
const SSIM = /^n:\d{1,9} .{0,100}\bAll:(\d\.\d{1,9})/;

/** Matches a line of the filter `xpsnr` (vf_xpsnr.c, 7.1 to 8): `n:    1  XPSNR y: 41.2  XPSNR u: 44.1  XPSNR v: inf`. */
const XPSNR = /^n: {0,10}\d{1,9} .{0,10}XPSNR /;
const PLANE = /XPSNR [a-z]: (-?\d{1,4}\.\d{1,6}|inf)/g;

/** Luma counts six times as much as each plane of chroma, as in the tests of JVET. */
const LUMA_WEIGHT = 6;

/** Matches the line about a frame, and the begin of the summary, in the JSON of libvmaf 2 and 3. */
const VMAF = /^\s{0,20}"vmaf": (\d{1,3}(?:\.\d{1,9})?),?$/;
const VMAF_SUMMARY = /"pooled_metrics"/;

/** Returns a reader of the lines of a scores file, which returns the score of each frame. */
export function scoreReader(metric: QualityMetric): (line: string) => number | undefined {
  switch (metric) {
    case 'ssim':
      return (line) => {
        const score = SSIM.exec(line)?.[1];
        return score === undefined ? undefined : Number(score);
      };
    case 'xpsnr':
      return (line) => (XPSNR.test(line) ? weightedPlanes(line) : undefined);
    case 'vmaf': {
      let isSummary = false;
      return (line) => {
        isSummary ||= VMAF_SUMMARY.test(line);
        const score = isSummary ? undefined : VMAF.exec(line)?.[1];
        return score === undefined ? undefined : Number(score);
      };
    }
  }
}

function weightedPlanes(line: string): number | undefined {
  const [luma, ...chroma] = [...line.matchAll(PLANE)].map(([, text = '']) =>
    text === 'inf' ? EQUAL_DB : Math.min(EQUAL_DB, Number(text)),
  );
  if (luma === undefined) return undefined;
  return chroma.reduce((sum, one) => sum + one, luma * LUMA_WEIGHT) / (LUMA_WEIGHT + chroma.length);
}

/** Reads the mean score of the first `frames` frames. undefined: the file has no score. Throws the abort reason if `signal` is aborted. */
export async function readMeanScore(
  path: string,
  metric: QualityMetric,
  frames: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  let [sum, count] = [0, 0];
  for await (const score of readScratchLines(path, scoreReader(metric), signal)) {
    if (count >= frames) break;
    sum += score;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}
