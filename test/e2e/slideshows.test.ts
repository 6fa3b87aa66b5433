// @module-tag long
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { conversionMedia } from '../support/conversion-media.ts';
import { needs } from '../support/needs.ts';
import { countFrames, type DecodedVideo, decodeVideo } from '../support/pixels.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { putSlides } from '../support/slides.ts';

const start = commonServer();
let media: Promise<unknown> | undefined;
const test = needs('ffmpeg').concurrent;

async function show(request: ConversionRequest) {
  const { server, own } = await start();
  media ??= Promise.all([conversionMedia(server.mediaRoot), putSlides(server.mediaRoot)]);
  await media;
  const job = await own.run(request);
  expect(job.error).toBeUndefined();
  const file = join(server.mediaRoot, String(request.output));
  return { job, file, found: await probe(file) };
}

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', crf: '10' } as const;
const COLOURS = {
  red: [255, 0, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  dark: [0, 0, 128],
  white: [255, 255, 255],
  aqua: [0, 255, 255],
  grey: [128, 128, 128],
  yellow: [255, 255, 0],
  black: [0, 0, 0],
} as const;

type Colour = readonly [seconds: number, x: number, y: number, colour: keyof typeof COLOURS];

/** Lossy encoding and the conversion to YUV and back change a colour a little. */
function expectColours(video: DecodedVideo, colours: readonly Colour[]): void {
  for (const [seconds, x, y, colour] of colours) {
    const pixel = video.pixelAt(seconds, x, y);
    const far = pixel.map((part, i) => Math.abs(part - (COLOURS[colour][i] ?? 0)));
    expect(Math.max(...far), `${colour} at ${seconds} s, ${x}×${y}; it is ${pixel}`).toBeLessThan(12);
  }
}

const pictures = (...names: readonly string[]) => names.map((input) => ({ input, duration: '1' }));

test('shows pictures in order, in the first one’s size, with black bars and a black background', async ({ expect }) => {
  const { file, found, job } = await show({
    inputs: pictures('wide.png', 'tall.jpg', 'half.png', 'square.webp', 'oblong.png', 'grey.png', 'deep.png'),
    output: 'shows/all.mp4',
    parameters: QUICK,
  });
  expect(found.streams).toMatchObject([
    { codec_name: 'h264', width: 320, height: 180, avg_frame_rate: '25/1', pix_fmt: 'yuv420p' },
  ]);
  const video = await decodeVideo(file, { width: 320, height: 180, rate: 25 });
  expect(video.frames).toBe(175);
  expect(found.durationSeconds).toBeCloseTo(7, 2);
  expect(await decodesWithoutErrors(file)).toBe(true);
  expect(job.outputs).toMatchObject([{ durationSeconds: found.durationSeconds }]);
  expectColours(video, [
    [0.02, 5, 5, 'red'],
    [0.96, 160, 90, 'red'],
    [1.02, 160, 90, 'lime'],
    [1.5, 60, 90, 'black'],
    [1.5, 260, 90, 'black'],
    [1.5, 160, 3, 'lime'],
    [2.5, 5, 5, 'dark'],
    [3.5, 160, 90, 'white'],
    [3.5, 50, 90, 'black'],
    [4.5, 70, 90, 'aqua'],
    [4.5, 50, 90, 'black'],
    [5.5, 5, 5, 'grey'],
    [6.9, 315, 175, 'yellow'],
  ]);
});

test('uses the requested size and frame rate, and applies the orientation of a photo', async ({ expect }) => {
  const { file, found } = await show({
    inputs: [{ input: 'turned.jpg', duration: '0.5' }, ...pictures('wide.png')],
    output: 'shows/asked.mp4',
    parameters: { ...QUICK, s: 'qvga', r: 'ntsc' },
  });
  expect(found.streams).toMatchObject([{ width: 320, height: 240, avg_frame_rate: '30000/1001' }]);
  const video = await decodeVideo(file, { width: 320, height: 240, rate: 30_000 / 1001 });
  expect(video.frames).toBe(45);
  expectColours(video, [
    [0.3, 10, 120, 'lime'],
    [0.3, 160, 20, 'black'],
    [1, 160, 120, 'red'],
    [1, 160, 10, 'black'],
  ]);
});

test('a crossfade overlaps two pictures and shortens the slideshow', async ({ expect }) => {
  const { file, found } = await show({
    inputs: [
      ...pictures('wide.png'),
      { input: 'grey.png', duration: '2', crossfade: '0.4' },
      ...pictures('half.png'),
      { input: 'deep.png', duration: '1', crossfade: '0.5' },
    ],
    output: 'shows/crossfade.mp4',
    parameters: { ...QUICK, framerate: '20' },
  });
  expect(found.streams).toMatchObject([{ avg_frame_rate: '20/1' }]);
  const video = await decodeVideo(file, { width: 320, height: 180, rate: 20 });
  expect(video.frames).toBe(20 + 40 - 8 + 20 + 20 - 10);
  expectColours(video, [
    [0.55, 160, 90, 'red'],
    [1.05, 160, 90, 'grey'],
    [2.5, 160, 90, 'grey'],
    [2.7, 160, 90, 'dark'],
    [3.8, 160, 90, 'yellow'],
  ]);
  const [red = 0, green = 0] = video.pixelAt(0.8, 160, 90);
  expect(red).toBeGreaterThan(150);
  expect(red).toBeLessThan(240);
  expect(green).toBeGreaterThan(20);
});

test('sound plays with the pictures and ends with them', async ({ expect }) => {
  const { found } = await show({
    inputs: [...pictures('wide.png', 'grey.png'), 'lena.flac'],
    output: 'shows/sound.mp4',
    parameters: { ...QUICK, 'c:a': 'aac' },
  });
  expect(found.streams).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'aac' }]);
  expect(found.durationSeconds).toBeCloseTo(2, 1);
});

