import { expect, test } from 'vitest';
import { compareArgv, encodeArgv, fillArgv, timesOf, withChosenArgv } from './fill-argv.ts';

test('only the option of the encoder gets the value', () => {
  const quality = { metric: 'ssim', target: 0.98, option: 'crf', value: 27.4, tried: [] } as const;
  const argv = ['-metadata', 'QUALITY', '-filter:v', 'drawtext=QUALITY', '-crf:v', 'QUALITY', 'out/QUALITY'];
  expect(withChosenArgv(argv, { quality })).toEqual([
    ...['-metadata', 'QUALITY', '-filter:v', 'drawtext=QUALITY', '-crf:v', '27.4', 'out/QUALITY'],
  ]);
});

test('a sample is a part of the input', () => {
  const argv = ['-ss', 'TELECINE_SAMPLE_START', '-t', 'TELECINE_SAMPLE_SECONDS'];
  expect(fillArgv(argv, timesOf({ start: 10.1 + 0.2, seconds: 2 }))).toEqual(['-ss', '10.3', '-t', '2']);
});

test('a run encodes a sample with each value, into a file of its own', () => {
  const encode = {
    start: ['-ss', 'TELECINE_SAMPLE_START', '-i', 'a.mp4'],
    each: ['-filter:v', 'scale=w=TELECINE_WIDTH:h=TELECINE_HEIGHT', '-crf:v', 'QUALITY', 'file:pass/sample-RUNG.nut'],
  };
  const candidates = [
    { value: 20, size: { width: 64, height: 36 } },
    { value: 30, size: { width: 32, height: 18 } },
  ];
  expect(encodeArgv({ encode }, { start: 3, seconds: 1 }, candidates)).toEqual([
    ...['-ss', '3', '-i', 'a.mp4'],
    ...['-filter:v', 'scale=w=64:h=36', '-crf:v', '20', 'file:pass/sample-0.nut'],
    ...['-filter:v', 'scale=w=32:h=18', '-crf:v', '30', 'file:pass/sample-1.nut'],
  ]);
});

const COMPARISON = {
  start: [],
  source: 'trim=end_frame=TELECINE_SOURCE_FRAMES,setpts=expr=TELECINE_REFERENCE_TIME[quality-reference]',
  each: 'movie=out/RUNG.mp4,setpts=expr=TELECINE_ENCODED_TIME[quality-encodedRUNG];[quality-encodedRUNG][quality-referenceRUNG]ssim=stats_file=pass/scores-RUNG.log[quality-comparedRUNG]',
  end: [],
};

const graphOf = (pairing: Partial<Parameters<typeof compareArgv>[2]>, count = 1, shift?: number): string => {
  const usual = { fps: 25, sourceFrames: 75, hasAllFrames: true, hasRepeatedFrames: false };
  return compareArgv(COMPARISON, count, { ...usual, ...pairing }, {}, shift)[1] ?? '';
};

const timesIn = (graph: string) => [...graph.matchAll(/setpts=expr=([^,;[]*)/g)].map(([, time]) => time);

test('all samples of a run are compared with the source at once', () => {
  expect(graphOf({ fps: 29.97 })).toBe(
    'trim=end_frame=75,setpts=expr=N/(30*TB)[quality-reference];[quality-reference]split=outputs=1[quality-reference0];' +
      'movie=out/RUNG.mp4,setpts=expr=N/(30*TB)[quality-encoded0];[quality-encoded0][quality-reference0]ssim=stats_file=pass/scores-0.log[quality-compared0];' +
      '[quality-compared0]null',
  );
  const both = graphOf({}, 2);
  expect(both).toContain('[quality-reference]split=outputs=2[quality-reference0][quality-reference1];');
  expect(both).toMatch(
    /scores-1\.log\[quality-compared1\];\[quality-compared0\]\[quality-compared1\]streamselect=inputs=2:map=0$/,
  );
});

test('frames are paired by number, or by time if ffmpeg dropped some', () => {
  expect(timesIn(graphOf({}))).toEqual(['N/(25*TB)', 'N/(25*TB)']);
  expect(timesIn(graphOf({ hasAllFrames: false }))).toEqual(['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']);
});

test.each<[what: string, shift: number | undefined, times: readonly string[]]>([
  ['whose times are those of the source', 0, ['PTS-0.010000/TB', 'PTS-STARTPTS-(0)/TB']],
  ['of which the start was cut off', -3, ['PTS-0.010000/TB', 'PTS-STARTPTS-(-3)/TB']],
  ['that begins with the same frame', undefined, ['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']],
])('a video with a repeated first frame %s is paired by its times', (_what, shift, times) =>
  expect(timesIn(graphOf({ hasAllFrames: false, hasRepeatedFrames: true }, 1, shift))).toEqual(times),
);
