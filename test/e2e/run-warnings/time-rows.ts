import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const TRIM = 'trim=start=0:end=2,setpts=PTS-STARTPTS';
const ATRIM = 'atrim=start=0:end=2,asetpts=PTS-STARTPTS';
const LOOPED = { input: 'picture.png', parameters: { loop: '1' } } as const;

/** Warnings about when and how long something is shown or heard. */
export const TIME_WARNINGS = {
  UNEQUAL_LENGTHS: [
    {
      title: 'a picture beside a sound',
      request: { inputs: ['picture.png', 'mono.mp3'], output: 'music.mp4', parameters: H264 },
      meant: { inputs: [LOOPED, 'mono.mp3'], parameters: { ...H264, t: '4.05' } },
    },
    {
      title: 'a cut of the picture alone',
      request: { input: 'film.mp4', output: 'trim.mp4', parameters: { ...H264, vf: 'trim=0:2' } },
      meant: { parameters: { ...H264, vf: TRIM, af: ATRIM } },
    },
    {
      title: 'a cut of the sound alone',
      request: { input: 'film.mp4', output: 'atrim.mp4', parameters: { ...H264, af: 'atrim=0:2', vf: 'hflip' } },
      meant: { parameters: { ...H264, af: ATRIM, vf: `${TRIM},hflip` } },
    },
    {
      title: 'a cut of the picture in a complex graph',
      request: {
        input: 'film.mp4',
        output: 'complex-trim.mp4',
        parameters: { ...H264, filter_complex: `[0:v]${TRIM}[v]`, map: ['[v]', '0:a'] },
      },
      meant: {
        parameters: { ...H264, filter_complex: `[0:v]${TRIM}[v];[0:a]${ATRIM}[cut]`, map: ['[v]', '[cut]'] },
      },
    },
  ],
  EMPTY_STREAM: [
    {
      title: 'a cut of the picture alone behind the end',
      request: {
        input: 'film.mp4',
        output: 'trim-behind.mp4',
        parameters: { ...H264, vf: 'trim=start=60:end=120,setpts=PTS-STARTPTS' },
      },
      meant: { parameters: { 'c:a': 'aac', vn: '' } },
    },
    {
      title: 'a cut behind the end',
      request: {
        input: 'film.mp4',
        output: 'behind.mp4',
        parameters: {
          ...H264,
          filter_complex: '[0:v]trim=start=50,setpts=PTS-STARTPTS[v];[0:a]atrim=end=2[a]',
          map: ['[v]', '[a]'],
        },
      },
      meant: { parameters: { 'c:a': 'aac', vn: '' } },
    },
    {
      title: 'a selection of no sound',
      request: { input: 'film.mp4', output: 'mute.mp4', parameters: { ...H264, af: 'aselect=0' } },
      meant: { parameters: { ...H264, af: 'anull' } },
    },
  ],
} satisfies RunWarningRows;

/** Requests about times that get what they ask for. */
export const QUIET_TIMES: readonly ConversionRequest[] = [
  { inputs: [{ input: 'silent.mp4', parameters: { r: '50' } }], output: 'lapse.mp4', parameters: H264 },
  { input: 'film.mp4', output: 'backwards.mp4', parameters: { ...H264, vf: 'reverse', an: '' } },
  { input: 'picture.png', output: 'frame.mp4', parameters: { ...H264, 'frames:v': '1' } },
  { input: 'picture.png', output: 'picture.jpg' },
  { input: 'slides/%d.png', output: 'asked-slides.mp4', parameters: { ...H264, framerate: '25' } },
  { inputs: ['mono.mp3', 'picture.png'], output: 'cover.mp3', parameters: { map: ['0:a', '1:v'], 'c:v': 'mjpeg' } },
  { input: 'film.mp4', output: 'both.mp4', parameters: { ...H264, vf: TRIM, af: ATRIM } },
  { input: 'film.mp4', output: 'trim-silent.mp4', parameters: { ...H264, vf: TRIM, an: '' } },
  { input: 'film.mp4', output: 'trim-ended.mp4', parameters: { ...H264, vf: 'trim=0:2', t: '2' } },
  { input: 'silent.mp4', output: 'fade.mp4', parameters: { ...H264, vf: 'fade=t=in:d=1,fade=t=out:st=3:d=1' } },
  {
    input: 'silent.mp4',
    output: 'blink.mp4',
    parameters: { ...H264, vf: 'fade=t=out:st=1:d=0.5,fade=t=in:st=1.5:d=0.5' },
  },
  { input: 'silent.mp4', output: 'fade-cut.mp4', parameters: { ...H264, vf: 'fade=t=out:st=1:d=1', t: '2' } },
  { input: 'silent.mp4', output: 'fade-trim.mp4', parameters: { ...H264, vf: 'fade=t=out:st=1:d=1,trim=0:2' } },
  { inputs: [LOOPED], output: 'zoom.mp4', parameters: { ...H264, vf: 'zoompan=d=50:s=160x120', t: '2' } },
  { input: 'silent.mp4', output: 'zoom-film.mp4', parameters: { ...H264, vf: 'zoompan=d=1:s=160x120' } },
];
