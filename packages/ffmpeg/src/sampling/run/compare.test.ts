import { expect, test } from 'vitest';
import type { Pass } from '../../run/pass.ts';
import { comparingGraph } from './compare.ts';

const graphOf = (
  counts: { readonly droppedFrames?: number; readonly repeatedFrames?: number } = {},
  { fps = 25, files = ['pass/sample-0.nut'], ...more }: { fps?: number; files?: string[]; start?: number } = {},
): string => {
  const pass = {
    firstOutput: { report: { streams: [{ type: 'video', fps }] } },
    lastBlock: { frame: 75, ...counts },
  } as unknown as Pass;
  return comparingGraph('null[quality-source]', 'ssim', { files, pass, ...more });
};

const timesIn = (graph: string) => [...graph.matchAll(/setpts=([^,;[]*)/g)].map(([, time]) => time);

test('all samples of a run are compared with the source at once', () => {
  expect(graphOf({}, { fps: 29.97 })).toBe(
    'null[quality-source];[quality-source]trim=end_frame=75,settb=AVTB,setpts=N/(30*TB),split=1[quality-source0];' +
      'movie=filename=file\\\\:pass/sample-0.nut,settb=AVTB,setpts=N/(30*TB)[quality-video0];' +
      '[quality-video0][quality-source0]ssim=stats_file=pass/scores-0.log[quality-compared0];[quality-compared0]null',
  );
  expect(graphOf({}, { files: ['a', 'b'] })).toMatch(
    /split=2\[quality-source0\]\[quality-source1\];.*scores-1\.log\[quality-compared1\];\[quality-compared0\]\[quality-compared1\]streamselect=inputs=2:map=0$/,
  );
});

test('frames are paired by number, or by time if ffmpeg dropped or repeated some', () => {
  expect(timesIn(graphOf())).toEqual(['N/(25*TB)', 'N/(25*TB)']);
  expect(timesIn(graphOf({ droppedFrames: 3 }))).toEqual(['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']);
  expect(timesIn(graphOf({ repeatedFrames: 3 }))).toEqual(['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']);
  expect(timesIn(graphOf({ repeatedFrames: 3 }, { start: 3 }))).toEqual(['PTS-3/TB-0.010000/TB', 'PTS-STARTPTS']);
});

test('the source ends with the frames that the encoder got', () => {
  expect(graphOf({ droppedFrames: 10 }, { files: ['a', 'b'] })).toContain('trim=end_frame=80,');
});
