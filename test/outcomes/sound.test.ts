import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { decodeSound, makeMedia, measureLoudness, showMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<unknown> | undefined;

/** A service with the inputs of all tests. */
async function prepare() {
  const server = await start();
  const { mediaRoot } = server.server;
  const make = (...args: readonly string[]) => makeMedia(mediaRoot, ...args);
  // First six channels just below full scale, whose mix by the levels of ITU-R BS.775 exceeds full scale by 6.7 dB. Then a quiet centre alone.
  const loud = [300, 310, 320, 60, 330, 340].map((hertz) => `0.9*sin(2*PI*${hertz}*t)`).join('|');
  const quiet = '0|0|0.1*sin(2*PI*320*t)|0|0|0';
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=2', '-c:v', 'libx264', '-preset', 'ultrafast'];
  const sound = (text: string) => ['-f', 'lavfi', '-i', `aevalsrc=${text}:s=48000:c=5.1:d=2`];
  media ??= Promise.all([
    make('-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=6', 'six.mp3'),
    make(...sound(loud), ...picture, '-c:a', 'flac', 'loud.mkv'),
    make(...sound(quiet), ...picture, '-c:a', 'flac', 'quiet.mkv'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=2', ...picture, '-c:a', 'aac', '-b:a', '64k', 'mono.mp4'),
    make('-f', 'lavfi', '-i', 'sine=f=441:r=44100:d=2', '-af', 'atrim=end_sample=80001', '-c:a', 'aac', 'part1.m4a'),
    make('-f', 'lavfi', '-i', 'sine=f=441:r=44100:d=1', '-af', 'atrim=end_sample=40001', '-c:a', 'aac', 'part2.m4a'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=2,volume=-20dB', 'short.wav'),
    make(
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='0.7*sin(2*PI*440*t)*lt(mod(t,0.5),0.05)*sin(20*PI*mod(t,0.5))':s=48000:d=2",
      'clicks.wav',
    ),
    make(
      '-f',
      'lavfi',
      '-i',
      'anoisesrc=d=2:r=48000:a=0.1,aformat=channel_layouts=5.1(side)',
      '-c:a',
      'ac3',
      'side.ac3',
    ),
    make('-f', 'lavfi', '-i', 'anoisesrc=d=2:r=48000:a=0.1,aformat=channel_layouts=4.0', '-c:a', 'flac', 'four.flac'),
    make('-f', 'lavfi', '-i', 'sine=r=16000:d=4', '-c:a', 'libspeex', 'voice.spx'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=0.6', ...picture, '-c:a', 'aac', '-bsf:a', 'setts=ts=TS*4', 'gaps.mp4'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=1', '-c:a', 'aac', '-bsf:a', 'setts=ts=TS*4', 'pieces.m4a'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=0.6', ...picture, '-c:a', 'aac', 'ends.mp4'),
    ...[4, 0.9].map((peak) =>
      make(
        '-f',
        'lavfi',
        '-i',
        `aevalsrc=${peak}*sin(2*PI*440*t):s=48000:d=1`,
        '-c:a',
        'pcm_f32le',
        `peak-${peak}.wav`,
      ),
    ),
    make('-f', 'lavfi', '-i', 'anoisesrc=d=2:a=0.2:r=44100', '-ac', '2', '-c:a', 'pcm_s16le', 'cd.wav'),
    make(
      ...['-f', 'lavfi', '-i', "aevalsrc='sin(2*PI*440*t)*if(lt(t,4),0.01,0.5)':s=48000:d=8"],
      ...[...picture, '-af', "aselect='not(between(t,2,3.5))'", '-c:a', 'flac', 'hole.mkv'],
    ),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=4', '-c:a', 'aac', '-bsf:a', 'setts=ts=TS/2', 'overlaps.mkv'),
  ]);
  await media;
  const convert = async (request: { readonly output: string; readonly [field: string]: unknown }) => {
    const job = await server.own.run(request);
    const codes = (job.warnings ?? []).map(({ code }) => code);
    return { job, codes, file: join(mediaRoot, request.output) };
  };
  return { ...server, convert };
}

beforeAll(async () => void (await prepare().catch(() => undefined)));

test('keeps the length of parts that are cut out and evened out in loudness', async ({ expect }) => {
  const { convert } = await prepare();
  const keep = [
    { start: 0, end: 1.5 },
    { start: 3, end: 5.5 },
  ];
  const { job, file } = await convert({
    input: 'six.mp3',
    output: 'parts.m4a',
    cut: { keep },
    preset: { name: 'loudness' },
  });
  const { frames, rate } = await decodeSound(file);
  expect({ status: job.status, seconds: frames / rate }).toEqual({
    status: 'COMPLETED',
    seconds: expect.closeTo(4, 1),
  });
});

test('applies a filter that counts in samples to sounds that are joined', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({
    inputs: ['six.mp3', 'six.mp3'],
    join: 'encode',
    output: 'backwards.m4a',
    parameters: { af: 'areverse' },
  });
  const { frames, rate } = await decodeSound(file);
  expect(frames / rate).toBeCloseTo(12, 0);
});

test('keeps the length of sounds that a graph of the client joins and evens out', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({
    inputs: ['six.mp3', 'six.mp3'],
    output: 'graph.m4a',
    parameters: {
      filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1,loudnorm=I=-16:LRA=11:TP=-1.5[a]',
      map: '[a]',
      pass: '2',
    },
  });
  const { frames, rate } = await decodeSound(file);
  expect(frames / rate).toBeCloseTo(12, 0);
});

const TO_STEREO: readonly (readonly [output: string, preset: object])[] = [
  ['loud.mp4', { name: 'web-h264' }],
  ['loud.webm', { name: 'web-vp9' }],
  ['loud.mp3', { name: 'mp3' }],
  ['voice.opus', { name: 'opus-voice' }],
  ['loud/master.m3u8', { name: 'ladder-per-title', arguments: { most: 2 } }],
];

test.for(TO_STEREO)('mixes loud surround sound down without clipping: %s', async ([output, preset], { expect }) => {
  const { convert } = await prepare();
  const { job, file } = await convert({ input: 'loud.mkv', output, preset });
  const { streams } = await showMedia(file);
  const { peak } = await measureLoudness(file);
  expect(job.status).toBe('COMPLETED');
  expect(streams.find(({ codec_type: type }) => type === 'audio')?.channels).toBe(preset === TO_STEREO[3]?.[1] ? 1 : 2);
  expect(peak).toBeLessThanOrEqual(0);
  expect(peak).toBeGreaterThan(-4);
});

test('keeps the level of quiet dialogue in a mix to stereo', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({ input: 'quiet.mkv', output: 'quiet.mp4', preset: { name: 'web-h264' } });
  // The centre gets to both sides by -3 dB: 20 * log10(0.1) - 3.
  const { peak } = await measureLoudness(file);
  expect(peak).toBeGreaterThan(-24);
  expect(peak).toBeLessThan(-22);
});

test('keeps one channel of a video with mono sound, in no more bits', async ({ expect }) => {
  const { convert } = await prepare();
  for (const [output, preset] of [
    ['mono-same.mp4', { name: 'compress' }],
    ['mono-vp9.webm', { name: 'web-vp9' }],
  ] as const) {
    const { file } = await convert({ input: 'mono.mp4', output, preset });
    const { streams } = await showMedia(file);
    const audio = streams.find(({ codec_type: type }) => type === 'audio');
    expect(audio?.channels).toBe(1);
    expect(Number(audio?.bit_rate ?? 0)).toBeLessThan(72_000);
  }
});

test('writes 16 bits of a sound that has 16, whatever filter it went through', async ({ expect }) => {
  const { convert } = await prepare();
  for (const name of ['flac', 'loudness', 'clean-voice']) {
    const { file } = await convert({ input: 'cd.wav', output: `${name}.flac`, preset: { name } });
    expect((await showMedia(file)).streams[0]?.bits_per_raw_sample).toBe('16');
  }
});

test('a recording without its noise has each sound at its time, to the end', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({ input: 'clicks.wav', output: 'clean.wav', preset: { name: 'clean-voice' } });
  const { samples, rate, frames } = await decodeSound(file);
  expect(frames).toBe(96_000);
  // The clicks of 50 ms are loudest in their middle.
  for (const start of [0, 0.5, 1, 1.5]) {
    const piece = samples.subarray(start * rate, (start + 0.5) * rate).map((value) => value ** 2);
    const moment = piece.reduce((sum, power, at) => sum + power * at, 0) / piece.reduce((sum, power) => sum + power);
    expect(moment / rate).toBeCloseTo(0.025, 2);
  }
});

