import type { ConversionRequest, Parameters } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { expect, test } from 'vitest';
import { wholePlan } from '../../../../test/support/planning.ts';
import type { Machine } from './conversion-time.ts';
import { estimate } from './estimate.ts';

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

const ofRequest = (request: ConversionRequest, media: readonly (MediaInfo | string)[] = [VIDEO], machine = MACHINE) =>
  estimate(wholePlan(request), media, [machine]);
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

test('the bits of a part of a copy are within those of the whole, and more certain the longer it is', () => {
  const rangeOf = (t?: string) => of({ c: 'copy', an: '', ...(t !== undefined && { t }) }).outputs[0]?.sizeBytes;
  const width = (t: string): number => (rangeOf(t)?.high ?? 0) / (rangeOf(t)?.low ?? 1);
  expect(width('4')).toBeGreaterThan(width('40'));
  expect(width('40')).toBeGreaterThan(width('90'));
  // A calm beginning, and one scene with all the motion.
  expect(rangeOf('8')?.low).toBeLessThan(1_000_000 / 2.3);
  expect(rangeOf('90')?.high).toBeLessThanOrEqual((rangeOf()?.high ?? 0) * 1.01);
});

test('a quality is less certain for a part of a video than for the whole', () => {
  const width = (parameters: Parameters): number => {
    const range = of({ 'c:v': 'libx264', an: '', ...parameters }).outputs[0]?.sizeBytes;
    return (range?.high ?? 0) / (range?.low ?? 1);
  };
  expect(width({ t: '8' })).toBeGreaterThan(width({}) * 1.1);
});

test('audio with a variable bit rate may be half as large as full music, but not twice as large', () => {
  for (const [output, encoder, options] of [
    ['b.mp3', 'libmp3lame', { 'q:a': '2' }],
    ['b.opus', 'libopus', { 'b:a': '96k' }],
  ] as const) {
    const range = of({ vn: '', 'c:a': encoder, ...options }, output).outputs[0]?.sizeBytes;
    expect(range?.low, output).toBeLessThan((range?.likely ?? 0) / 2);
    expect(range?.high, output).toBeLessThan((range?.likely ?? 0) * 2);
  }
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
  expect(of({ 'c:v': 'libx264', an: '' }).outputs[0]?.basis).toEqual(['model']);
});

test('a quality wins over a bit rate, as in the encoder', () => {
  const both = of({ 'c:v': 'libx264', an: '', crf: '23', 'b:v': '9M' });
  expect(both.outputs).toEqual(of({ 'c:v': 'libx264', an: '', crf: '23' }).outputs);
});

test('the size is the less certain, the further the bits of the input are from the usual: these do not tell noise from quality', () => {
  const widthAt = (bitRate: number, parameters: Parameters, output: string): number => {
    const [video, ...audio] = VIDEO.streams;
    const media = { ...VIDEO, streams: video === undefined ? audio : [{ ...video, bitRate }, ...audio] };
    const { low = Number.NaN, high = Number.NaN } = of(parameters, output, [media]).outputs[0]?.sizeBytes ?? {};
    return high / low;
  };
  for (const [parameters, output] of [
    [{ crf: '23', an: '' }, 'b.mp4'],
    [{ vf: 'fps=8,scale=240:-2' }, 'b.gif'],
  ] as const) {
    const usual = widthAt(1_700_000, parameters, output);
    const [still, noisy] = [widthAt(100_000, parameters, output), widthAt(40_000_000, parameters, output)];
    expect(still, output).toBeGreaterThan(usual * 2);
    expect(noisy, output).toBeGreaterThan(usual * 2);
  }
});

test('an input with few bits may not use those of a target', () => {
  const [video, ...audio] = VIDEO.streams;
  const still = { ...VIDEO, streams: video === undefined ? audio : [{ ...video, bitRate: 100_000 }, ...audio] };
  const lowOf = (media: MediaInfo) =>
    of({ 'c:v': 'libx264', 'b:v': '2M', an: '' }, 'b.mp4', [media]).outputs[0]?.sizeBytes?.low ?? Number.NaN;
  expect(lowOf(still)).toBeLessThan(1_500_000);
  expect(lowOf({ ...still, streams: VIDEO.streams.map((one) => ({ ...one, bitRate: 4_000_000 })) })).toBeGreaterThan(
    15_000_000,
  );
});

