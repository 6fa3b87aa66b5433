import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { corrected, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Filters of several inputs in `vf` and `af`, which filter one stream. */

const TWO = ['a.mp4', 'music.wav'];

const sends = (parameters: Parameters, inputs: readonly string[] = TWO, output = 'b.mp4'): ConversionRequest => ({
  inputs,
  output,
  parameters,
});

test.each<[sent: Parameters, meant: Parameters, inputs?: readonly string[], output?: string]>([
  [
    { 'c:v': 'copy', af: 'amix=inputs=2:duration=first' },
    { 'c:v': 'copy', filter_complex: '[0:a][1:a]amix=inputs=2:duration=first[a]', map: ['0:v?', '[a]'] },
  ],
  [{ af: 'amix' }, { filter_complex: '[0:a][1:a]amix[a]', map: '[a]' }, TWO, 'b.mp3'],
  [
    { vn: '', af: 'amix' },
    { vn: '', filter_complex: '[0:a][1:a]amix[a]', map: '[a]' },
  ],
  [
    { af: 'volume=0.5,amix=inputs=2,aresample=44100' },
    {
      filter_complex: '[0:a]volume=0.5[a];[a][1:a]amix=inputs=2,aresample=44100[a2]',
      map: ['0:v?', '[a2]'],
    },
  ],
  [
    { af: 'amix=inputs=3' },
    { filter_complex: '[0:a][1:a][2:a]amix=inputs=3[a]', map: ['0:v?', '[a]'] },
    [...TWO, 'c.mp3'],
  ],
  [{ af: 'amerge' }, { filter_complex: '[0:a:0][0:a:1]amerge[a]', map: ['0:v?', '[a]'] }, ['a.mkv']],
  [
    { af: 'join=inputs=2:channel_layout=stereo' },
    { filter_complex: '[0:a][1:a]join=inputs=2:channel_layout=stereo[a]', map: ['0:v?', '[a]'] },
  ],
  [
    { map: ['0:v', '0:a', '1:a', '0:s?'], af: 'amix' },
    { map: ['0:v', '0:s?', '[a]'], filter_complex: '[0:a][1:a]amix[a]' },
  ],
  [
    { map: '0', af: 'amix' },
    { map: ['0:v?', '[a]'], filter_complex: '[0:a][1:a]amix[a]' },
  ],
  [{ vf: 'amix' }, { filter_complex: '[0:a][1:a]amix[a]', map: ['0:v?', '[a]'] }],
  [
    { af: 'sidechaincompress=threshold=0.1:ratio=8' },
    { filter_complex: '[0:a][1:a]sidechaincompress=threshold=0.1:ratio=8[a]', map: ['0:v?', '[a]'] },
  ],
  [
    { af: 'acrossfade=d=2' },
    { filter_complex: '[0:a][1:a]acrossfade=d=2[a]', map: '[a]' },
    ['a.mp3', 'b.mp3'],
    'c.mp3',
  ],
  [
    { vf: 'scale=640:-2,overlay=10:10' },
    { filter_complex: '[0:v]scale=640:-2[v];[v][1:v]overlay=10:10[v2]', map: ['[v2]', '0:a?'] },
    ['a.mp4', 'logo.png'],
  ],
  [
    { vf: 'overlay=10:10', an: '' },
    { filter_complex: '[0:v][1:v]overlay=10:10[v]', map: '[v]', an: '' },
    ['a.mp4', 'logo.png'],
  ],
  [
    { vf: '[1:v]scale=100:-1[logo];[in][logo]overlay' },
    { filter_complex: '[1:v]scale=100:-1[logo];[0:v][logo]overlay[v]', map: ['[v]', '0:a?'] },
    ['a.mp4', 'logo.png'],
  ],
  [
    { vf: 'scale=640:360[bg];[bg][1:v]overlay' },
    { filter_complex: '[0:v]scale=640:360[bg];[bg][1:v]overlay[v]', map: ['[v]', '0:a?'] },
    ['a.mp4', 'logo.png'],
  ],
  [
    { vf: 'xstack=inputs=3:layout=0_0|w0_0|0_h0' },
    { filter_complex: '[0:v][1:v][2:v]xstack=inputs=3:layout=0_0|w0_0|0_h0[v]', map: ['[v]', '0:a?'] },
    ['a.mp4', 'c.mp4', 'd.mp4'],
  ],
  [{ af: 'overlay' }, { filter_complex: '[0:v][1:v]overlay[v]', map: ['[v]', '0:a?'] }, ['a.mp4', 'logo.png']],
  [
    { vf: 'concat' },
    { filter_complex: '[0:v][0:a][1:v][1:a][2:v][2:a]concat=n=3:v=1:a=1[v][a]', map: ['[v]', '[a]'] },
    ['a.mp4', 'c.mp4', 'd.mp4'],
  ],
  [
    { vf: 'concat=n=2', an: '' },
    { filter_complex: '[0:v][1:v]concat=n=2:v=1:a=0[v]', map: '[v]', an: '' },
    ['a.mp4', 'c.mp4'],
  ],
  [
    { af: 'concat=n=2' },
    { filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1[a]', map: '[a]' },
    ['a.mp3', 'b.mp3'],
    'c.mp3',
  ],
  [
    { vf: 'fps=10,scale=320:-1,paletteuse' },
    { vf: 'fps=10,scale=320:-1,split[film][copy];[copy]palettegen[colors];[film][colors]paletteuse' },
    ['a.mp4'],
    'b.gif',
  ],
  [
    { vf: 'fps=10,palettegen=max_colors=64,paletteuse=dither=none' },
    {
      vf: 'fps=10,split[film][copy];[copy]palettegen=max_colors=64[colors];[film][colors]paletteuse=dither=none',
    },
    ['a.mp4'],
    'b.gif',
  ],
  [
    { vf: 'fps=10,paletteuse' },
    { filter_complex: '[0:v]fps=10[v];[v][1:v]paletteuse[v2]', map: '[v2]' },
    ['a.mp4', 'palette.png'],
    'b.gif',
  ],
])('%j means %j', (sent, meant, inputs, output) => {
  expect(corrected(sends(sent, inputs, output))).toEqual(sends(meant, inputs, output));
});

test('names the option as it was sent', () => {
  const [mistake] = mistakesIn(sends({ af: 'amix' }));
  expect(mistake).toMatchObject({
    field: '/parameters/af',
    code: 'NOT_SIMPLE',
    message: '"af" takes a graph with one input and one output; this graph has 2 and 1.',
  });
});

test('asks for the file that a filter of two pictures lacks', () => {
  const fix =
    'Send the other file in "inputs" as well. Send "filter_complex": "[0:v][1:v]overlay=5:5[v]" and "map": ["[v]","0:a?"], and leave "vf" out.';
  expect(mistakesIn(sends({ vf: 'overlay=5:5' }, ['a.mp4']))).toMatchObject([{ fix }]);
});

test.each(['split', 'nullsink', 'color'])('guesses nothing for %s, whose meaning is not clear', (vf) => {
  expect(mistakesIn(sends({ vf }, ['a.mp4']))).toMatchObject([
    { code: 'NOT_SIMPLE', fix: expect.stringMatching(/^Send the graph as/) },
  ]);
});

test.each<[input: string, sent: Parameters, inputs: readonly string[], join: 'copy' | 'encode', meant: Parameters]>([
  ['concat:a.mp4|c.mp4', { c: 'copy' }, ['a.mp4', 'c.mp4'], 'copy', { c: 'copy' }],
  [
    'concat:a.ts|c.ts|d.ts',
    { 'c:v': 'libx264', crf: '20', 'bsf:a': 'aac_adtstoasc', an: '' },
    ['a.ts', 'c.ts', 'd.ts'],
    'encode',
    { 'c:v': 'libx264', crf: '20', an: '' },
  ],
  ['concat:a.mkv|c.mkv', { 'c:a': 'copy' }, ['a.mkv', 'c.mkv'], 'copy', { 'c:a': 'copy' }],
  [
    'concat:a.mp4|c.mp4',
    { vf: 'scale=640:-2', af: 'volume=2' },
    ['a.mp4', 'c.mp4'],
    'encode',
    { vf: 'scale=640:-2', af: 'volume=2' },
  ],
])('%s with %j means inputs that are joined', (input, sent, inputs, join, meant) => {
  expect(corrected({ input, output: 'b.mp4', parameters: sent })).toEqual({
    ...{ inputs, join, output: 'b.mp4', parameters: meant },
  });
});

test.each<[map: string | string[], meant: string | string[]]>([
  [
    ['v', '0:a'],
    ['[v]', '0:a'],
  ],
  ['v', '[v]'],
])('a label without its brackets is the label, not all video: %j', (map, meant) => {
  const overlay = '[0:v][1:v]overlay=W-w-10:10[v]';
  const request = (sent: string | string[]): ConversionRequest =>
    sends({ filter_complex: overlay, map: sent }, ['a.mp4', 'logo.png']);
  expect(corrected(request(map), 1)).toEqual(request(meant));
});
