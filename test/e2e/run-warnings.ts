import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './run-warnings/row.ts';

const LOUD = 'loudnorm=I=-16:TP=-1.5:LRA=11';

/** Requests that cause a warning about their run. */
export const RUN_WARNINGS = {
  UNUSED_INPUT: [
    {
      title: 'sound beside a film that has better sound',
      request: { inputs: ['film.mp4', 'mono.mp3'], output: 'joined.mp4', parameters: H264 },
      meant: { parameters: { ...H264, map: ['0:v', '1:a'] } },
    },
    {
      title: 'a third film beside a filter of two',
      request: {
        inputs: ['film.mp4', 'picture.png', 'silent.mp4'],
        output: 'third.mp4',
        parameters: { ...H264, filter_complex: 'overlay' },
      },
      meant: { inputs: ['film.mp4', 'picture.png'] },
    },
    {
      title: 'chapters beside a film that has chapters',
      request: { inputs: ['chapters.mkv', 'parts.ffmeta'], output: 'parts.mkv', parameters: { c: 'copy', map: '0' } },
      meant: { parameters: { c: 'copy', map: '0', map_chapters: '1' } },
    },
    {
      title: 'tags beside a film',
      request: { inputs: ['film.mp4', 'tags.ffmeta'], output: 'tags.mp4', parameters: { c: 'copy' } },
      meant: { parameters: { c: 'copy', map_metadata: '1' } },
    },
  ],
  UNUSED_STREAM: [
    {
      title: 'one of two sound tracks',
      request: { input: 'tracks.mkv', output: 'tracks.mp4', parameters: H264 },
      meant: { parameters: { ...H264, map: ['0:v', '0:a'] } },
    },
  ],
  NO_EFFECT: [
    {
      title: 'an option of a sound decoder for a film without sound',
      request: {
        inputs: [{ input: 'silent.mp4', parameters: { drc_scale: '1' } }],
        output: 'unused.mp4',
        parameters: H264,
      },
      meant: { inputs: ['silent.mp4'] },
    },
    {
      title: 'the default of two sound tracks, of which ffmpeg chose one',
      request: { input: 'tracks.mkv', output: 'default.mkv', parameters: { c: 'copy', 'disposition:a:1': 'default' } },
      meant: { parameters: { c: 'copy', 'disposition:a:1': 'default', map: '0', 'disposition:a:0': '0' } },
    },
  ],
  DECODE_ERRORS: [
    {
      title: 'a damaged film',
      request: { input: 'damaged.mp4', output: 'damaged-out.mp4', parameters: H264 },
      meant: { input: 'film.mp4' },
    },
  ],
  SHORT_OUTPUT: [
    {
      title: 'more seconds than the input has',
      request: { input: 'film.mp4', output: 'asked.mp4', parameters: { ...H264, t: '60' } },
      meant: { parameters: H264 },
    },
    {
      title: 'an end after that of the input',
      request: { input: 'film.mp4', output: 'asked-to.mp4', parameters: { ...H264, ss: '1', to: '60' } },
      meant: { parameters: { ...H264, ss: '1', to: '3' } },
    },
    {
      title: 'a film whose second half is missing',
      request: { input: 'cut.mp4', output: 'short.mp4', parameters: { ...H264, an: '' } },
      meant: { input: 'film.mp4', parameters: { ...H264, an: '', vf: 'setpts=PTS/2' } },
    },
  ],
  SAMPLE_RATE_CHANGED: [
    {
      title: 'a filter that measures at 192 kHz',
      request: { input: 'sound.wav', output: 'loud.wav', parameters: { af: LOUD } },
      meant: { parameters: { af: LOUD, ar: '44100' } },
    },
    {
      title: 'an encoder that has no 96 kHz',
      request: { input: 'studio.wav', output: 'studio.mp3' },
      meant: { parameters: { ar: '48000' } },
    },
  ],
  FRAME_RATE_CHANGED: [
    {
      title: 'an encoder that has only some frame rates',
      request: { input: '28fps.mp4', output: 'rate.mpg' },
      meant: { parameters: { r: '30000/1001' } },
    },
  ],
  OUT_OF_SYNC: [
    {
      title: 'subtitles of a film that starts later',
      request: {
        inputs: [{ input: 'silent.mp4', parameters: { ss: '2' } }, 'words.srt'],
        output: 'words.mp4',
        parameters: { ...H264, vf: 'subtitles=words.srt' },
      },
      meant: {
        parameters: { ...H264, vf: 'setpts=PTS+round(2/TB),subtitles=filename=words.srt,setpts=PTS-round(2/TB)' },
      },
    },
  ],
  ROTATION_LOST: [
    {
      title: 'a copy of the film of a phone into a container without rotations',
      request: { input: 'phone.mov', output: 'phone.avi', parameters: { c: 'copy' } },
      meant: { output: 'phone.mp4', parameters: { c: 'copy' } },
    },
  ],
  ROTATED_TWICE: [
    {
      title: 'a filter that turns the film of a phone',
      request: { input: 'phone.mov', output: 'upright.mp4', parameters: { ...H264, vf: 'transpose=1' } },
      meant: { parameters: H264 },
    },
  ],
  EMPTY_STREAM: [
    {
      title: 'a copy without a key frame',
      request: { input: 'film.mp4', output: 'copy.mp4', parameters: { ss: '1', c: 'copy' } },
      meant: { parameters: { ...H264, ss: '1' } },
    },
  ],
  LONG_SEGMENTS: [
    {
      title: 'a copied film with fewer key frames than segments',
      request: { input: 'film.mp4', output: 'copied.m3u8', parameters: { c: 'copy', hls_time: '1' } },
      meant: { parameters: { 'c:v': 'libx264', hls_time: '1', force_key_frames: 'expr:gte(t,n_forced*1)' } },
    },
  ],
  FRAMES_REPEATED: [
    {
      title: 'a recording with pauses in a container of constant frame rate',
      request: { input: 'uneven.mkv', output: 'even.mpg' },
      meant: { parameters: { fps_mode: 'vfr' } },
    },
  ],
  FRAMES_DROPPED: [
    {
      title: 'a slow-motion film whose frame rate the encoder does not have',
      request: { input: '120fps.mp4', output: 'fast.mpg' },
      meant: { output: 'fast.mp4', parameters: H264 },
    },
  ],
} satisfies RunWarningRows;

