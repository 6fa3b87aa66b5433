import type { ConversionRequest, Parameters } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { expect, test } from 'vitest';
import { wholePlan } from '../../../../test/support/planning.ts';
import { estimate, estimatedKinds, type Machine, type Measured } from './estimate.ts';
import { predictOutput } from './predict.ts';

const stream = (index: number, type: MediaStream['type'], more: Partial<MediaStream>): MediaStream => ({
  ...{ index, type, disposition: [], tags: {} },
  ...more,
});

/** A video of 100 seconds: 1 Mbit/s of frames and 128 kbit/s of audio. */
const VIDEO: MediaInfo = {
  format: { names: ['mov', 'mp4'], durationSeconds: 100, sizeBytes: 14_100_000, bitRate: 1_128_000, tags: {} },
  streams: [
    stream(0, 'video', { codec: 'h264', width: 1280, height: 720, frameRate: 25, bitRate: 1_000_000 }),
    stream(1, 'audio', { codec: 'aac', sampleRate: 48_000, channels: 2, bitRate: 128_000 }),
  ],
  chapters: [],
};

const MACHINE: Machine = { cores: 2 };

const predictionsOf = (request: ConversionRequest, media: readonly (MediaInfo | string)[]) => {
  const plan = wholePlan(request);
  return { plan, predictions: plan.outputs.map((output) => predictOutput(plan, output, media)) };
};

function ofRequest(
  request: ConversionRequest,
  media: readonly (MediaInfo | string)[] = [VIDEO],
  machines: readonly Machine[] = [MACHINE],
  rows: readonly Measured[] = [],
) {
  const { plan, predictions } = predictionsOf(request, media);
  return estimate(plan, predictions, machines, rows);
}
const of = (parameters: Parameters, output = 'b.mp4', media: readonly (MediaInfo | string)[] = [VIDEO]) =>
  ofRequest({ input: 'a.mp4', output, parameters }, media);
const sizeOf = (parameters: Parameters, output?: string) =>
  of(parameters, output).outputs[0]?.sizeBytes?.likely ?? Number.NaN;

test('a copy has the size of the input', () => {
  const { outputs } = of({ c: 'copy' });
  expect(outputs[0]).toMatchObject({ durationSeconds: 100, basis: ['copy'] });
  expect(outputs[0]?.sizeBytes?.likely).toBeGreaterThan(14_000_000);
  expect(outputs[0]?.sizeBytes?.likely).toBeLessThan(14_400_000);
});

test('says which streams come out', () => {
  const streamsOf = (...sent: readonly [Parameters, string?]) => of(...sent).outputs[0]?.streams;
  expect(streamsOf({ 'c:a': 'copy', vf: 'scale=640:-2,fps=30', 'c:v': 'libx265' })).toEqual([
    { type: 'video', codec: 'libx265', isCopied: false, width: 640, height: 360, frameRate: 30 },
    { type: 'audio', codec: 'aac', isCopied: true, channels: 2 },
  ]);
  expect(streamsOf({ vf: 'crop=w=ih*9/16:h=ih' })).toMatchObject([{ width: 405, height: 720 }, { type: 'audio' }]);
  // A video is not a cover.
  expect(streamsOf({}, 'b.flac')).toMatchObject([{ type: 'audio' }]);
  expect(streamsOf({ ac: '1' }, 'b.mp3')).toEqual([
    { type: 'audio', codec: 'libmp3lame', isCopied: false, channels: 1 },
  ]);
});

test('says the usual frame size, of which the job may choose another', () => {
  const parameters = { 'b:v': '100k', vf: 'crop=iw:ih/2' };
  const { outputs } = ofRequest({ input: 'a.mp4', output: 'b.mp4', frameSize: 'auto', parameters });
  expect(outputs[0]?.streams).toMatchObject([{ width: 652, height: 182 }, { type: 'audio' }]);
});

test('says the channels and the frame rate that come out', () => {
  const [film, sound] = VIDEO.streams;
  if (film === undefined || sound === undefined) throw new Error('The video has two streams.');
  const surround = { ...VIDEO, streams: [film, { ...sound, channels: 6 }] };
  expect(of({ vn: '' }, 'b.mp3', [surround]).outputs[0]?.streams).toMatchObject([{ channels: 2 }]);
  expect(of({ vn: '' }, 'b.flac', [surround]).outputs[0]?.streams).toMatchObject([{ channels: 6 }]);
  // A screen recording: ffmpeg repeats frames for formats of a constant rate.
  const varying = { ...VIDEO, streams: [{ ...film, frameRate: 12.68, baseFrameRate: 30 }, sound] };
  const rateOf = (output: string) => of({}, output, [varying]).outputs[0]?.streams?.[0]?.frameRate;
  expect([rateOf('b.m3u8'), rateOf('b.avi'), rateOf('b.mp4')]).toEqual([30, 30, 12.68]);
});

