import { expect, test } from 'vitest';
import type { Pass } from '../../run/pass.ts';
import { comparingGraph, readScores } from './compare.ts';

const graphOf = (
  counts: { readonly droppedFrames?: number; readonly repeatedFrames?: number } = {},
  { fps = 25, files = ['pass/sample-0.nut'], ...more }: { fps?: number; files?: string[]; start?: number } = {},
): string => {
  const pass = {
    firstOutput: { report: { streams: [{ type: 'video', fps }] } },
    lastBlock: counts,
  } as unknown as Pass;
  return comparingGraph('null[quality-source]', 'ssim', { files, frames: 75, pass, ...more });
};

const timesIn = (graph: string) => [...graph.matchAll(/setpts=([^,;[]*)/g)].map(([, time]) => time);

test('all samples of a run are compared with the source at once', () => {
  expect(graphOf({}, { fps: 29.97 })).toBe(
    'null[quality-source];[quality-source]trim=end_frame=75,settb=AVTB,setpts=N/(30*TB),split=1[quality-source0];' +
      'movie=filename=file\\\\:pass/sample-0.nut,trim=end_frame=75,settb=AVTB,setpts=N/(30*TB)[quality-video0];' +
      '[quality-video0][quality-source0]ssim=shortest=1[quality-compared0];[quality-compared0]null',
  );
  expect(graphOf({}, { files: ['a', 'b'] })).toMatch(
    /split=2\[quality-source0\]\[quality-source1\];.*ssim=shortest=1\[quality-compared1\];\[quality-compared0\]\[quality-compared1\]streamselect=inputs=2:map=0$/,
  );
});

test('frames are paired by number, or by time if ffmpeg dropped or repeated some', () => {
  expect(timesIn(graphOf())).toEqual(['N/(25*TB)', 'N/(25*TB)']);
  expect(timesIn(graphOf({ droppedFrames: 3 }))).toEqual(['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']);
  expect(timesIn(graphOf({ repeatedFrames: 3 }))).toEqual(['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']);
  expect(timesIn(graphOf({ repeatedFrames: 3 }, { start: 3 }))).toEqual(['PTS-3/TB-0.010000/TB', 'PTS-STARTPTS']);
});

test('the source ends with the frames that are scored', () => {
  expect(graphOf({ droppedFrames: 10 }, { files: ['a', 'b'] })).toContain('trim=end_frame=80,');
});

test('the scores of several videos are in their order', () => {
  const log = `[Parsed_ssim_22 @ 0x55ef836326c0] [info] SSIM Y:0.848050 (8.182981) U:0.899360 (9.972277) V:0.914463 (10.678447) All:0.867670 (8.783421)
[info] video:17kB audio:0kB subtitle:0kB other streams:0kB global headers:0kB muxing overhead: unknown
[Parsed_ssim_10 @ 0x55ef83615580] [info] SSIM Y:1.000000 (inf) U:1.000000 (inf) V:1.000000 (inf) All:1.000000 (inf)`;
  expect(readScores('ssim', log)).toEqual([1, 0.86767]);
  expect(readScores('xpsnr', log)).toEqual([]);
});

test.each([
  ['xpsnr', '[Parsed_xpsnr_9 @ 0x5f] [info] XPSNR  y: 40.0000  u: 44.0000  v: 44.0000  (minimum: 40.0000)', 41],
  ['xpsnr', '[Parsed_xpsnr_9 @ 0x5f] [info] XPSNR  y: inf  u: inf  v: inf  (minimum: inf)', 100],
  ['xpsnr', '[Parsed_xpsnr_9 @ 0x5f] [info] XPSNR  y: 38.5000', 38.5],
  ['vmaf', '[Parsed_libvmaf_9 @ 0x5f] [info] VMAF score: 95.627156', 95.627156],
] as const)('the score of %s is read of %s', (metric, line, score) => {
  expect(readScores(metric, line)).toEqual([score]);
});