/** Requests that get what they ask for, although a warning about something similar exists. */
export const QUIET_REQUESTS: readonly ConversionRequest[] = [
  // The output has the frame size that the file states.
  { inputs: [{ input: 'sizes.ts', parameters: { ss: '4' } }], output: 'size.mp4', parameters: H264 },
  // HDR is mapped to ordinary colours.
  { input: 'hdr.mkv', output: 'sdr.mp4', parameters: H264 },
  {
    input: 'hdr.mkv',
    output: 'sdr-graph.mp4',
    parameters: { ...H264, filter_complex: '[0:v]hflip[v]', map: '[v]' },
  },
  { inputs: ['film.mp4', 'parts.ffmeta'], output: 'with-parts.mkv', parameters: { c: 'copy', map: '0' } },
  { input: 'film.mp4', output: 'plain.mp4', parameters: H264 },
  { input: 'film.mp4', output: 'part.mp4', parameters: { ...H264, ss: '1', t: '2' } },
  { input: 'sound.wav', output: 'voice.opus' },
  { input: 'film.mp4', output: 'hour_%03d.mp4', format: 'segment', parameters: { ...H264, segment_time: '3600' } },
  { input: 'uneven.mkv', output: 'constant.mpg', parameters: { r: '25' } },
  { input: 'uneven.mkv', output: 'variable.mkv', parameters: H264 },
  { input: '28fps.mp4', output: '28fps-again.mp4', parameters: H264 },
  { inputs: [{ input: 'mpeg4.avi', parameters: { lowres: '1' } }], output: 'half.mp4', parameters: H264 },
];
