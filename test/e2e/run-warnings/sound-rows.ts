import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const graph = (filter_complex: string, ...map: readonly string[]) => ({ ...H264, filter_complex, map: [...map] });
const FLIP = '[0:v]hflip[v]';
const CUT = '[0:v]trim=start=1:end=2,setpts=expr=PTS-STARTPTS[v]';
const CUT_SOUND = '[0:a]atrim=start=1:end=2,asetpts=PTS-STARTPTS[sound]';
const XFADE = '[0:v][1:v]xfade=duration=1:offset=2[v]';

/** Warnings about films that lose their sound. */
export const SOUND_WARNINGS = {
  LOUDNESS_MISSED: [
    {
      title: 'a loudness that the true peak does not allow',
      request: { input: 'sound.wav', output: 'missed.flac', parameters: { af: 'loudnorm=I=-5:TP=-9', pass: '2' } },
      meant: { parameters: { af: 'loudnorm=TP=-9:I=-13', pass: '2' } },
    },
    {
      title: 'a loudness of a recipe that the true peak does not allow',
      request: {
        input: 'sound.wav',
        output: 'missed-target.flac',
        preset: { name: 'loudness', arguments: { target: -5, truePeak: -9 } },
      },
      meant: { preset: { name: 'loudness', arguments: { target: -13, truePeak: -9 } } },
    },
  ],
  SOUND_LEFT_OUT: [
    {
      title: 'a film with a logo, of which only the picture is mapped',
      request: {
        inputs: ['picture.png', 'film.mp4'],
        output: 'sound-logo.mp4',
        parameters: graph('[1:v][0:v]overlay=4:4[v]', '[v]'),
      },
      meant: { parameters: graph('[1:v][0:v]overlay=4:4[v]', '[v]', '1:a?') },
    },
    {
      title: 'a flipped film, of which only the picture is mapped',
      request: { input: 'film.mp4', output: 'flipped.mkv', parameters: graph(FLIP, '[v]') },
      meant: { parameters: { ...graph(FLIP, '[v]'), an: '' } },
    },
    {
      title: 'a part of a film, of which only the picture is cut',
      request: { input: 'film.mp4', output: 'cut-flip.mp4', parameters: graph(CUT, '[v]') },
      meant: { parameters: graph(`${CUT};${CUT_SOUND}`, '[v]', '[sound]') },
    },
    {
      title: 'two films, of which only the pictures are joined',
      request: {
        inputs: ['film.mp4', 'gops.mp4'],
        output: 'silent-join.mp4',
        parameters: graph('[0:v][1:v]concat=n=2:v=1:a=0[v]', '[v]'),
      },
      meant: { parameters: graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][sound]', '[v]', '[sound]') },
    },
    {
      title: 'a transition of the pictures alone',
      request: { inputs: ['film.mp4', 'gops.mp4'], output: 'silent-fade.mp4', parameters: graph(XFADE, '[v]') },
      meant: {
        parameters: graph(`${XFADE};[0:a]atrim=end=3[sound0];[sound0][1:a]acrossfade=d=1[sound]`, '[v]', '[sound]'),
      },
    },
  ],
  UNUSED_INPUT: [
    {
      title: 'a song that no map selects',
      request: { inputs: ['film.mp4', 'mono.mp3'], output: 'unsung.mp4', parameters: graph(FLIP, '[v]') },
      meant: { parameters: graph(FLIP, '[v]', '1:a') },
    },
  ],
} satisfies RunWarningRows;

/** Films without sound, where that is meant, or where the sound cannot follow the picture. */
export const QUIET_SOUNDS: readonly ConversionRequest[] = [
  { input: 'film.mp4', output: 'only-picture.mp4', parameters: { ...H264, map: '0:v' } },
  { input: 'silent.mp4', output: 'no-sound.mp4', parameters: graph(FLIP, '[v]') },
  { input: 'film.mp4', output: 'all.mp4', parameters: { ...H264, filter_complex: '[0:v]hflip' } },
  { input: 'film.mp4', output: 'silent-lapse.mp4', parameters: graph('[0:v]setpts=PTS/4[v]', '[v]') },
  { input: 'film.mp4', output: 'flipped.gif', parameters: { filter_complex: FLIP, map: '[v]', t: '0.5' } },
  { input: 'film.mp4', output: 'flipped-%02d.png', parameters: { filter_complex: FLIP, map: '[v]', t: '0.2' } },
];