test('joins AAC without a gap', async ({ expect }) => {
  const { convert } = await prepare();
  const inputs = ['part1.m4a', 'part2.m4a'];
  const { file } = await convert({ inputs, output: 'joined.wav', preset: { name: 'join-sounds' } });
  const { samples, frames } = await decodeSound(file);
  expect(Math.abs(frames - 120_002)).toBeLessThanOrEqual(64);
  let [silent, longest] = [0, 0];
  for (const sample of samples.subarray(2_000, 118_000)) {
    silent = Math.abs(sample) < 1e-3 ? silent + 1 : 0;
    longest = Math.max(longest, silent);
  }
  expect(longest).toBeLessThanOrEqual(64);
});

test('makes sounds of less than 3 s as loud as asked', async ({ expect }) => {
  const { convert } = await prepare();
  const { file, codes } = await convert({ input: 'short.wav', output: 'loud.wav', preset: { name: 'loudness' } });
  expect((await measureLoudness(file)).loudness).toBeCloseTo(-16, 0);
  expect(codes).toEqual([]);
});

test('limits the peaks of a short sound, and says so only then', async ({ expect }) => {
  const { convert } = await prepare();
  const before = await measureLoudness(join((await prepare()).server.mediaRoot, 'clicks.wav'));
  const { file, codes } = await convert({ input: 'clicks.wav', output: 'limited.wav', preset: { name: 'loudness' } });
  const after = await measureLoudness(file);
  expect(after.loudness).toBeGreaterThan(before.loudness);
  expect(after.peak).toBeLessThanOrEqual(-1.3);
  expect(after.peak).toBeGreaterThan(-3);
  expect(codes).toEqual(['LOUDNESS_MISSED']);
});

