import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const TRIM = 'trim=start=0:end=2,setpts=PTS-STARTPTS';
const ATRIM = 'atrim=start=0:end=2,asetpts=PTS-STARTPTS';
const LOOPED = { input: 'picture.png', parameters: { loop: '1' } } as const;

/** Warnings about when and how long something is shown or heard. */
export const TIME_WARNINGS = {
  SHORT_OUTPUT: [
    {
      title: 'a film of one picture',
      request: { inputs: ['picture.png'], output: 'one.mp4', parameters: H264 },
      field: '/inputs/0',
      message: /^The output shows "picture\.png" for 0\.04 s: an image is one frame\.$/,
      fix: 'Send "inputs": [{"input":"picture.png","parameters":{"loop":"1"}}], and "t": "5" in the "parameters" of the request.',
      meant: { inputs: [LOOPED], parameters: { ...H264, t: '5' } },
    },
    {
      title: 'seconds of one picture',
      request: { inputs: ['picture.png'], output: 'asked-picture.mp4', parameters: { ...H264, t: '3' } },
      field: '/inputs/0',
      message: /an image is one frame/,
      fix: 'Send "inputs": [{"input":"picture.png","parameters":{"loop":"1"}}].',
      meant: { inputs: [LOOPED] },
    },
    {
      title: 'a zoom of one frame',
      request: { input: 'picture.png', output: 'zoom-one.mp4', parameters: { ...H264, vf: 'zoompan=d=1:s=160x120' } },
      field: '/input',
      message: /an image is one frame/,
      fix: 'Send "vf": "zoompan=s=160x120:d=125" in the "parameters" of the request as well.',
      meant: { parameters: { ...H264, vf: 'zoompan=s=160x120:d=125' } },
    },
    {
      title: 'slides without a rate',
      request: { input: 'slides/%d.png', output: 'hasty.mp4', parameters: H264 },
      field: '/input',
      message: /^The output has 0\.12 s: ffmpeg reads 25 images per second, and "slides\/%d\.png" has 3\.$/,
      fix: 'Send "inputs": [{"input":"slides/%d.png","parameters":{"framerate":"1"}}].',
      meant: { parameters: { ...H264, framerate: '1' } },
    },
  ],
  UNEQUAL_LENGTHS: [
    {
      title: 'a picture beside a sound',
      request: { inputs: ['picture.png', 'mono.mp3'], output: 'music.mp4', parameters: H264 },
      field: '/inputs/0',
      message: /^"picture\.png" is one frame beside 4(\.\d+)? s of audio/,
      fix: 'Send "inputs": [{"input":"picture.png","parameters":{"loop":"1"}},"mono.mp3"], and "t": "4.05" in the "parameters" of the request.',
      meant: { inputs: [LOOPED, 'mono.mp3'], parameters: { ...H264, t: '4.05' } },
    },
    {
      title: 'a picture that ends a sound',
      request: { inputs: ['picture.png', 'mono.mp3'], output: 'cut-music.mp4', parameters: { ...H264, shortest: '' } },
      field: '/inputs/0',
      message: /^"picture\.png" is one frame, and "shortest" ends the output with it/,
      fix: 'Send "inputs": [{"input":"picture.png","parameters":{"loop":"1"}},"mono.mp3"], and "t": "4.05" in the "parameters" of the request.',
      meant: { inputs: [LOOPED, 'mono.mp3'], parameters: { ...H264, t: '4.05' } },
    },
    {
      title: 'a cut of the picture alone',
      request: { input: 'film.mp4', output: 'trim.mp4', parameters: { ...H264, vf: 'trim=0:2' } },
      field: '/parameters/vf',
      message: /^The filter trim cuts only the video, and the whole audio is in the output\.$/,
      fix: `Send "vf": "${TRIM}" and "af": "${ATRIM}".`,
      meant: { parameters: { ...H264, vf: TRIM, af: ATRIM } },
    },
    {
      title: 'a cut of the sound alone',
      request: { input: 'film.mp4', output: 'atrim.mp4', parameters: { ...H264, af: 'atrim=0:2', vf: 'hflip' } },
      field: '/parameters/af',
      message: /^The filter atrim cuts only the audio/,
      fix: `Send "af": "${ATRIM}" and "vf": "${TRIM},hflip".`,
      meant: { parameters: { ...H264, af: ATRIM, vf: `${TRIM},hflip` } },
    },
    {
      title: 'a cut of the picture in a complex graph',
      request: {
        input: 'film.mp4',
        output: 'complex-trim.mp4',
        parameters: { ...H264, filter_complex: `[0:v]${TRIM}[v]`, map: ['[v]', '0:a'] },
      },
      field: '/parameters/filter_complex',
      message: /^The filter trim cuts only the video/,
      fix: `Add ";[0:a]${ATRIM}[cut]" to "filter_complex", and send "[cut]" in "map" instead of this stream.`,
      meant: {
        parameters: { ...H264, filter_complex: `[0:v]${TRIM}[v];[0:a]${ATRIM}[cut]`, map: ['[v]', '[cut]'] },
      },
    },
  ],
  EMPTY_STREAM: [
    {
      title: 'a fade-out long before the end',
      request: { input: 'silent.mp4', output: 'early.mp4', parameters: { ...H264, vf: 'fade=t=out:st=1:d=1' } },
      field: '/parameters/vf',
      message: /^The filter fade ends at 2 s, and the video stays black up to the end at 4 s\.$/,
      fix: 'Send "vf": "fade=t=out:d=1:st=3".',
      meant: { parameters: { ...H264, vf: 'fade=t=out:d=1:st=3' } },
    },
    {
      title: 'a fade-out without a start',
      request: { input: 'sound.wav', output: 'silent.wav', parameters: { af: 'afade=t=out:d=1' } },
      field: '/parameters/af',
      message: /^The filter afade ends at 1 s, and the audio stays silent up to the end at 4 s\.$/,
      meant: { parameters: { af: 'afade=t=out:d=1:st=3' } },
    },
    {
      title: 'a selection after the end',
      request: { input: 'film.mp4', output: 'selected.mp4', parameters: { ...H264, vf: 'select=gt(t\\,100)' } },
      field: '/parameters/vf',
      message:
        /^The output has no video: the filter select let nothing pass: it starts at 100 s, but "film\.mp4" has only 4 s\.$/,
      fix: 'Send "vf": "select=expr=gt(t\\\\,2)".',
      meant: { parameters: { ...H264, vf: 'select=expr=gt(t\\,2)' } },
    },
    {
      title: 'a cut of the picture alone behind the end',
      request: {
        input: 'film.mp4',
        output: 'trim-behind.mp4',
        parameters: { ...H264, vf: 'trim=start=60:end=120,setpts=PTS-STARTPTS' },
      },
      field: '/parameters/vf',
      message: /^The output has no video: /,
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
      message: /^The output has no video: no frame of the input is in the part that the request asks for\.$/,
      meant: { parameters: { 'c:a': 'aac', vn: '' } },
    },
    {
      title: 'a selection of no sound',
      request: { input: 'film.mp4', output: 'mute.mp4', parameters: { ...H264, af: 'aselect=0' } },
      field: '/parameters/af',
      message: /^The output has no audio: the filter aselect let nothing pass: its expression was 0 for every frame\.$/,
      fix: 'Send "af": "anull", or send another expression of the filter.',
      meant: { parameters: { ...H264, af: 'anull' } },
    },
  ],
  OUT_OF_SYNC: [
    {
      title: 'a frame rate of an input with sound',
      request: { inputs: [{ input: 'film.mp4', parameters: { r: '12' } }], output: 'paced.mp4', parameters: H264 },
      field: '/inputs/0/parameters/r',
      message:
        /^"r" of the input "film\.mp4" plays its 25 frames per second at 12: the video is slower than the audio\.$/,
      fix: 'Send "r": "12" in the "parameters" of the request: that changes the frame rate at the same speed.',
      meant: { inputs: ['film.mp4'], parameters: { ...H264, r: '12' } },
    },
    {
      title: 'a picture that plays backwards beside its sound',
      request: { input: 'film.mp4', output: 'reverse.mp4', parameters: { ...H264, vf: 'reverse' } },
      field: '/parameters/vf',
      message: /^The filter reverse plays only the video backwards/,
      fix: 'Send "af": "areverse" as well, or "an": "" if no audio is meant.',
      meant: { parameters: { ...H264, vf: 'reverse', af: 'areverse' } },
    },
    {
      title: 'a zoom with another frame rate',
      request: { input: '30fps.mp4', output: 'slower.mp4', parameters: { ...H264, vf: 'zoompan=d=1:s=160x120' } },
      field: '/parameters/vf',
      message: /^The filter zoompan writes 25 frames per second, and "30fps\.mp4" has 30: it plays slower\.$/,
      fix: 'Send "vf": "zoompan=d=1:s=160x120:fps=30".',
      meant: { parameters: { ...H264, vf: 'zoompan=d=1:s=160x120:fps=30' } },
    },
  ],
  FRAMES_REPEATED: [
    {
      title: 'a zoom of a looped picture',
      request: { inputs: [LOOPED], output: 'again.mp4', parameters: { ...H264, vf: 'zoompan=d=25:s=160x120', t: '2' } },
      field: '/parameters/vf',
      message: /^The zoom begins again every 1 s: zoompan makes 25 frames \("d"\) of each frame that it reads/,
      fix: 'Send "vf": "zoompan=s=160x120:d=50".',
      meant: { parameters: { ...H264, vf: 'zoompan=s=160x120:d=50', t: '2' } },
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
