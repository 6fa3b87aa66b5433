import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const X264 = { 'c:v': 'libx264', preset: 'ultrafast' } as const;
const KEY = 'colorkey=color=0x00ff00:similarity=0.3';
const PRORES = { 'c:v': 'prores_ks', 'profile:v': '4444', pix_fmt: 'yuva444p10le' } as const;
const VP9 = { 'c:v': 'libvpx-vp9', pix_fmt: 'yuva420p', 'cpu-used': '8', deadline: 'realtime' } as const;
const PALETTE = 'split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse';
const WHITE = (keyed: string) =>
  `split[back][front];[back]format=yuv420p,drawbox=c=white:t=fill[colour];[front]${keyed}[keyed];[colour][keyed]overlay`;

/** The film with transparency as its decoder reads it. */
const DECODED = [{ input: 'alpha.webm', parameters: { 'c:v': 'libvpx-vp9' } }];

/** Warnings about transparency that the output does not have. */
export const ALPHA_WARNINGS = {
  PIXEL_FORMAT_CHANGED: [
    {
      title: 'a film with transparency',
      request: { input: 'alpha.mov', output: 'opaque.mp4' },
      meant: { output: 'kept.mov', format: 'mov', parameters: PRORES },
    },
    {
      title: 'a green screen in H.264',
      request: { input: 'silent.mp4', output: 'keyed.mov', parameters: { ...X264, vf: KEY } },
      meant: { parameters: { vf: KEY, ...PRORES } },
    },
    {
      title: 'a green screen in MP4',
      request: {
        input: 'silent.mp4',
        output: 'keyed.mp4',
        parameters: { ...H264, crf: '30', vf: `hflip,${KEY},despill` },
      },
      meant: { parameters: { ...H264, crf: '30', vf: `hflip,${WHITE(`${KEY},despill`)}` } },
    },
    {
      title: 'a green screen in a pixel format without transparency',
      request: { input: 'silent.mp4', output: 'keyed.webm', parameters: { vf: KEY, ...VP9, pix_fmt: 'yuv420p' } },
      meant: { parameters: { vf: KEY, ...VP9 } },
    },
    {
      title: 'a green screen in a GIF without a palette',
      request: { input: 'silent.mp4', output: 'keyed.gif', parameters: { vf: KEY } },
      meant: { parameters: { vf: `${KEY},${PALETTE}` } },
    },
    {
      title: 'a green screen in a JPEG',
      request: { input: 'silent.mp4', output: 'keyed.jpg', parameters: { vf: KEY, 'frames:v': '1' } },
      meant: { output: 'keyed.png' },
    },
    {
      title: 'a fade to transparency in a graph',
      request: {
        input: 'silent.mp4',
        output: 'faded.mp4',
        parameters: { ...H264, filter_complex: '[0:v]format=yuva420p,fade=d=1:alpha=1[v]', map: '[v]' },
      },
      meant: {
        output: 'faded.mov',
        parameters: { filter_complex: '[0:v]format=yuva420p,fade=d=1:alpha=1[v]', map: '[v]', ...PRORES },
      },
    },
    {
      title: 'a film with transparency that its decoder ignores, in H.264',
      request: { input: 'alpha.webm', output: 'logo-alone.mp4', parameters: X264 },
      meant: { input: undefined, inputs: DECODED, output: 'logo-alone.mov', format: 'mov', parameters: PRORES },
    },
    {
      title: 'a film with transparency that its decoder ignores, as a GIF',
      request: { input: 'alpha.webm', output: 'sticker.gif' },
      meant: { input: undefined, inputs: DECODED, parameters: { vf: PALETTE } },
    },
  ],
} satisfies RunWarningRows;

/** Requests whose transparency is in the output, or is not wanted. */
export const QUIET_ALPHA: readonly ConversionRequest[] = [
  { input: 'alpha.webm', output: 'opaque.mp4', parameters: H264 },
  { input: 'silent.mp4', output: 'keyed.png', parameters: { vf: KEY, 'frames:v': '1' } },
  { input: 'silent.mp4', output: 'keyed-prores.mov', parameters: { vf: KEY, 'c:v': 'prores_ks' } },
  {
    inputs: ['silent.mp4', 'film.mp4'],
    output: 'studio.mp4',
    parameters: { ...H264, filter_complex: `[0:v]${KEY}[k];[1:v][k]overlay=shortest=1[v]`, map: ['[v]', '1:a'] },
  },
];