test('a request without options has the size that the encoders of its format give it', () => {
  for (const [output, encoder] of [
    ['b.mp4', 'libx264'],
    ['b.webm', 'libvpx-vp9'],
  ] as const)
    expect(of({}, output), output).toEqual(of({ 'c:v': encoder }, output));
  expect(ofRequest({ inputs: [{ input: 'a.mp4', parameters: { ss: '40' } }], output: 'b.mp4' }).outputs[0]).toEqual({
    ...of({ 'c:v': 'libx264', ss: '40' }).outputs[0],
  });
});

test('the audio of a video has the size of its audio', () => {
  for (const [output, encoder] of [
    ['b.mp3', 'libmp3lame'],
    ['b.flac', 'flac'],
  ] as const) {
    const alone = of({ vn: '', 'c:a': encoder }, output).outputs[0];
    expect(alone?.sizeBytes?.likely, output).toBeGreaterThan(1e6);
    for (const parameters of [{}, { 'c:a': encoder }])
      expect(of(parameters, output).outputs[0]?.sizeBytes, output).toEqual(alone?.sizeBytes);
  }
});

test('a cover is one image, and not a video', () => {
  const cover = stream(1, 'video', {
    ...{ codec: 'mjpeg', width: 600, height: 600, frameRate: 90_000, isAttachedPicture: true },
    disposition: ['attached_pic'],
  });
  const audio = stream(0, 'audio', { codec: 'mp3', sampleRate: 44_100, channels: 2, bitRate: 192_000 });
  const song: MediaInfo = {
    format: { names: ['mp3'], durationSeconds: 200, sizeBytes: 5_000_000, bitRate: 200_000, tags: {} },
    streams: [audio, cover],
    chapters: [],
  };
  const sizeAndTime = (parameters: Parameters, output: string) => {
    const { outputs, time } = of(parameters, output, [song]);
    return [outputs[0]?.sizeBytes?.likely, 'seconds' in time ? time.seconds.likely : Number.NaN] as const;
  };
  for (const [parameters, output, bytes] of [
    [{ 'b:a': '128k' }, 'b.mp3', 3_200_000 + 500_000],
    [{ 'c:v': 'copy', 'b:a': '128k' }, 'b.mp3', 3_200_000 + 200_000],
    [{ 'c:v': 'mjpeg', 'b:a': '128k' }, 'b.m4a', 3_200_000 + 50_000],
    [{ 'c:v': 'libx264', 'b:a': '128k' }, 'b.m4a', 3_200_000 + 50_000],
  ] as const) {
    const [size, seconds] = sizeAndTime(parameters, output);
    expect(size, output).toBeGreaterThan(bytes * 0.9);
    expect(size, output).toBeLessThan(bytes * 1.1);
    expect(seconds, output).toBeLessThan(5);
  }
});

test('a video whose frames have no size has no estimate', () => {
  const damaged = { ...VIDEO, streams: [stream(0, 'video', { codec: 'h264', width: 0, height: 0, frameRate: 25 })] };
  const unknown = 'The frame size of the input is unknown.';
  for (const parameters of [{ 'c:v': 'libx264' }, { 'c:v': 'libx264', vf: 'scale=-2:360' }])
    expect(of(parameters, 'b.mp4', [damaged])).toEqual({ outputs: [{ unknown }], time: { unknown } });
  const withAudio = { ...VIDEO, streams: [...damaged.streams, ...VIDEO.streams.slice(1)] };
  for (const parameters of [{ vn: '', 'c:a': 'aac' }, { c: 'copy' }])
    expect(of(parameters, 'b.m4a', [withAudio]).outputs[0]?.sizeBytes?.likely).toBeGreaterThan(0);
});

test('a part of a copy has its share, and less certain bounds', () => {
  const whole = of({ c: 'copy' }).outputs[0]?.sizeBytes;
  const part = of({ c: 'copy', ss: '10', t: '20' }).outputs[0];
  expect(part?.durationSeconds).toBe(20);
  expect((whole?.likely ?? 0) / (part?.sizeBytes?.likely ?? 1)).toBeCloseTo(5, 1);
  expect((part?.sizeBytes?.high ?? 0) / (part?.sizeBytes?.likely ?? 1)).toBeGreaterThan(1.2);
});

