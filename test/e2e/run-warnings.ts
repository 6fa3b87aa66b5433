import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './run-warnings/row.ts';

const LOUD = 'loudnorm=I=-16:TP=-1.5:LRA=11';
const _STILL = { loop: '1', t: '1', 'c:v': 'libx264', preset: 'ultrafast' } as const;

/** Requests that cause a warning about their run. */
export const RUN_WARNINGS = {
  UNUSED_INPUT: [
    {
      title: 'sound beside a film that has better sound',
      request: { inputs: ['film.mp4', 'mono.mp3'], output: 'joined.mp4', parameters: H264 },
      field: '/inputs/1',
      message: /^Nothing of "mono\.mp3" is in the output/,
      fix: 'Send "map": ["0:v","1:a"] in the "parameters" of the request as well.',
      meant: { parameters: { ...H264, map: ['0:v', '1:a'] } },
    },
    {
      title: 'a third film beside a filter of two',
      request: {
        inputs: ['film.mp4', 'picture.png', 'silent.mp4'],
        output: 'third.mp4',
        parameters: { ...H264, filter_complex: 'overlay' },
      },
      field: '/inputs/2',
      message: /^Nothing of "silent\.mp4" is in the output/,
      fix: 'Use [2:v] in "filter_complex", or leave the input out.',
      meant: { inputs: ['film.mp4', 'picture.png'] },
    },
    {
      title: 'chapters beside a film that has chapters',
      request: { inputs: ['chapters.mkv', 'parts.ffmeta'], output: 'parts.mkv', parameters: { c: 'copy', map: '0' } },
      field: '/inputs/1',
      message: /^Nothing of "parts\.ffmeta" is in the output: it is a file of tags and chapters/,
      fix: 'Send "map_chapters": "1" in the "parameters" of the request as well.',
      meant: { parameters: { c: 'copy', map: '0', map_chapters: '1' } },
    },
    {
      title: 'tags beside a film',
      request: { inputs: ['film.mp4', 'tags.ffmeta'], output: 'tags.mp4', parameters: { c: 'copy' } },
      field: '/inputs/1',
      message: /^Nothing of "tags\.ffmeta" is in the output: it is a file of tags and chapters/,
      fix: 'Send "map_metadata": "1" in the "parameters" of the request as well.',
      meant: { parameters: { c: 'copy', map_metadata: '1' } },
    },
  ],
  UNUSED_STREAM: [
    {
      title: 'one of two sound tracks',
      request: { input: 'tracks.mkv', output: 'tracks.mp4', parameters: H264 },
      field: '/input',
      message: /has 2 audio streams, and the output has one of them \(0:1\)/,
      fix: 'Send "map": ["0:v","0:a"] for all of them, or "map": ["0:v","0:a:1"] for another one.',
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
      field: '/inputs/0/input',
      message: /"drc_scale" had no effect on the input "silent\.mp4"/,
      fix: 'Leave "drc_scale" out.',
      meant: { inputs: ['silent.mp4'] },
    },
    {
      title: 'the default of two sound tracks, of which ffmpeg chose one',
      request: { input: 'tracks.mkv', output: 'default.mkv', parameters: { c: 'copy', 'disposition:a:1': 'default' } },
      field: '/parameters/disposition:a:1',
      message: /^"disposition:a:1" has no effect: the output has 1 audio stream, counted from 0\.$/,
      fix: 'Send "map": "0" and "disposition:a:0": "0" as well: this keeps all streams of "tracks.mkv", with one default.',
      meant: { parameters: { c: 'copy', 'disposition:a:1': 'default', map: '0', 'disposition:a:0': '0' } },
    },
  ],
  DECODE_ERRORS: [
    {
      title: 'a damaged film',
      request: { input: 'damaged.mp4', output: 'damaged-out.mp4', parameters: H264 },
      field: '/input',
      message: /reported [1-9]\d* errors while it read "damaged\.mp4"/,
      meant: { input: 'film.mp4' },
    },
  ],
  SHORT_OUTPUT: [
    {
      title: 'more seconds than the input has',
      request: { input: 'film.mp4', output: 'asked.mp4', parameters: { ...H264, t: '60' } },
      message: /^The output has 4(\.\d+)? s, but the request asks for 60 s: the input ends before\.$/,
      fix: 'Leave "t" out: then the output ends with the input.',
      meant: { parameters: H264 },
    },
    {
      title: 'an end after that of the input',
      request: { input: 'film.mp4', output: 'asked-to.mp4', parameters: { ...H264, ss: '1', to: '60' } },
      message: /^The output has 3(\.\d+)? s, but the request asks for 59 s/,
      meant: { parameters: { ...H264, ss: '1', to: '3' } },
    },
    {
      title: 'a film whose second half is missing',
      request: { input: 'cut.mp4', output: 'short.mp4', parameters: { ...H264, an: '' } },
      follower: 'DECODE_ERRORS',
      message: /but the input has 4(\.\d+)? s: it is probably cut off, or damaged/,
      meant: { input: 'film.mp4', parameters: { ...H264, an: '', vf: 'setpts=PTS/2' } },
    },
  ],
  SAMPLE_RATE_CHANGED: [
    {
      title: 'a filter that measures at 192 kHz',
      request: { input: 'sound.wav', output: 'loud.wav', parameters: { af: LOUD } },
      message: /changed from 44100 to 192000 Hz/,
      fix: 'Send "ar": "44100" as well: this keeps the sample rate.',
      meant: { parameters: { af: LOUD, ar: '44100' } },
    },
    {
      title: 'an encoder that has no 96 kHz',
      request: { input: 'studio.wav', output: 'studio.mp3' },
      message: /changed from 96000 to 48000 Hz/,
      fix: 'Send "ar": "48000" if this sample rate is meant.',
      meant: { parameters: { ar: '48000' } },
    },
  ],
  FRAME_RATE_CHANGED: [
    {
      title: 'an encoder that has only some frame rates',
      request: { input: '28fps.mp4', output: 'rate.mpg' },
      message: /^The frame rate changed from 28 to 29\.97003 frames per second/,
      fix: 'Send "r": "30000/1001" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".',
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
      field: '/parameters/vf',
      message: /^The subtitles are drawn from their start, although "ss" starts "silent\.mp4" at 2 s/,
      fix: 'Send "vf": "setpts=PTS+round(2/TB),subtitles=filename=words.srt,setpts=PTS-round(2/TB)".',
      meant: {
        parameters: { ...H264, vf: 'setpts=PTS+round(2/TB),subtitles=filename=words.srt,setpts=PTS-round(2/TB)' },
      },
    },
  ],
  ROTATION_LOST: [
    {
      title: 'a copy of the film of a phone into a container without rotations',
      request: { input: 'phone.mov', output: 'phone.avi', parameters: { c: 'copy' } },
      field: '/parameters/c',
      message: /^"phone\.mov" asks players to rotate its video by 90 degrees\. The format avi does not store that/,
      meant: { output: 'phone.mp4', parameters: { c: 'copy' } },
    },
  ],
  ROTATED_TWICE: [
    {
      title: 'a filter that turns the film of a phone',
      request: { input: 'phone.mov', output: 'upright.mp4', parameters: { ...H264, vf: 'transpose=1' } },
      field: '/parameters/vf',
      message: /^"phone\.mov" asks players to rotate it, and ffmpeg did that before the filter transpose/,
      fix: 'Leave "vf" out.',
      meant: { parameters: H264 },
    },
  ],
  EMPTY_STREAM: [
    {
      title: 'a copy without a key frame',
      request: { input: 'film.mp4', output: 'copy.mp4', parameters: { ss: '1', c: 'copy' } },
      message: /^The output has a video stream without a frame/,
      meant: { parameters: { ...H264, ss: '1' } },
    },
  ],
  LONG_SEGMENTS: [
    {
      title: 'a copied film with fewer key frames than segments',
      request: { input: 'film.mp4', output: 'copied.m3u8', parameters: { c: 'copy', hls_time: '1' } },
      field: '/parameters/hls_time',
      message: /^"hls_time" asks for segments of 1 s, but one lasts 4(\.\d+)? s/,
      fix: 'Send "c:v": "libx264" and "force_key_frames": "expr:gte(t,n_forced*1)" as well: a copy gets no key frames.',
      meant: { parameters: { 'c:v': 'libx264', hls_time: '1', force_key_frames: 'expr:gte(t,n_forced*1)' } },
    },
  ],
  FRAMES_REPEATED: [
    {
      title: 'a recording with pauses in a container of constant frame rate',
      request: { input: 'uneven.mkv', output: 'even.mpg' },
      message: /^ffmpeg repeated \d+ of \d+ frames to get a constant frame rate\.$/,
      fix: 'Send "fps_mode": "vfr" as well, or "r" for another frame rate.',
      meant: { parameters: { fps_mode: 'vfr' } },
    },
  ],
  FRAMES_DROPPED: [
    {
      title: 'a slow-motion film whose frame rate the encoder does not have',
      request: { input: '120fps.mp4', output: 'fast.mpg' },
      message: /^ffmpeg dropped \d+ frames, and the output has \d+\. The frame rate changed from 120 to 60 frames/,
      fix: 'Send "r": "60" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".',
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
