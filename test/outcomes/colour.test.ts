import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { probe } from '../support/probe.ts';
import { seenFrames } from '../support/seen-frames.ts';
import { tools } from '../support/tools.ts';
import { runBytes } from './generated/sources.ts';

const test = needs('ffmpeg');

const RED = '255 0 0';

const ready = outcomesOf('colour', async (folder) => {
  const red = (size: string) => ['-f', 'lavfi', '-i', `color=0xff0000:s=${size}:r=10:d=0.5,format=rgb24`];
  await makeMedia(folder, ...red('1280x720'), '-c:v', 'ffv1', 'capture.avi');
  await makeMedia(folder, ...red('96x64'), '-c:v', 'ffv1', 'small.mkv');
  await makeMedia(folder, ...red('128x96'), 'drawn%02d.png');
  await makeMedia(folder, ...red('128x96'), '-frames:v', '1', 'one.png');
  await makeMedia(folder, ...red('128x96'), 'moving.gif');
  await makeMedia(folder, '-f', 'lavfi', '-i', 'sine=d=0.5', 'tone.wav');
  const clear = 'color=red@0:s=64x64:r=10:d=0.5,format=rgba';
  await makeMedia(folder, '-f', 'lavfi', '-i', clear, '-frames:v', '1', 'clear.png');
  await makeMedia(folder, '-f', 'lavfi', '-i', clear, '-c:v', 'qtrle', 'clear.mov');
  await makeMedia(folder, '-f', 'lavfi', '-i', 'testsrc=s=96x64:d=0.2', '-c:v', 'mpeg4', 'small.mp4');
  await makeMedia(folder, ...red('320x180'), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'sd-film.mp4');
  const hd = 'color=0xff0000:s=1280x720:r=10:d=0.5,format=rgb24,scale=out_color_matrix=bt709,format=yuv420p';
  await makeMedia(folder, '-f', 'lavfi', '-i', hd, '-c:v', 'mpeg4', 'untagged.avi');
  await makeMedia(folder, '-f', 'lavfi', '-i', hd, '-c:v', 'libvpx', '-deadline', 'realtime', 'untagged.webm');
  const sd = `${hd.replace('1280x720', '320x180')},format=yuv422p10`;
  await makeMedia(folder, '-f', 'lavfi', '-i', sd, '-c:v', 'prores_ks', 'prores.mov');
  await nameMatrixInFrames(join(folder, 'prores.mov'));
  const tags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
  await makeMedia(folder, '-f', 'lavfi', '-i', hd, '-c:v', 'mpeg4', ...tags, 'tagged.mp4');
});

/** Names BT.709 in the headers of the frames of a ProRes, and not in the container. */
async function nameMatrixInFrames(path: string): Promise<void> {
  const file = await readFile(path);
  for (let at = file.indexOf('icpf'); at >= 0; at = file.indexOf('icpf', at + 1)) file[at + 20] = 1;
  await writeFile(path, file);
}

const ROWS: readonly (readonly [title: string, request: object])[] = [
  ['a capture in HD', { input: 'capture.avi', output: 'hd.mp4', preset: { name: 'web-h264' } }],
  ['a small capture', { input: 'small.mkv', output: 'sd.mp4', preset: { name: 'web-h264' } }],
  ['a capture without its sound', { input: 'capture.avi', output: 'mute.mp4', preset: { name: 'remove-audio' } }],
  ['a capture in VP9', { input: 'small.mkv', output: 'sd.webm', preset: { name: 'web-vp9' } }],
  ['a capture for editors', { input: 'small.mkv', output: 'sd.mov', preset: { name: 'prores' } }],
  ['several sizes of a capture', { input: 'small.mkv', output: 'ladder.mp4', preset: { name: 'mp4-ladder' } }],
  ['numbered drawings', { input: 'drawn%02d.png', output: 'drawn.mp4', preset: { name: 'pictures-to-video' } }],
  ['a GIF', { input: 'moving.gif', output: 'gif.mp4', preset: { name: 'web-h264' } }],
  [
    'a picture with sound',
    { inputs: ['one.png', 'tone.wav'], output: 'song.mp4', preset: { name: 'picture-and-sound' } },
  ],
];

test.for(ROWS)('red stays red, and is tagged as players read it: %s', async ([, request]) => {
  const { convert } = await ready();
  const { file } = await convert(request as { readonly output: string });
  const { streams } = await probe(file);
  expect(streams.find(({ codec_type: type }) => type === 'video')).toMatchObject({
    color_space: 'bt709',
    color_primaries: 'bt709',
  });
  expect((await seenFrames(file)).at(0)).toBe(RED);
});