test.each<[what: string, parameters: Parameters, seconds: number]>([
  ['the end of the output', { c: 'copy', to: '30' }, 30],
  ['a start', { 'c:v': 'libx264', ss: '40' }, 60],
  ['a number of frames', { 'c:v': 'libx264', an: '', 'frames:v': '50' }, 2],
  ['a faster video', { 'c:v': 'libx264', an: '', vf: 'setpts=0.5*PTS' }, 50],
  ['faster audio', { vn: '', 'c:a': 'aac', af: 'atempo=2' }, 50],
  ['a trim', { 'c:v': 'libx264', an: '', vf: 'trim=start=5:end=12,setpts=PTS-STARTPTS' }, 7],
])('the length follows from %s', (_what, parameters, seconds) => {
  expect(of(parameters).outputs[0]?.durationSeconds).toBe(seconds);
});

test('bit rates of options and defaults give the size', () => {
  expect(sizeOf({ 'c:v': 'libx264', 'b:v': '2M', an: '' })).toBeCloseTo(25_100_000, -6);
  expect(sizeOf({ vn: '', 'c:a': 'libmp3lame', 'b:a': '96k' }, 'b.mp3')).toBeCloseTo(1_200_000, -5);
  expect(sizeOf({ vn: '', 'c:a': 'pcm_s16le' }, 'b.wav')).toBeCloseTo(19_200_000, -6);
  expect(sizeOf({ vn: '' }, 'b.m4a')).toBeCloseTo(1_600_000, -5);
});

test('a smaller frame, a lower quality and fewer frames make a smaller file', () => {
  const usual = sizeOf({ 'c:v': 'libx264', an: '' });
  expect(sizeOf({ 'c:v': 'libx264', an: '', crf: '30' })).toBeLessThan(usual / 2);
  expect(sizeOf({ 'c:v': 'libx264', an: '', vf: 'scale=-2:360' })).toBeLessThan(usual / 1.8);
  expect(sizeOf({ 'c:v': 'libx264', an: '', s: '640x360' })).toBeLessThan(usual / 1.8);
  expect(sizeOf({ 'c:v': 'libx264', an: '', r: '5' })).toBeLessThan(usual / 1.8);
  expect(of({ 'c:v': 'libx264', an: '' }).outputs[0]?.basis).toEqual(['defaults']);
});

test('a profile and a limit of threads are no quality', () => {
  const usual = sizeOf({ 'c:v': 'libx265', an: '' });
  expect(sizeOf({ 'c:v': 'libx265', 'profile:v': 'main', 'x265-params': 'pools=2', an: '' })).toBe(usual);
  expect(of({ 'c:v': 'libx265', 'x265-params': 'crf=20', an: '' }).outputs[0]?.unknown).toMatch(/after three jobs/);
});

test('a quality wins over a bit rate, as in the encoder', () => {
  const both = of({ 'c:v': 'libx264', an: '', crf: '23', 'b:v': '9M' });
  expect(both.outputs).toEqual(of({ 'c:v': 'libx264', an: '', crf: '23' }).outputs);
});

test('a rate limit and a size limit bound the size', () => {
  expect(sizeOf({ 'c:v': 'libx264', an: '', crf: '10', maxrate: '500k', bufsize: '1M' })).toBeLessThan(7_000_000);
  const { outputs } = of({ c: 'copy', fs: '1M' });
  expect(outputs[0]).toMatchObject({ sizeBytes: { high: 1_000_000 }, basis: ['copy', 'limit'] });
});

test('each output has an estimate of its own', () => {
  const { outputs } = ofRequest({
    input: 'a.mp4',
    parameters: { filter_complex: '[0:v]split=2[x][y];[x]scale=-2:360[a];[y]scale=-2:180[b]', 'c:v': 'libx264' },
    outputs: [
      { output: 'b.mp4', parameters: { map: '[a]' } },
      { output: 'c.mp4', parameters: { map: '[b]' } },
    ],
  });
  const [a, b] = outputs.map(({ sizeBytes }) => sizeBytes?.likely ?? 0);
  expect(a).toBeGreaterThan((b ?? 0) * 1.8);
});

