import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { probe } from '../support/probe.ts';
import { seenFrames } from '../support/seen-frames.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const run = promisify(execFile);

/** Red on the left, nothing on the right. */
const HALF = "color=red:s=64x48:r=10:d=0.4,format=yuva420p,geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='255*lt(X,32)'";

const ready = outcomesOf('transparency', async (folder) => {
  const encoder = ['-pix_fmt', 'yuva420p', '-auto-alt-ref', '0'];
  await makeMedia(folder, '-f', 'lavfi', '-i', HALF, '-c:v', 'libvpx-vp9', ...encoder, 'sticker.webm');
  await makeMedia(folder, '-f', 'lavfi', '-i', HALF, '-c:v', 'libvpx', ...encoder, 'old.webm');
  await makeMedia(folder, '-i', 'sticker.webm', '-c', 'copy', 'sticker.mkv');
  await makeMedia(folder, '-f', 'lavfi', '-i', 'color=blue:s=64x48:r=10:d=0.4', '-c:v', 'mpeg4', 'film.mp4');
  const palette = '[0:v]split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse';
  await makeMedia(folder, '-f', 'lavfi', '-i', HALF, '-filter_complex', palette, 'sticker.gif');
  await makeMedia(folder, '-i', 'film.mp4', 'full.gif');
  await makeMedia(folder, '-f', 'lavfi', '-i', `${HALF},format=rgba`, '-f', 'apng', 'sticker.apng');
  const framed = ['-vf', 'setsar=2', '-frames:v', '1'];
  await makeMedia(
    folder,
    '-f',
    'lavfi',
    '-i',
    'color=red@0:s=64x48,format=rgba,drawbox=20:20:9:9:red:fill',
    ...framed,
    'framed.png',
  );
});

/** The opacity of a pixel of the first frame, from 0 to 255. */
async function opacity(file: string, x: number): Promise<number> {
  const { codec_name: codec } = JSON.parse(
    (await run(tools().ffprobePath, ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'json', file])).stdout,
  ).streams[0];
  const decoder = codec === 'vp9' ? ['-c:v', 'libvpx-vp9'] : codec === 'vp8' ? ['-c:v', 'libvpx'] : [];
  const filters = `format=rgba,crop=1:1:${x}:24,alphaextract`;
  const args = [
    '-v',
    'error',
    ...decoder,
    '-i',
    file,
    '-frames:v',
    '1',
    '-vf',
    filters,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    '-',
  ];
  const { stdout } = await run(tools().ffmpegPath, args, { encoding: 'buffer' });
  return stdout[0] ?? -1;
}

type Conversion = Partial<ConversionRequest> & { readonly output: string };

const ROWS: readonly (readonly [title: string, request: Conversion])[] = [
  ['web-vp9', { input: 'sticker.webm', output: 'a.webm', preset: { name: 'web-vp9' } }],
  ['web-vp9 of VP8', { input: 'old.webm', output: 'b.webm', preset: { name: 'web-vp9' } }],
  ['web-vp9 of Matroska', { input: 'sticker.mkv', output: 'c.webm', preset: { name: 'web-vp9' } }],
  ['gif', { input: 'sticker.webm', output: 'd.gif', preset: { name: 'gif' } }],
  ['poster.png', { input: 'sticker.webm', output: 'e.png', preset: { name: 'poster' } }],
  ['frames', { input: 'sticker.webm', output: 'g.png', preset: { name: 'frames' } }],
  ['a plain PNG', { input: 'sticker.webm', output: 'h.png', parameters: { 'frames:v': '1' } }],
  [
    'ProRes 4444',
    {
      input: 'sticker.webm',
      output: 'i.mov',
      parameters: { 'c:v': 'prores_ks', 'profile:v': '4444', pix_fmt: 'yuva444p10le' },
    },
  ],
];

test.for(ROWS)('a transparent WebM stays transparent: %s', { tags: 'long' }, async ([, request]) => {
  const { convert } = await ready();
  const { file } = await convert(request);
  expect(await opacity(file, 10)).toBeGreaterThan(240);
  expect(await opacity(file, 50)).toBeLessThan(16);
});

test('an image with a transparent border becomes a WebP of one image with square pixels', async () => {
  const { convert } = await ready();
  const preset = { name: 'resize-picture', arguments: { width: 64 } };
  const { file } = await convert({ input: 'framed.png', output: 'l.webp', preset });
  expect(await readFile(file, 'latin1')).not.toContain('ANIM');
  expect((await probe(file)).streams[0]).toMatchObject({ width: 64, height: 24, pix_fmt: 'yuva420p' });
});

test('a transparent WebM becomes white as a JPEG', async () => {
  const { convert } = await ready();
  const { file } = await convert({ input: 'sticker.webm', output: 'j.jpg', preset: { name: 'poster' } });
  expect((await seenFrames(file)).at(0)).toBe('255 128 128');
});

test.for([
  ['sticker.gif', ['transparency']],
  ['sticker.apng', ['transparency']],
  ['full.gif', []],
] as const)('an animated image becomes a video on white, which says what is lost: %s', async ([input, lost]) => {
  const { convert } = await ready();
  const { job, file } = await convert({ input, output: `${input}.mp4`, preset: { name: 'web-h264' } });
  expect(job.warnings?.flatMap((one) => one.lost ?? []) ?? []).toEqual(lost);
  const { stdout } = await run(
    tools().ffmpegPath,
    ['-v', 'error', '-i', file, '-frames:v', '1', '-vf', 'crop=2:2:50:24', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
    { encoding: 'buffer' },
  );
  if (lost.length > 0) expect(stdout[0]).toBeGreaterThan(240);
});

test.for([
  ['mp4', ['transparency']],
  ['mkv', []],
] as const)('a copy of a transparent WebM says what its container does not hold: %s', async ([extension, lost]) => {
  const { convert } = await ready();
  const request = { input: 'sticker.webm', output: `copy.${extension}`, preset: { name: 'change-container' } };
  expect((await convert(request)).job.warnings?.flatMap((one) => one.lost ?? []) ?? []).toEqual(lost);
});

test('a transparent WebM shows the video below it as a watermark', { tags: 'long' }, async () => {
  const { convert } = await ready();
  const { file } = await convert({
    inputs: ['film.mp4', 'sticker.webm'],
    output: 'k.mp4',
    parameters: { filter_complex: '[0:v][1:v]overlay' },
  });
  expect((await seenFrames(file)).at(0)).toBe('128 0 128');
});