test('shorter sound ends before the pictures; "shortest" ends both together', async ({ expect }) => {
  const inputs = [...pictures('wide.png', 'grey.png'), { input: 'lena.flac', parameters: { t: '0.5' } }];
  const whole = await show({ inputs, output: 'shows/short.mkv', parameters: QUICK });
  expect(await countFrames(whole.file)).toBe(50);
  const ended = await show({ inputs, output: 'shows/shortest.mkv', parameters: { ...QUICK, shortest: '' } });
  expect(ended.found.durationSeconds).toBeLessThan(0.7);
});

test('plays several sounds one after the other, and adds subtitles as a stream', async ({ expect }) => {
  const { found, file } = await show({
    inputs: [
      ...pictures('wide.png', 'grey.png', 'half.png'),
      { input: 'lena.flac', parameters: { t: '1' } },
      { input: 'lena.wav', parameters: { t: '1' } },
      'words.srt',
    ],
    output: 'shows/playlist.mkv',
    parameters: { ...QUICK, 'c:a': 'flac', 'c:s': 'srt' },
  });
  expect(found.streams).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'flac' }, { codec_name: 'subrip' }]);
  expect(found.durationSeconds).toBeCloseTo(3, 1);
  expect(await decodesWithoutErrors(file)).toBe(true);
});

test('writes a slideshow to a GIF', async ({ expect }) => {
  const gif = await show({
    inputs: pictures('wide.png', 'tall.jpg'),
    output: 'shows/a.gif',
    parameters: { r: '5' },
  });
  expect(gif.found.streams).toMatchObject([{ codec_name: 'gif', width: 320, height: 180 }]);
  const video = await decodeVideo(gif.file, { width: 320, height: 180, rate: 5 });
  expect(video.frames).toBe(10);
  expectColours(video, [[1.5, 160, 90, 'lime']]);
});

needs('sandbox').concurrent(
  'with a filtergraph or a map of the caller’s, inputs go to ffmpeg as they are',
  async ({ expect }) => {
    const { found, file } = await show({
      inputs: [{ input: 'wide.png', duration: '2' }, 'movie.mp4'],
      output: 'shows/own.mp4',
      parameters: {
        filter_complex: '[1:v]scale=320:180,setsar=1[m];[m][0:v]overlay=shortest=1[v]',
        map: ['[v]', '1:a'],
        ...QUICK,
        t: '1',
      },
    });
    expect(found.streams).toMatchObject([{ width: 320, height: 180 }, { codec_name: 'aac' }]);
    expectColours(await decodeVideo(file, { width: 320, height: 180, rate: 24 }), [[0.5, 160, 90, 'red']]);
  },
);