test.each<[what: string, parameters: Parameters, output: string, reason: RegExp]>([
  ['a filter that chooses frames', { vf: 'select=eq(pict_type\\,I)', an: '' }, 'b.mp4', /"select"/],
  [
    'a graph that reads what a later chain writes',
    { filter_complex: '[small]negate[v];[0:v]scale=-2:360[small]', map: '[v]' },
    'b.mp4',
    /reads a stream that is not known/,
  ],
  ['a size by chance', { vf: 'scale=iw*random(1):-2', an: '' }, 'b.mp4', /only known while ffmpeg runs/],
  ['an encoder without measurements', { 'c:v': 'libtheora', an: '' }, 'b.ogv', /"libtheora"/],
  ['another scale of quality', { 'c:v': 'libx264', qp: '20', an: '' }, 'b.mp4', /"libx264" with these options/],
])('says why nothing is known: %s', (_what, parameters, output, reason) => {
  const [one] = of(parameters, output).outputs;
  expect(one?.sizeBytes).toBeUndefined();
  expect(one?.unknown).toMatch(reason);
});

test('says that an input could not be read', () => {
  const reason = 'An input is a URL, which is read when the job runs.';
  expect(of({ c: 'copy' }, 'b.mp4', [reason])).toEqual({ outputs: [{ unknown: reason }], time: { unknown: reason } });
});

test('the time grows with the work of the encoder', () => {
  const secondsOf = (parameters: Parameters) => of({ an: '', ...parameters }).time.seconds?.likely ?? Number.NaN;
  const usual = secondsOf({ 'c:v': 'libx264' });
  expect(secondsOf({ 'c:v': 'libx264', preset: 'ultrafast' })).toBeLessThan(usual);
  expect(secondsOf({ 'c:v': 'libx265' })).toBeGreaterThan(usual);
  expect(secondsOf({ c: 'copy' })).toBeLessThan(2);
});

test('the size of a quality target is what the job finds out', () => {
  const plain = ofRequest({ input: 'a.mp4', output: 'b.mp4' });
  const found = ofRequest({ input: 'a.mp4', output: 'b.mp4', quality: { target: 0.98 } });
  expect(found.outputs).toMatchObject([{ durationSeconds: 100, unknown: expect.stringContaining('target quality') }]);
  const likely = ({ time }: typeof plain): number => ('seconds' in time ? time.seconds.likely : Number.NaN);
  expect(likely(found)).toBeGreaterThan(likely(plain));
});

const secondsOf = (parameters: Parameters, output?: string): number =>
  of(parameters, output).time.seconds?.likely ?? Number.NaN;

test('slow filters and several passes take time', () => {
  const plain = secondsOf({ 'c:v': 'libx264', an: '' });
  expect(secondsOf({ 'c:v': 'libx264', an: '', vf: 'nlmeans' })).toBeGreaterThan(plain * 2);
  const palette = 'fps=12,scale=480:-2,split[a][b];[a]palettegen[p];[b][p]paletteuse';
  expect(secondsOf({ vf: palette }, 'b.gif')).toBeGreaterThan(secondsOf({ vf: 'fps=12,scale=480:-2' }, 'b.gif') * 2);
  const rate = { 'c:v': 'libx264', 'b:v': '1M' };
  expect(secondsOf({ ...rate, pass: '2' })).toBeGreaterThan(secondsOf(rate) * 1.3);
  const audio = { 'c:v': 'copy', 'c:a': 'aac', ar: '48000' };
  expect(secondsOf({ ...audio, af: 'loudnorm=I=-16' })).toBeGreaterThan(secondsOf(audio) * 2);
});

const timeOn = (machines: readonly Machine[], rows: readonly Measured[] = [], parameters: Parameters = {}) =>
  ofRequest({ input: 'a.mp4', output: 'b.mp4', parameters }, [VIDEO], machines, rows).time;

test('more cores shorten a video, and not audio', () => {
  const speedup = (parameters: Parameters): number => {
    const [one = 0, many = 0] = [1, 16].map((cores) => timeOn([{ cores }], [], parameters).seconds?.likely ?? 0);
    return one / many;
  };
  expect(speedup({ an: '' })).toBeGreaterThan(8);
  expect(speedup({ vn: '' })).toBe(1);
});

test('other jobs on the machine make a conversion slower, and may end at once', () => {
  const [alone, beside] = [timeOn([MACHINE]).seconds, timeOn([{ cores: 2, busyCores: 1.7 }]).seconds];
  expect(beside?.low).toBe(alone?.low);
  expect((beside?.high ?? 0) / (alone?.high ?? 1)).toBeCloseTo(1.7, 1);
});

