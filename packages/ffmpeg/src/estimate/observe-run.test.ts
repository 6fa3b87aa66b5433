import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { expect, test } from 'vitest';
import { wholePlan } from '../../../../test/support/planning.ts';
import type { InputReport } from '../log/report.ts';
import { estimatedKinds } from './estimate.ts';
import { observedSpeed } from './machine-time.ts';
import { observeRun } from './observe-run.ts';
import { predictOutput } from './predict.ts';

/** A video of 100 seconds, as ffmpeg logs it, and as ffprobe reports it. */
const LOGGED: InputReport = {
  demuxer: 'mov,mp4,m4a,3gp,3g2,mj2',
  durationSeconds: 100,
  streams: [
    { index: 0, type: 'video', codec: 'h264', width: 1280, height: 720, fps: 25 },
    { index: 1, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 'stereo' },
  ],
  bitRate: 1128,
};
const PROBED: MediaInfo = {
  format: { names: ['mov', 'mp4'], durationSeconds: 100, bitRate: 1_128_000, tags: {} },
  streams: [
    { index: 0, type: 'video', codec: 'h264', width: 1280, height: 720, frameRate: 25, disposition: [], tags: {} },
    { index: 1, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 2, disposition: [], tags: {} },
  ],
  chapters: [],
};

const run = (parameters: Parameters, output = 'b.mp4', bytes?: number, input = LOGGED) =>
  observeRun(wholePlan({ input: 'a.mp4', output, parameters }), [input], [bytes]);

test.each<[what: string, parameters: Parameters, output: string]>([
  ['a video', { 'c:v': 'libx264', vf: 'scale=-2:360' }, 'b.mp4'],
  ['the default encoder of the format', { an: '' }, 'b.webm'],
  ['audio', { vn: '' }, 'b.flac'],
  ['a copy', { c: 'copy' }, 'b.mkv'],
])('%s has the kinds with a dry run that it shows in its run', (_what, parameters, output) => {
  const plan = wholePlan({ input: 'a.mp4', output, parameters });
  const kinds = estimatedKinds(
    plan,
    plan.outputs.map((one) => predictOutput(plan, one, [PROBED])),
  );
  const { work, sizes } = run(parameters, output, 10_000_000) ?? {};
  expect([work?.kind, ...(sizes ?? []).map(({ kind }) => kind)]).toEqual(kinds);
});

test('a file shows the size of its video, without its audio', () => {
  const size = (bytes: number, parameters: Parameters = {}) => run(parameters, 'b.mp4', bytes)?.sizes[0]?.ratio ?? 0;
  expect(size(20_000_000) / size(10_000_000)).toBeGreaterThan(2);
  expect(size(20_000_000, { an: '' }) / size(10_000_000, { an: '' })).toBeCloseTo(2, 5);
  // These say nothing of a quality.
  expect(run({ 'b:v': '1M' }, 'b.mp4', 10_000_000)?.sizes).toEqual([]);
  expect(run({ crf: '20', maxrate: '1M', bufsize: '2M' }, 'b.mp4', 10_000_000)?.sizes).toEqual([]);
  expect(run({}, 'b.mp4')?.sizes).toEqual([]);
});

test('a run whose outputs cannot be predicted shows nothing', () => {
  expect(run({ vf: 'select=eq(pict_type\\,I)' })).toBeUndefined();
  expect(run({}, 'b.mp4', 1, { ...LOGGED, streams: [] })).toBeUndefined();
});

test('a video with much grain is more work than slides with as many frames, and not as much as its bits', () => {
  const seconds = (bitRate: number) => run({}, 'b.mp4', 1, { ...LOGGED, bitRate })?.work.seconds ?? 0;
  expect(seconds(24_000) / seconds(1600)).toBeGreaterThan(1.5);
  expect(seconds(24_000) / seconds(1600)).toBeLessThan(5);
});

test('a job beside others does not look like one on a slow machine', () => {
  const work = { kind: 'libx264', seconds: 34, isVideo: true };
  const ratio = (seconds: number, busyCores: number) => observedSpeed(work, seconds, 4, busyCores).ratio;
  expect(ratio(10.1, 0)).toBeCloseTo(1, 5);
  expect(ratio(20.1, 3.4) / ratio(20.1, 0)).toBeCloseTo(4 / 6.8, 5);
});
