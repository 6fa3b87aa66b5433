import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const MESSAGE =
  /^The output has 1\d(\.\d+)? s, but "empty\.ogv" has 4 s: the times of its audio \(0:1, vorbis\) are damaged\.$/;
const FIX = 'Send "an": "" to leave the audio out, or the file again, undamaged.';

/** A short film, and what people lay under it. */
const SHORT = { input: 'film.mp4', parameters: { t: '1' } };
const LIMITED = { ...H264, 'c:a': 'aac', fs: '60k' } as const;
const FITTING = { ...H264, 'c:a': 'aac', 'b:v': '87k', 'b:a': '21k', pass: '2' } as const;
const mix = (graph: string) => ({ filter_complex: graph, map: ['0:v', '[a]'], 'c:v': 'copy', 'c:a': 'aac' });

/** Warnings about outputs that are longer or shorter than their input, or whose streams are. */
export const LENGTH_WARNINGS = {
  SHORT_OUTPUT: [
    {
      title: 'a size that the whole copy does not fit in',
      request: { input: 'keys.mp4', output: 'limited-copy.mp4', parameters: { c: 'copy', fs: '20k' } },
      field: '/parameters/fs',
      message: /^"fs" stopped the output at 20k bytes/,
      fix: 'Leave "fs" out: then the output has the whole input.',
      meant: { parameters: { c: 'copy' } },
    },
  ],
  LARGE_OUTPUT: [
    {
      title: 'a size that the whole film does not fit in, in a container of long parts',
      request: { input: 'film.mp4', output: 'large.mkv', parameters: LIMITED },
      field: '/parameters/fs',
      message: /^The output has \d{6} bytes, although "fs" asks for 60k/,
      fix: 'Send "b:v": "87k", "b:a": "21k" and "pass": "2", and leave "fs" out: the whole input then has this size.',
      meant: { parameters: FITTING },
    },
  ],
  LONG_OUTPUT: [
    {
      title: 'a copy of a film with empty packets of sound',
      request: { input: 'empty.ogv', output: 'long.mkv', parameters: { c: 'copy' } },
      field: '/input',
      message: MESSAGE,
      fix: FIX,
      meant: { parameters: { c: 'copy', an: '' } },
    },
    {
      title: 'an encoded picture beside empty packets of sound',
      request: { input: 'empty.ogv', output: 'long-encoded.mkv', parameters: { ...H264, 'c:a': 'copy' } },
      field: '/input',
      message: MESSAGE,
      fix: FIX,
      meant: { parameters: { ...H264, an: '' } },
    },
  ],
} satisfies RunWarningRows;

/** Outputs that are as long as they should be. */
export const QUIET_LENGTHS: readonly ConversionRequest[] = [
  { input: 'film.mp4', output: 'fitting.mp4', parameters: { ...LIMITED, fs: '5M' } },
  { input: 'film.mp4', output: 'fitting.mkv', parameters: { ...LIMITED, fs: '5M' } },
  { inputs: [SHORT, 'mono.mp3'], output: 'cut-mix.mp4', parameters: { ...mix('[0:a][1:a]amix[a]'), shortest: '' } },
  { inputs: ['film.mp4', 'mono.mp3'], output: 'equal-mix.mp4', parameters: mix('[0:a][1:a]amix[a]') },
  { input: 'held.mp4', output: 'held.webm', parameters: { 'c:v': 'libvpx', 'b:v': '500k', deadline: 'realtime' } },
  { input: 'whole.ogv', output: 'whole.mkv', parameters: { c: 'copy' } },
  { input: 'film.mp4', output: 'twice.mp4', parameters: { ...H264, stream_loop: '2' } },
  { input: 'uneven.mkv', output: 'pauses.mkv', parameters: { c: 'copy' } },
];