test('a video at its rate limit stays just below it, or exceeds it by a full buffer', () => {
  const size = of({ crf: '5', maxrate: '500k', bufsize: '4M', an: '' }).outputs[0]?.sizeBytes;
  expect(size?.low).toBeLessThan(6_000_000);
  expect(size?.likely).toBeGreaterThan(6_200_000);
  expect(size?.high).toBeGreaterThan(6_250_000 + 500_000);
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

test('the time of a GIF contains that of its palette', () => {
  const palette = 'fps=12,scale=480:-2,split[a][b];[a]palettegen[p];[b][p]paletteuse';
  expect(secondsOf({ vf: palette }, 'b.gif')).toBeGreaterThan(secondsOf({ vf: 'fps=12,scale=480:-2' }, 'b.gif') * 2);
});

test('the time of a filter grows with the frames that it gets', () => {
  const denoised = (vf: string): number => secondsOf({ 'c:v': 'libx264', an: '', vf });
  expect(denoised('nlmeans,scale=320:-2')).toBeGreaterThan(denoised('scale=320:-2,nlmeans') * 4);
});

test('a graph with several outputs runs once', () => {
  const filtered = (outputs: readonly string[]): number =>
    ofRequest({
      input: 'a.mp4',
      parameters: {
        filter_complex: `[0:v]nlmeans,split=${outputs.length}${outputs.map((one) => `[${one}]`).join('')}`,
        ...{ 'c:v': 'libx264', preset: 'ultrafast' },
      },
      outputs: outputs.map((one) => ({ output: `${one}.mp4`, parameters: { map: `[${one}]` } })),
    }).time.seconds?.likely ?? Number.NaN;
  expect(filtered(['b', 'c', 'd'])).toBeLessThan(filtered(['b']) * 1.5);
});

test('the time of a loudness in two passes contains its measurement', () => {
  const audio = { 'c:v': 'copy', 'c:a': 'aac', ar: '48000' };
  const loudnorm = { ...audio, af: 'loudnorm=I=-16' };
  expect(secondsOf(loudnorm)).toBeGreaterThan(secondsOf(audio) * 2);
  // The first pass measures three times and takes a third longer. The second one applies a constant gain if it can.
  const twice = secondsOf({ ...loudnorm, pass: '2' }) / secondsOf(loudnorm);
  expect(twice).toBeGreaterThan(1.4);
  expect(twice).toBeLessThan(2.1);
});

test('more cores shorten the time only as far as the encoder has threads', () => {
  const secondsOn = (cores: number, parameters: Parameters, size = '1280x720') => {
    const request = { input: 'a.mp4', output: 'b.mkv', parameters: { an: '', s: size, ...parameters } };
    const { time } = ofRequest(request, [VIDEO], { cores });
    return time.seconds?.likely ?? Number.NaN;
  };
  const speedup = (parameters: Parameters, size?: string) =>
    secondsOn(1, parameters, size) / secondsOn(16, parameters, size);
  // What the decoder does beside the encoder is all that is saved.
  for (const parameters of [
    { 'c:v': 'libx264', threads: '1' },
    { 'c:v': 'libx264', 'threads:v': '1' },
    { 'c:v': 'libx264', 'x264-params': 'threads=1' },
    { 'c:v': 'libx264', 'b:v': '1M', pass: '2', threads: '1' },
    { 'c:v': 'libx265', 'x265-params': 'pools=1' },
    { 'c:v': 'libsvtav1', 'svtav1-params': 'lp=1' },
  ])
    expect(speedup(parameters), JSON.stringify(parameters)).toBeLessThan(1.5);
  expect(speedup({ 'c:v': 'libx264', threads: '4' })).toBeLessThan(5);
  for (const encoder of ['libx264', 'libx265']) {
    expect(speedup({ 'c:v': encoder }), encoder).toBeGreaterThan(8);
    expect(speedup({ 'c:v': encoder, threads: 'auto' }), encoder).toBeGreaterThan(8);
  }
  // libx265 has its own threads. VP9 has one for each column of tiles.
  expect(speedup({ 'c:v': 'libx265', threads: '1' })).toBeGreaterThan(8);
  expect(speedup({ 'c:v': 'libvpx-vp9' }, '640x360')).toBeLessThan(3);
  expect(speedup({ 'c:v': 'libvpx-vp9', 'row-mt': '1' }, '640x360')).toBeGreaterThan(8);
});

test('a first pass takes less time than the second', () => {
  const once = secondsOf({ 'c:v': 'libx264', 'b:v': '1M' });
  const twice = secondsOf({ 'c:v': 'libx264', 'b:v': '1M', pass: '2' });
  expect(twice).toBeGreaterThan(once * 1.3);
  expect(twice).toBeLessThan(once * 1.9);
});

test('a motion of the camera is detected in all frames before it is stabilized', () => {
  const stabilized = { 'c:v': 'libx264', an: '', vf: 'vidstabtransform', pass: '2' };
  expect(secondsOf(stabilized)).toBeGreaterThan(secondsOf({ 'c:v': 'libx264', an: '' }) * 1.5);
});
