import { expect, test } from 'vitest';
import { type EncodedTimes, withPairing, withSample, withValue } from './fill-placeholders.ts';

test('only the option of the encoder gets the value', () => {
  expect(withValue(['-metadata', 'QUALITY', '-crf:v', 'QUALITY', 'out/QUALITY'], 27.4)).toEqual([
    ...['-metadata', 'QUALITY', '-crf:v', '27.4', 'out/QUALITY'],
  ]);
});

test('a sample is a part of the input', () => {
  const sample = { start: 10.1 + 0.2, seconds: 2 };
  expect(withSample(['-ss', 'TELECINE_SAMPLE_START', '-t', 'TELECINE_SAMPLE_SECONDS'], sample)).toEqual([
    '-ss',
    '10.3',
    '-t',
    '2',
  ]);
});

test.each<[forced: string, start: number, filled: string]>([
  ['0,5,00:00:10.5,chapters', 7, '00:00:10.5'],
  ['0,5', 7, '0'],
  ['0,5', 0, '0,5'],
  ['0,chapters', 0, '0,chapters'],
])('key frames at %s in a sample from %s s on are those of %s', (listed, start, filled) =>
  expect(withSample(['-force_key_frames:v', `TELECINE_KEY_FRAMES:${listed}`], { start, seconds: 2 })).toEqual([
    ...['-force_key_frames:v', filled],
  ]),
);

test('an expression for key frames stays as it is in a sample', () => {
  const argv = ['-force_key_frames', 'expr:gte(t,5)'];
  expect(withSample(argv, { start: 7, seconds: 2 })).toEqual(argv);
});

const GRAPH =
  'scale,trim=end_frame=TELECINE_SOURCE_FRAMES,setpts=expr=TELECINE_REFERENCE_TIME,fps=fps=TELECINE_FRAME_RATE[a];movie=x,setpts=expr=TELECINE_ENCODED_TIME,fps=fps=TELECINE_FRAME_RATE[b]';

test('frames are paired by number, or by time if ffmpeg dropped some', () => {
  expect(
    withPairing(['-filter:v', GRAPH], {
      fps: 29.97,
      sourceFrames: 90,
      hasAllFrames: true,
      hasRepeatedFrames: false,
    })[1],
  ).toBe('scale,trim=end_frame=90,setpts=expr=N/(30*TB),fps=fps=30[a];movie=x,setpts=expr=N/(30*TB),fps=fps=30[b]');
  expect(
    withPairing(['-filter:v', GRAPH], { fps: 25, sourceFrames: 75, hasAllFrames: false, hasRepeatedFrames: false })[1],
  ).toBe(
    'scale,trim=end_frame=75,setpts=expr=PTS-STARTPTS-0.020000/TB,fps=fps=25[a];movie=x,setpts=expr=PTS-STARTPTS,fps=fps=25[b]',
  );
});

test.each<[what: string, encoded: EncodedTimes | undefined, times: readonly string[]]>([
  ['whose times are those of the source', { shift: 0, isChunk: false }, ['PTS-0.010000/TB', 'PTS-STARTPTS-(0)/TB']],
  ['of which the start was cut off', { shift: -3, isChunk: false }, ['PTS-0.010000/TB', 'PTS-STARTPTS-(-3)/TB']],
  ['that is a chunk', { shift: 10, isChunk: true }, ['PTS-0.010000/TB', 'PTS-(10)/TB']],
  ['that begins with the same frame', undefined, ['PTS-STARTPTS-0.020000/TB', 'PTS-STARTPTS']],
])('a video with a repeated first frame %s is paired by its times', (_what, encoded, times) => {
  const pairing = { fps: 25, sourceFrames: 75, hasAllFrames: false, hasRepeatedFrames: true };
  const [, graph = ''] = withPairing(['-filter:v', GRAPH], pairing, encoded);
  expect([...graph.matchAll(/setpts=expr=([^,]*)/g)].map(([, time]) => time)).toEqual(times);
});