/** What jobs of a request took, divided by what was expected, for each of its kinds. */
function measured(parameters: Parameters, ratio: number, more: Partial<Measured> = {}): readonly Measured[] {
  const { plan, predictions } = predictionsOf({ input: 'a.mp4', output: 'b.mp4', parameters }, [VIDEO]);
  return estimatedKinds(plan, predictions).map((kind) => ({
    ...{ kind, processors: 2, jobs: 3, mean: Math.log(ratio), variance: 0 },
    ...more,
  }));
}

test('three jobs with the same options correct the time and the size, and make them more certain', () => {
  const rows = measured({ an: '' }, 2);
  const [before, after] = [timeOn([MACHINE], [], { an: '' }), timeOn([MACHINE], rows, { an: '' })];
  expect([before.basis, after.basis]).toEqual(['defaults', 'jobs']);
  expect((after.seconds?.likely ?? 0) / (before.seconds?.likely ?? 1)).toBeCloseTo(2, 1);
  expect((after.seconds?.high ?? 0) / (after.seconds?.low ?? 1)).toBeLessThan(4);
  const [output] = ofRequest({ input: 'a.mp4', output: 'b.mp4', parameters: { an: '' } }, [VIDEO], [], rows).outputs;
  expect(output?.basis).toEqual(['jobs']);
  expect((output?.sizeBytes?.likely ?? 0) / sizeOf({ an: '' })).toBeCloseTo(2, 1);
});

test.each<[what: string, other: Parameters]>([
  ['another preset', { preset: 'slow', an: '' }],
  ['another encoder', { 'c:v': 'libx265', an: '' }],
  ['frames of another size', { s: '1920x1080', an: '' }],
  ['a slow filter', { vf: 'nlmeans', an: '' }],
])('jobs with %s say nothing', (_what, other) => {
  expect(timeOn([MACHINE], measured(other, 9), { an: '' }).basis).toBe('defaults');
});

test('two jobs say nothing, and three alike do not make certain how long the next one takes', () => {
  expect(timeOn([MACHINE], measured({}, 9, { jobs: 2 }))).toEqual(timeOn([MACHINE]));
  const width = (variance: number): number => {
    const { low = 0, high = 0 } = timeOn([MACHINE], measured({}, 1, { jobs: 20, variance })).seconds ?? {};
    return high / low;
  };
  expect(width(0)).toBeGreaterThan(1.5);
  expect(width(0.3)).toBeGreaterThan(width(0.05) * 1.5);
});

test('jobs on machines with as many processors say most, and contain what the fastest and the slowest worker need', () => {
  const rows = [...measured({}, 1), ...measured({}, 4, { processors: 8 })];
  const [small, large, both] = [[2], [8], [2, 8]].map(
    (all) =>
      timeOn(
        all.map((cores) => ({ cores })),
        rows,
      ).seconds,
  );
  expect(both?.low).toBe(Math.min(small?.low ?? 0, large?.low ?? 0));
  expect(both?.high).toBe(Math.max(small?.high ?? 0, large?.high ?? 0));
});

test('says nothing without a worker, and nothing of an encoder that neither the table nor jobs know', () => {
  expect(timeOn([])).toEqual({ unknown: expect.stringContaining('No worker runs') });
  const theora = (rows: readonly Measured[]) =>
    ofRequest(
      { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'libtheora', an: '' } },
      [VIDEO],
      [MACHINE],
      rows,
    );
  expect(theora([]).time.unknown).toMatch(/"libtheora" is known after three jobs/);
  const rows = measured({ 'c:v': 'libtheora', an: '' }, 0.5);
  expect(theora(rows)).toMatchObject({ time: { basis: 'jobs' }, outputs: [{ basis: ['jobs'] }] });
});

test('the size does not exceed that to which the recipe fits the file', () => {
  const plan = { ...wholePlan({ input: 'a.mp4', output: 'b.mp4', parameters: { 'b:v': '1M' } }), maxBytes: 12_000_000 };
  const predictions = plan.outputs.map((output) => predictOutput(plan, output, [VIDEO]));
  expect(estimate(plan, predictions, [MACHINE], []).outputs[0]).toMatchObject({
    sizeBytes: { high: 12_000_000 },
    basis: ['bitRate', 'limit'],
  });
});