test('an .m4v keeps the colours that only the container states, and can be HEVC', async () => {
  const { convert } = await ready();
  const colours = { color_space: 'bt709', color_primaries: 'bt709' };
  const copy = await convert({ input: 'tagged.mp4', output: 'copy.m4v', preset: { name: 'fast-start' } });
  expect((await probe(copy.file)).streams).toMatchObject([{ codec_name: 'mpeg4', ...colours }]);
  const encoded = await convert({ input: 'tagged.mp4', output: 'encoded.m4v', preset: { name: 'web-hevc' } });
  expect((await probe(encoded.file)).streams).toMatchObject([{ codec_name: 'hevc', ...colours }]);
});

test('an SD video keeps its colours in DNxHD, which is always of HD', async () => {
  const { convert } = await ready();
  const named = await convert({ input: 'sd-film.mp4', output: 'editor.mov', preset: { name: 'dnxhr' } });
  const parameters = { 'c:v': 'dnxhd', 'profile:v': 'dnxhr_lb', pix_fmt: 'yuv422p' };
  const plain = await convert({ input: 'sd-film.mp4', output: 'plain-editor.mov', parameters });
  for (const { file } of [named, plain]) expect((await seenFrames(file)).at(0)).toBe(RED);
});

test('a transparent picture becomes white as a JPEG', async () => {
  const { convert } = await ready();
  const named = await convert({ input: 'clear.png', output: 'resized.jpg', preset: { name: 'resize-picture' } });
  const plain = await convert({ input: 'clear.png', output: 'plain.jpg' });
  for (const { file } of [named, plain]) expect((await seenFrames(file)).at(0)).toBe('255 255 255');
});

test('a transparent animation stays transparent as a WebM', async () => {
  const { convert } = await ready();
  const { file } = await convert({ input: 'clear.mov', output: 'clear.webm', preset: { name: 'web-vp9' } });
  const { streams } = await probe(file);
  expect(streams[0]).toMatchObject({ tags: { alpha_mode: '1' } });
  // Of VP9, another decoder than that of a MOV reads the transparency.
  const again = await convert({ input: 'clear.webm', output: 'again.webm', preset: { name: 'web-vp9' } });
  const alpha = ['-frames:v', '1', '-vf', 'alphaextract,format=gray', '-f', 'rawvideo', 'pipe:1'];
  const bytes = await runBytes(tools().ffmpegPath, ['-v', 'error', '-c:v', 'libvpx-vp9', '-i', again.file, ...alpha]);
  expect(bytes[0]).toBeLessThan(8);
});

test.for(['jpg', 'webp'])('an HD video without tags has the same red in its poster: %s', async (extension) => {
  const { convert } = await ready();
  const { file } = await convert({
    input: 'untagged.avi',
    output: `untagged.${extension}`,
    preset: { name: 'poster' },
  });
  const [red = 0, green = 255] = ((await seenFrames(file)).at(0) ?? '').split(' ').map(Number);
  expect(red).toBeGreaterThan(240);
  expect(green).toBeLessThan(12);
});

test.for([
  ['untagged.avi', 'bt709', 240, { preset: { name: 'resize', arguments: { height: 240 } } }],
  ['untagged.avi', 'bt709', 240, { parameters: { s: '426x240' } }],
  ['untagged.avi', 'bt709', 240, { parameters: { vf: 'crop=426:240' } }],
  ['prores.mov', 'bt709', 96, { preset: { name: 'resize', arguments: { height: 96 } } }],
  ['sd-film.mp4', 'smpte170m', 720, { preset: { name: 'resize', arguments: { height: 720 } } }],
  ['sd-film.mp4', 'smpte170m', 720, { parameters: { vf: 'pad=1280:720' } }],
] as const)(
  'a video without tags is tagged if players would guess other colours by its new size: %s %s',
  async (row) => {
    const [input, colour, height, request] = row;
    const { convert } = await ready();
    const output = `${input}-${Object.values(request)
      .map((one) => Object.keys(one).join())
      .join()}-${colour}.mp4`;
    const { file } = await convert({ input, output, ...request });
    expect((await probe(file)).streams[0]).toMatchObject({ height, color_space: colour });
  },
);

test('an HD video in VP8 keeps its colours, which are those of SD', async () => {
  const { convert } = await ready();
  const request = { input: 'untagged.webm', output: 'vp8.mp4', preset: { name: 'web-h264' } };
  expect((await probe((await convert(request)).file)).streams[0]).toMatchObject({ color_space: 'bt470bg' });
});

test('a poster is not larger than its video', async () => {
  const { convert } = await ready();
  const { file } = await convert({ input: 'small.mp4', output: 'poster.png', preset: { name: 'poster' } });
  expect((await probe(file)).streams[0]).toMatchObject({ width: 96, height: 64 });
});
