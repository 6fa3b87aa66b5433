import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const HLS = { ...H264, g: '10', hls_time: '0.4' };
const mix = (graph: string) => ({ vn: '', filter_complex: graph, map: '[a]' });

/** Results that have another shape than meant: of the picture, the sound, the playlist or the container. */
export const SHAPE_WARNINGS = {
  NO_EFFECT: [
    {
      title: 'a bit rate of sound for a film without sound',
      request: { input: 'silent.mp4', output: 'rate-of-sound.mp4', parameters: { ...H264, 'b:a': '96k' } },
      meant: { parameters: H264 },
    },
    {
      title: 'a picture before the left edge of the film',
      request: {
        inputs: ['silent.mp4', 'picture.png'],
        output: 'before.mp4',
        parameters: { ...H264, filter_complex: '[0:v][1:v]overlay=-400:10[v]', map: '[v]' },
      },
      meant: { parameters: { ...H264, filter_complex: '[0:v][1:v]overlay=-40:10[v]', map: '[v]' } },
    },
    {
      title: 'borders of a film that has none',
      request: {
        input: 'silent.mp4',
        output: 'borders.mp4',
        parameters: { ...H264, vf: 'cropdetect=round=2,crop', pass: '2' },
      },
      meant: { parameters: H264 },
    },
  ],
  PARTIAL_PLAYLIST: [
    {
      title: 'a film in more segments than a playlist lists',
      request: { input: 'film.mp4', output: 'film.m3u8', parameters: HLS },
      meant: { parameters: { ...HLS, hls_list_size: '0' } },
    },
  ],
  UNPLAYABLE_CODEC: [
    {
      title: 'H.264 copied into a JPEG',
      request: { input: 'film.mp4', output: 'copied.jpg', parameters: { c: 'copy', 'frames:v': '1' } },
      meant: { parameters: { 'c:v': 'mjpeg', 'frames:v': '1' } },
    },
    {
      title: 'AAC copied into WAV',
      request: { input: 'film.mp4', output: 'copied.wav', parameters: { 'c:a': 'copy' } },
      meant: { parameters: { 'c:a': 'pcm_s16le' } },
    },
    {
      title: 'VP9 copied into MPEG-TS',
      request: { input: 'alpha.webm', output: 'vp9.ts', parameters: { c: 'copy' } },
      meant: { output: 'vp9.mkv' },
    },
    {
      title: 'VP9 copied into segments of MPEG-TS',
      request: { input: 'alpha.webm', output: 'vp9-%d.ts', format: 'segment', parameters: { c: 'copy' } },
      meant: { output: 'vp9-%d.mkv' },
    },
  ],
  OTHER_VALUE: [
    {
      title: 'a crop that reaches over the right edge',
      request: { input: 'silent.mp4', output: 'crop.mp4', parameters: { ...H264, vf: 'crop=100:80:100:0' } },
      meant: { parameters: { ...H264, vf: 'crop=x=100:y=0:w=60:h=80' } },
    },
    {
      title: 'a crop of a recipe that reaches over the right edge',
      request: {
        input: 'silent.mp4',
        output: 'recipe-crop.mp4',
        preset: { name: 'crop', arguments: { width: 100, height: 80, x: 100 } },
      },
      meant: { preset: { name: 'crop', arguments: { width: 60, height: 80, x: 100 } } },
    },
    {
      title: 'a crop outside of the picture that is put back',
      request: {
        input: 'silent.mp4',
        output: 'put-back.mp4',
        parameters: { ...H264, vf: 'split[a][b];[b]crop=40:40:200:0,negate[c];[a][c]overlay=200:0' },
      },
      meant: {
        parameters: { ...H264, vf: 'split[a][b];[b]crop=x=120:y=0:w=40:h=40,negate[c];[a][c]overlay=x=120:y=0' },
      },
    },
    {
      title: 'a crop that starts after the bottom',
      request: { input: 'silent.mp4', output: 'below.mp4', parameters: { ...H264, vf: 'crop=iw/2:ih/2:0:ih+20' } },
      meant: { parameters: { ...H264, vf: 'crop=x=0:y=60:w=80:h=60' } },
    },
  ],
} satisfies RunWarningRows;

/** Requests that are like those above, and get what they ask for. */
export const QUIET_SHAPES: readonly ConversionRequest[] = [
  { input: 'film.mp4', output: 'vod.m3u8', parameters: { ...HLS, hls_playlist_type: 'vod' } },
  { input: 'film.mp4', output: 'live.m3u8', parameters: { ...HLS, hls_list_size: '3' } },
  { input: 'film.mp4', output: 'four.m3u8', parameters: { ...HLS, hls_time: '1' } },
  { input: 'film.mp4', output: 'one.m3u8', parameters: { ...HLS, hls_flags: 'single_file', hls_list_size: '0' } },
  { input: 'film.mp4', output: 'vp9.mkv', parameters: { 'c:v': 'copy', 'c:a': 'copy' } },
  { input: 'silent.mp4', output: 'middle.mp4', parameters: { ...H264, vf: 'crop=100:80' } },
  { input: 'silent.mp4', output: 'corner.mp4', parameters: { ...H264, vf: 'crop=100:80:iw-ow:ih-oh' } },
  { input: 'silent.mp4', output: 'bars.mp4', parameters: { ...H264, vf: 'pad=200:120:-1:-1' } },
  { input: 'silent.mp4', output: 'right.mp4', parameters: { ...H264, vf: 'pad=200:120:ow-iw:0' } },
  {
    input: 'phone.mov',
    output: 'inside.mp4',
    parameters: {
      ...H264,
      vf: 'scale=160:90:force_original_aspect_ratio=decrease,pad=160:90:(ow-iw)/2:(oh-ih)/2',
    },
  },
  { input: 'phone.mov', output: 'upright.mp4', parameters: { ...H264, s: '60x80' } },
  { input: 'silent.mp4', output: 'across.mp4', parameters: { ...H264, s: '80x60' } },
  {
    inputs: ['film.mp4', 'film.mp4'],
    output: 'folded.m4a',
    parameters: { ...mix('[0:a][1:a]amerge=inputs=2[a]'), ac: '2' },
  },
  { inputs: ['mono.mp3', 'mono.mp3'], output: 'stereo.m4a', parameters: mix('[0:a][1:a]amerge=inputs=2[a]') },
  { input: 'late.mkv', output: 'no-words.mkv', parameters: { map: ['0:v', '0:a'], c: 'copy' } },
];
