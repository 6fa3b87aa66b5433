import type { Job, MediaInfo } from '@telecine/client';
import { expect, test } from 'vitest';
import { comparisonOf, isPart, measurableOf, onlySource, sizeChangeText } from './result-facts.ts';

test.each([
  [23_000_000, 7_600_000, '23 → 7.6\u00a0MB, −67\u00A0%'],
  [1_400_000_000, 7_600_000, '1.4\u00a0GB → 7.6\u00a0MB, −99\u00A0%'],
  [1000, 1_040_000, '1\u00a0kB → 1\u00a0MB, +103900\u00A0%'],
  [5_000_000, 5_200_000, '5 → 5.2\u00a0MB, +4\u00A0%'],
  [5_000_000, 5_001_000, '5 → 5\u00a0MB, the same size'],
  [90_000_000, 1000, '90\u00a0MB → 1\u00a0kB, −99\u00A0%'],
])('%i bytes that become %i are written %s', (before, after, text) => {
  expect(sizeChangeText(before, after, true)).toBe(text);
});

test('of a part of a source, only the sizes are written: its share of the bytes saves nothing', () => {
  expect(sizeChangeText(11_000_000, 1_100_000, false)).toBe('11 → 1.1\u00a0MB');
});

test.each([
  ['a start', { parameters: { ss: '10' } }],
  ['an end of its source', { inputs: [{ input: 'a.mov', parameters: { to: '5.5' } }] }],
  ['a length of its output', { requestedOutputs: [{ output: 'b.mp4', parameters: { t: '5.5' } }] }],
])('a result with %s is a part, if it is shorter than its source', (_what, job) => {
  expect(isPart(job, 5.5, 60)).toBe(true);
  expect(isPart(job, 59.6, 60)).toBe(false);
  // A repeated source is cut to its length after the end.
  expect(isPart(job, 90, 60)).toBe(false);
  expect(isPart(job, 5.5, undefined)).toBe(true);
});

test('a faster or a longer video is whole', () => {
  expect(isPart({ parameters: { vf: 'setpts=PTS/2', af: 'atempo=2' } }, 30, 60)).toBe(false);
  expect(isPart({ inputs: [{ input: 'a.mov', parameters: { stream_loop: '1' } }] }, 120, 60)).toBe(false);
  expect(isPart({}, undefined, 60)).toBe(false);
});

test('only one stored input is a source to compare with', () => {
  expect(onlySource({ input: 'a.mov' })).toBe('a.mov');
  expect(onlySource({ inputs: [{ input: 'a.mov', parameters: { ss: '2' } }] })).toBe('a.mov');
  for (const other of [{ inputs: ['a.mov', 'b.mov'] }, { input: 'https://a/b.mov' }, { input: 'frame-%03d.png' }, {}])
    expect(onlySource(other)).toBeUndefined();
});

const info = (members: object = {}, durationSeconds = 60): MediaInfo =>
  ({
    format: { durationSeconds },
    streams: [{ type: 'video', width: 1920, height: 1080, ...members }],
  }) as unknown as MediaInfo;

const output = (path = 'b.mp4', durationSeconds = 60, width = 1280, height = 720) => ({
  ...{ path, durationSeconds, sizeBytes: 1 },
  streams: [{ index: 0, type: 'video' as const, codec: 'h264', width, height, fps: 25 }],
});

const compare = (job: Partial<Job>, one: Parameters<typeof comparisonOf>[1] = output(), source = info()) =>
  comparisonOf(job, one, 'a.mov', source);

test('a whole video and a part of it are laid over their source', () => {
  expect(compare({})).toEqual({ offset: 0, width: 1280, height: 720, fps: 25, frames: 1500 });
  expect(compare({ parameters: { vf: 'scale=1280:-2,format=yuv420p' } })).toBeDefined();
  const part = { inputs: [{ input: 'a.mov', parameters: { ss: '1:05' } }] };
  expect(compare(part, output('b.mp4', 5), info({}, 90))).toMatchObject({ offset: 65, frames: 125 });
  expect(compare({ parameters: { ss: '2.5' } }, output('b.mp4', 5))).toMatchObject({ offset: 2.5 });
  const ofBoth = { inputs: [{ input: 'a.mov', parameters: { ss: '20' } }], parameters: { ss: '2' } };
  expect(compare(ofBoth, output('b.mp4', 5))).toMatchObject({ offset: 22 });
  expect(compare({ parameters: { sseof: '-5' } }, output('b.mp4', 5))).toMatchObject({ offset: 55 });
  const ofOne = { requestedOutputs: [{ output: 'a.mp4' }, { output: 'b.mp4', parameters: { ss: '3' } }] };
  expect(compare(ofOne, output('b.mp4', 5))).toMatchObject({ offset: 3 });
  const upright = info({ rotationDegrees: 90 });
  expect(compare({}, output('b.mp4', 60, 720, 1280), upright)).toBeDefined();
});

test.each([
  ['another length, without a start', {}, output('b.mp4', 30)],
  ['another shape', {}, output('b.mp4', 60, 720, 720)],
  ['a part beyond the end', { parameters: { ss: '58' } }, output('b.mp4', 30)],
  ['joined inputs', { join: 'encode' as const }, output()],
  ['frames in another order', { parameters: { vf: 'scale=1280:-2,reverse' } }, output()],
  [
    'frames in another order, of several outputs',
    {
      requestedOutputs: [{ output: 'b.mp4', parameters: { vf: 'reverse' } }],
    },
    output(),
  ],
  ['frames in another place', { parameters: { filter_complex: '[0:v]crop=1280:720[v]' } }, output()],
  ['audio alone', {}, { path: 'b.mp3', sizeBytes: 1, durationSeconds: 60 }],
])('an output with %s is not', (_what, job, one) => {
  expect(compare(job, one)).toBeUndefined();
});

test('a scaled, cropped or padded video is measured, if each of its frames is one of the source', () => {
  const measure = (
    job: Partial<Job>,
    one: Parameters<typeof measurableOf>[1] = output(),
    source = info({ frameRate: 25 }),
  ) => measurableOf(job, one, 'a.mov', source);
  expect(measure({})).toEqual({ offset: 0, width: 1280, height: 720, fps: 25, frames: 1500 });
  const square = output('b.mp4', 60, 720, 720);
  expect(measure({ parameters: { vf: 'crop=ih:ih,scale=720:720' } }, square)).toMatchObject({
    width: 720,
    height: 720,
  });
  // Another rate, or a part that begins between frames: nobody knows which frames belong together.
  expect(measure({}, output(), info({ frameRate: 50 }))).toBeUndefined();
  expect(measure({ parameters: { ss: '2.5' } }, output('b.mp4', 5))).toBeUndefined();
  expect(measure({ parameters: { vf: 'reverse' } })).toBeUndefined();
  expect(measurableOf({}, output('b.png'), 'a.png', info())).toBeUndefined();
});
