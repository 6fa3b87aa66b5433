import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import type { RunWarningRows } from './row.ts';

const H265 = { 'c:v': 'libx265', preset: 'ultrafast' } as const;
const X264 = { 'c:v': 'libx264', preset: 'ultrafast' } as const;

/** Results with fewer bits than meant. */
export const DEPTH_WARNINGS = {
  CHANNELS_LOST: [
    {
      title: 'six channels as MP3',
      request: { input: 'six.wav', output: 'six.mp3', parameters: { 'c:a': 'libmp3lame' } },
      meant: { output: 'six.m4a', parameters: { 'c:a': 'aac' } },
    },
    {
      title: 'six channels as MP3 beside a film',
      request: {
        inputs: ['silent.mp4', 'six.wav'],
        output: 'six.mkv',
        parameters: { map: ['0:v', '1:a'], 'c:v': 'copy', 'c:a': 'libmp3lame' },
      },
      meant: { parameters: { map: ['0:v', '1:a'], 'c:v': 'copy', 'c:a': 'libmp3lame', ac: '2' } },
    },
    {
      title: 'six channels in an MPEG program stream, which holds no AAC',
      request: { inputs: ['silent.mp4', 'six.wav'], output: 'six.mpg', parameters: { 'c:a': 'mp2' } },
      meant: { parameters: { 'c:a': 'ac3' } },
    },
  ],
  BITS_LOST: [
    {
      title: 'a WAV of 24 bits at another sample rate',
      request: { input: 'deep.wav', output: 'deep.wav', parameters: { ar: '48000' } },
      meant: { parameters: { ar: '48000', 'c:a': 'pcm_s24le' } },
    },
    {
      title: 'a FLAC of 24 bits in AIFF',
      request: { input: 'deep.flac', output: 'deep.aiff', parameters: { af: 'volume=0.5' } },
      meant: { parameters: { af: 'volume=0.5', 'c:a': 'pcm_s24be' } },
    },
    {
      title: 'a WAV of floating-point numbers',
      request: { input: 'float.wav', output: 'float.wav', parameters: { ac: '2' } },
      meant: { parameters: { ac: '2', 'c:a': 'pcm_s16le' } },
    },
  ],
} satisfies RunWarningRows;

/** Requests that are like those above, and get what they ask for. */
export const QUIET_DEPTHS: readonly ConversionRequest[] = [
  { input: 'hdr.mkv', output: 'deep.mp4', parameters: { ...H265, 'profile:v': 'main10' } },
  { input: 'silent.mp4', output: 'lossless.mkv', parameters: { ...X264, 'profile:v': 'high444', qp: '0' } },
  { input: 'silent.mp4', output: 'high.mp4', parameters: { ...X264, 'profile:v': 'high' } },
  { input: 'silent.mp4', output: 'filter.mp4', parameters: { ...H265, profile: 'main10', vf: 'format=yuv420p10le' } },
  { input: 'deep.wav', output: 'speech.wav', parameters: { ar: '16000', ac: '1' } },
  { input: 'deep.wav', output: 'named.wav', parameters: { sample_fmt: 's16' } },
  { input: 'deep.wav', output: 'deep-again.flac' },
  { input: 'deep.wav', output: 'small.mp3' },
  { input: 'six.wav', output: 'six.opus' },
  { input: 'six.wav', output: 'front.mp3', parameters: { af: 'pan=stereo|FL=FL|FR=FR' } },
  { input: 'sound.wav', output: 'same.wav', parameters: { ar: '48000' } },
  { input: 'mono.mp3', output: 'from-mp3.wav' },
  { input: 'film.mp4', output: 'from-film.wav' },
];
