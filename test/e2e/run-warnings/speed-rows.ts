import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const FASTER = { filter_complex: '[0:v]setpts=0.5*PTS[v];[0:a]atempo=2[a]', map: ['[v]', '[a]'] };

/** Warnings about pictures and sound of different speeds. */
export const SPEED_WARNINGS = {
  UNEQUAL_LENGTHS: [
    {
      title: 'slow motion of the picture alone',
      request: { input: 'film.mp4', output: 'slow.mp4', parameters: { ...H264, vf: 'setpts=PTS*2' } },
      meant: { parameters: { ...H264, vf: 'setpts=PTS*2', af: 'atempo=0.5' } },
    },
    {
      title: 'a faster picture beside a slower sound',
      request: {
        input: 'film.mp4',
        output: 'torn.mp4',
        parameters: { ...H264, vf: 'setpts=0.5*PTS', af: 'volume=2,atempo=0.5' },
      },
      meant: { parameters: { ...H264, vf: 'setpts=0.5*PTS', af: 'volume=volume=2,atempo=2' } },
    },
    {
      title: 'a picture four times as slow beside a sound twice as slow',
      request: {
        input: 'film.mp4',
        output: 'four-times-slower.mp4',
        parameters: { ...H264, vf: 'setpts=(PTS-STARTPTS)*4', af: 'atempo=0.5' },
      },
      meant: { parameters: { ...H264, vf: 'setpts=(PTS-STARTPTS)*4', af: 'atempo=0.5,atempo=0.5' } },
    },
    {
      title: 'a sound whose filters change no speed',
      request: { input: 'film.mp4', output: 'loud.mp4', parameters: { ...H264, vf: 'setpts=PTS/2', af: 'volume=2' } },
      meant: { parameters: { ...H264, vf: 'setpts=PTS/2', af: 'volume=volume=2,atempo=2' } },
    },
    {
      title: 'a sound with another sample rate',
      request: {
        input: 'film.mp4',
        output: 'high.mp4',
        parameters: { ...H264, af: 'asetrate=44100*1.25,aresample=44100' },
      },
      meant: { parameters: { ...H264, af: 'asetrate=44100*1.25,aresample=44100', vf: 'setpts=PTS/1.25' } },
    },
    {
      title: 'a faster sound beside a picture of another size',
      request: {
        input: 'film.mp4',
        output: 'scaled.mp4',
        parameters: { ...H264, vf: 'scale=80:-2', af: 'atempo=2' },
      },
      meant: { parameters: { ...H264, vf: 'setpts=PTS/2,scale=w=80:h=-2', af: 'atempo=2' } },
    },
    {
      title: 'a faster picture beside a copied sound',
      request: {
        input: 'film.mp4',
        output: 'copied-sound.mp4',
        parameters: { ...H264, 'c:a': 'copy', vf: 'setpts=PTS/2' },
      },
      meant: { parameters: { ...H264, vf: 'setpts=PTS/2', af: 'atempo=2' } },
    },
    {
      title: 'two speeds in a complex graph',
      request: {
        input: 'film.mp4',
        output: 'complex.mp4',
        parameters: { ...H264, ...FASTER, filter_complex: FASTER.filter_complex.replace('tempo=2', 'tempo=0.5') },
      },
      meant: { parameters: { ...H264, ...FASTER } },
    },
    {
      title: 'a faster picture in a complex graph beside a mapped sound',
      request: {
        input: 'film.mp4',
        output: 'mapped.mp4',
        parameters: { ...H264, filter_complex: '[0:v]setpts=0.5*PTS[v]', map: ['[v]', '0:a'] },
      },
      meant: {
        parameters: {
          ...H264,
          filter_complex: '[0:v]setpts=0.5*PTS[v];[0:a]atempo=2[sound]',
          map: ['[v]', '[sound]'],
        },
      },
    },
  ],
} satisfies RunWarningRows;

/** Requests whose picture and sound have one speed. */
export const QUIET_SPEEDS: readonly ConversionRequest[] = [
  { input: 'film.mp4', output: 'faster.mp4', parameters: { ...H264, vf: 'setpts=PTS/2', af: 'atempo=2' } },
  { input: 'film.mp4', output: 'fast-graph.mp4', parameters: { ...H264, ...FASTER } },
  // The pitch alone.
  { input: 'film.mp4', output: 'pitch.mp4', parameters: { ...H264, af: 'asetrate=55125,aresample=44100,atempo=0.8' } },
  {
    input: 'film.mp4',
    output: 'every-second.mp4',
    parameters: { ...H264, vf: 'select=not(mod(n\\,2)),setpts=N/FRAME_RATE/TB', af: 'atempo=2' },
  },
  { input: 'film.mp4', output: 'begin.mp4', parameters: { ...H264, vf: 'setpts=PTS-STARTPTS', af: 'asetpts=N/SR/TB' } },
  { input: 'cover.mp3', output: 'cover-fast.mp3', parameters: { af: 'atempo=2', 'c:v': 'copy' } },
];
