import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

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
      meant: { parameters: { c: 'copy' } },
    },
  ],
  LARGE_OUTPUT: [
    {
      title: 'a size that the whole film does not fit in, in a container of long parts',
      request: { input: 'film.mp4', output: 'large.mkv', parameters: LIMITED },
      meant: { parameters: FITTING },
    },
  ],
  LONG_OUTPUT: [
    {
      title: 'a copy of a film with empty packets of sound',
      request: { input: 'empty.ogv', output: 'long.mkv', parameters: { c: 'copy' } },
      meant: { parameters: { c: 'copy', an: '' } },
    },
    {
      title: 'an encoded picture beside empty packets of sound',
      request: { input: 'empty.ogv', output: 'long-encoded.mkv', parameters: { ...H264, 'c:a': 'copy' } },
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
