import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import { readScratchLines } from '../../log/scratch-lines.ts';

/** The score of two equal frames, in dB. XPSNR calls it infinite. */
const EQUAL_DB = 100;

/** Luma counts six times as much as each plane of chroma, as in the tests of JVET. */
const LUMA_WEIGHT = 6;

/** The scores of a frame's planes, luma first, in a line of each metric's file: vf_ssim.c (5.1 to 8), vf_xpsnr.c (7.1 to 8), libvmaf 2 and 3. */
const SCORES: Readonly<Record<QualityMetric, (line: string) => readonly (string | undefined)[]>> = {
  // n:1 Y:0.97 U:0.98 V:0.98 All:0.977 (16.4)
  ssim: (line) => [/^n:\d{1,9} .{0,100}\bAll:(\d\.\d{1,9})/.exec(line)?.[1]],
  // n:    1  XPSNR y: 41.2  XPSNR u: 44.1  XPSNR v: inf
  xpsnr: (line) =>
    /^n: {0,10}\d{1,9} .{0,10}XPSNR /.test(line)
      ? [...line.matchAll(/XPSNR [a-z]: (-?\d{1,4}\.\d{1,6}|inf)/g)].map(([, text]) => text)
      : [],
  // In the metrics of a frame. Those of all frames are less indented.
  vmaf: (line) => [/^\s{6,20}"vmaf": (\d{1,3}(?:\.\d{1,9})?),?$/.exec(line)?.[1]],
};

/** Reads the score of a frame from a line. undefined: the line has none. */
export function readScore(metric: QualityMetric, line: string): number | undefined {
  const [luma, ...chroma] = SCORES[metric](line).map((text) =>
    text === 'inf' ? EQUAL_DB : Math.min(EQUAL_DB, Number(text)),
  );
  if (luma === undefined || Number.isNaN(luma)) return undefined;
  const surplus = chroma.reduce((sum, one) => sum + one - luma, 0);
  return luma + surplus / (LUMA_WEIGHT + chroma.length);
}

/** Reads the mean score of the first `frames` frames. undefined: the file has no score. Throws the abort reason if `signal` is aborted. */
export async function readMeanScore(
  path: string,
  metric: QualityMetric,
  frames: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  let [sum, count] = [0, 0];
  for await (const score of readScratchLines(path, (line) => readScore(metric, line), signal)) {
    if (count >= frames) break;
    sum += score;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}