const LAYOUTS: readonly (readonly [input: string, output: string, preset: string, channels: number])[] = [
  ['side.ac3', 'side.opus', 'opus', 6],
  ['side.ac3', 'even.opus', 'loudness', 6],
  ['four.flac', 'four.opus', 'opus', 4],
  ['voice.spx', 'voice.mp3', 'loudness', 1],
  ['voice.spx', 'voice.m4a', 'm4a', 1],
];

test.for(LAYOUTS)(
  'converts every layout of channels: %s to %s',
  async ([input, output, name, channels], { expect }) => {
    const { convert } = await prepare();
    const { job, file } = await convert({ input, output, preset: { name } });
    expect(job.error?.message).toBeUndefined();
    expect((await showMedia(file)).streams[0]?.channels).toBe(channels);
  },
);

test('measures the loudness of sound whose layout has no name', async ({ expect }) => {
  const { own } = await prepare();
  const request = { input: 'voice.spx', measure: ['loudness'] };
  const { body } = await own.request<{ readonly jobId: string }>('/api/analyze', { method: 'POST', body: request });
  const job = await own.wait(body.jobId);
  expect(job.error?.message).toBeUndefined();
  expect(job.measurements?.loudness?.integratedLufs).toBeLessThan(0);
});

test('writes the channels of AC-3 as AAC that players know', async ({ expect }) => {
  const { convert } = await prepare();
  const { file, codes } = await convert({ input: 'side.ac3', output: 'side.m4a', preset: { name: 'm4a' } });
  expect((await showMedia(file)).streams[0]).toMatchObject({ channels: 6, channel_layout: '5.1' });
  expect(codes).toEqual([]);
  expect((await convert({ input: 'side.ac3', output: 'side.mp4', parameters: {} })).codes).toContain('FEW_PLAYERS');
});

