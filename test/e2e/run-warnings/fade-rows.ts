import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const LOOPED = { input: 'picture.png', parameters: { loop: '1' } } as const;
const PART = { input: 'film.mp4', parameters: { t: '2' } } as const;
const SOUND = { map: ['0:v', '1:a'], shortest: '' };

/** Warnings about fades and transitions that are not complete. `silent.mp4` has 4 seconds of 25 frames. */
export const FADE_WARNINGS = {
  CUT_OFF: [
    {
      title: 'a fade-in of 30 frames as seconds',
      request: { input: 'silent.mp4', output: 'frames.mp4', parameters: { ...H264, vf: 'fade=t=in:st=0:d=30' } },
      meant: { parameters: { ...H264, vf: 'fade=t=in:st=0:d=1.2' } },
    },
    {
      title: 'a fade of sound in milliseconds',
      request: { input: 'sound.wav', output: 'milliseconds.mp3', parameters: { af: 'afade=t=out:st=3:d=500' } },
      meant: { parameters: { af: 'afade=t=out:st=3:d=0.5' } },
    },
    {
      title: 'a fade-in that is longer than the film',
      request: { input: 'silent.mp4', output: 'longer.mp4', parameters: { ...H264, vf: 'fade=d=7' } },
      meant: { parameters: { ...H264, vf: 'fade=st=0:d=4' } },
    },
    {
      title: 'a recipe with fades that are longer than the film',
      request: { input: 'film.mp4', output: 'recipe.mp4', preset: { name: 'fade', arguments: { seconds: 30 } } },
      meant: { preset: { name: 'fade', arguments: { seconds: 2 } } },
    },
    {
      title: 'a recipe with two fades that are longer than the film',
      request: {
        inputs: ['silent.mp4', 'sound.wav'],
        output: 'two-fades.mp4',
        preset: { name: 'replace-audio', arguments: { fadeIn: 60, fadeOut: 60 } },
      },
      meant: { preset: { name: 'replace-audio', arguments: { fadeIn: 2, fadeOut: 2 } } },
    },
    {
      title: 'a fade-out that "t" cuts off',
      request: { input: 'film.mp4', output: 't.mp4', parameters: { ...H264, af: 'afade=t=out:st=2:d=1', t: '2.3' } },
      meant: { parameters: { ...H264, af: 'afade=t=out:st=1.3:d=1', t: '2.3' } },
    },
    {
      title: 'a fade-out that the shorter sound cuts off',
      request: {
        inputs: [LOOPED, 'mono.mp3'],
        output: 'shortest.mp4',
        parameters: { ...H264, ...SOUND, vf: 'fade=t=out:st=3.5:d=2' },
      },
      meant: { parameters: { ...H264, ...SOUND, vf: 'fade=t=out:st=3:d=1' } },
    },
  ],
} satisfies RunWarningRows;

/** Fades that are complete, or nearly. */
export const QUIET_FADES: readonly ConversionRequest[] = [
  { input: 'silent.mp4', output: 'fades.mp4', parameters: { ...H264, vf: 'fade=d=1,fade=t=out:st=3.1:d=1' } },
  { input: 'silent.mp4', output: 'whole.mp4', parameters: { ...H264, vf: 'fade=d=4' } },
  { input: 'silent.mp4', output: 'counted.mp4', parameters: { ...H264, vf: 'fade=in:0:30,fade=out:75:25' } },
  { input: 'silent.mp4', output: 'slowed.mp4', parameters: { ...H264, vf: 'fps=50,fade=out:150:50' } },
  { input: 'sound.wav', output: 'samples.mp3', parameters: { af: 'afade=t=out:ss=132300:ns=44100' } },
  {
    inputs: [LOOPED, 'mono.mp3'],
    output: 'slide.mp4',
    parameters: { ...H264, ...SOUND, vf: 'fade=t=out:st=3:d=1' },
  },
  // The picture ends the song.
  { inputs: [PART, 'mono.mp3'], output: 'song.mp4', parameters: { ...H264, ...SOUND, af: 'afade=t=out:st=1:d=1' } },
  {
    inputs: [LOOPED, 'mono.mp3'],
    output: 'later.mp4',
    parameters: { ...H264, ...SOUND, ss: '1', vf: 'fade=t=out:st=3:d=1', af: 'afade=t=out:st=3:d=1' },
  },
  // The sound of the file is longer than its picture.
  { input: 'tail.mp4', output: 'picture.mp4', parameters: { ...H264, vf: 'fade=t=out:st=3:d=1' } },
  // The mix is as long as the longer sound.
  {
    inputs: [PART, 'mono.mp3'],
    output: 'mixed.m4a',
    parameters: { filter_complex: '[0:a][1:a]amix,afade=t=out:st=3:d=1[a]', map: '[a]' },
  },
  // "t" is of the time after the filter that halves it.
  {
    input: 'silent.mp4',
    output: 'fast.mp4',
    parameters: { ...H264, vf: 'fade=t=out:st=3:d=1,setpts=0.5*PTS', t: '2' },
  },
];