test('tells that only a part of the sound is decoded', async ({ expect }) => {
  const { convert } = await prepare();
  for (const output of ['gaps.mp3', 'gaps.m4a', 'gaps-b.mp4', 'gaps.mkv']) {
    const { job } = await convert({ input: 'gaps.mp4', output, parameters: {} });
    expect(job.warnings, output).toContainEqual(expect.objectContaining({ lost: 'sound', rule: 'sound-gaps' }));
  }
  // Sound that ends before its film has no gaps.
  const { job } = await convert({ input: 'ends.mp4', output: 'ends.mkv', parameters: {} });
  expect(job.warnings ?? []).not.toContainEqual(expect.objectContaining({ lost: 'sound' }));
});

test('tells that audio whose times overlap plays longer than its file', async ({ expect }) => {
  const { convert } = await prepare();
  const { job, codes, file } = await convert({
    input: 'overlaps.mkv',
    output: 'overlaps.wav',
    preset: { name: 'wav' },
  });
  const { frames, rate } = await decodeSound(file);
  expect(frames / rate).toBeCloseTo(4, 0);
  expect(codes, JSON.stringify(job)).toEqual(['LONG_OUTPUT']);
});

test.for([
  ['mono|c0=c5', ['CHANNELS_LOST']],
  ['stereo|FL=FL+0.5*FC|FR=FR', ['CHANNELS_LOST']],
  ['mono|c0=0.5*c0+0.5*FR', []],
] as const)('tells a channel that the audio does not have: pan=%s', async ([definition, expected], { expect }) => {
  const { convert } = await prepare();
  const output = `pan-${definition.replaceAll(/\W/g, '-')}.wav`;
  const { codes } = await convert({ input: 'cd.wav', output, parameters: { af: `pan=${definition}` } });
  expect(codes).toEqual(expected);
});

test('keeps audio after a gap at its time when the loudness is evened out', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({ input: 'hole.mkv', output: 'hole.mp4', preset: { name: 'video-loudness' } });
  const { streams } = await showMedia(file);
  const audio = streams.find(({ codec_type: type }) => type === 'audio');
  expect(Number(audio?.duration)).toBeCloseTo(8, 0);
});

test.for(['gaps.mp4', 'pieces.m4a'])(
  'evens out the loudness that audio with gaps has in players: %s',
  async (input, { expect }) => {
    const { convert } = await prepare();
    const { file } = await convert({ input, output: `even-${input}.flac`, preset: { name: 'loudness' } });
    expect((await measureLoudness(file)).loudness).toBeCloseTo(-16, 0);
  },
);

test.for([
  { input: 'peak-4.wav', output: 'peak.flac', lost: ['peaks'] },
  { input: 'peak-4.wav', output: 'peak.m4a', preset: { name: 'm4a' }, lost: ['peaks'] },
  { input: 'peak-4.wav', output: 'float.wav', parameters: { 'c:a': 'pcm_f32le' }, lost: [] },
  { input: 'peak-4.wav', output: 'even.flac', preset: { name: 'loudness' }, lost: [] },
  { input: 'peak-0.9.wav', output: 'peak-0.9.flac', lost: [] },
])(
  'tells that audio of floating point numbers is cut off at full scale: $output',
  async ({ lost, ...request }, { expect }) => {
    const { convert } = await prepare();
    const { job } = await convert(request);
    expect(job.warnings?.flatMap((one) => one.lost ?? []) ?? [], JSON.stringify(job)).toEqual(lost);
  },
);
