import { H264, type MediaCause } from './media-cause.ts';

/** Codecs that the container does not hold, and what keeps their meaning. */
export const CONTAINER_CAUSES: readonly MediaCause[] = [
  {
    title: 'lossless sound in M4A',
    request: { input: 'short.wav', output: 'lossless.m4a', parameters: { 'c:a': 'flac' } },
    message: 'The format ipod (.m4a) cannot hold flac.',
    fix: 'Leave "c:a" out, or send an output that ends in .mkv, which holds nearly every codec. Without a codec, the streams are encoded for the format.',
    followed: { parameters: { 'c:a': 'alac' } },
    seconds: 1.4,
  },
  {
    title: 'a copy of PCM in M4A',
    request: { input: 'short.wav', output: 'copied.m4a', parameters: { c: 'copy' } },
    message: 'The format ipod cannot hold a copy of pcm_s16le.',
    fix: 'Leave "copy" out, so that the streams are encoded, or send an output that ends with ".mkv".',
    followed: { parameters: { c: 'copy', 'c:a': 'alac' } },
    seconds: 1.4,
  },
  {
    title: 'ProRes in MP4',
    request: { input: 'silent.mp4', output: 'master.mp4', parameters: { 'c:v': 'prores_ks', t: '1' } },
    message: 'The format mp4 cannot hold prores.',
    fix: 'Leave "c:v" out, or send an output that ends in .mkv, which holds nearly every codec. Without a codec, the streams are encoded for the format.',
    followed: { output: 'master.mov' },
    seconds: 1,
  },
  {
    title: 'HuffYUV in FLV',
    request: { input: 'silent.mp4', output: 'master.flv', parameters: { 'c:v': 'huffyuv', t: '1' } },
    message: 'The format flv cannot hold huffyuv.',
    fix: 'Leave "c:v" out, or send an output that ends in .mkv, which holds nearly every codec. Without a codec, the streams are encoded for the format.',
    followed: { output: 'master.mov' },
    seconds: 1,
  },
  {
    title: 'Opus in M4A',
    request: { input: 'short.wav', output: 'opus.m4a', parameters: { 'c:a': 'libopus' } },
    message: 'The format ipod (.m4a) cannot hold opus.',
    fix: 'Leave "c:a" out, or send an output that ends in .mkv, which holds nearly every codec. Without a codec, the streams are encoded for the format.',
    followed: { output: 'opus.mp4' },
    seconds: 1.4,
  },
  {
    title: 'Theora in FLV',
    request: { input: 'silent.mp4', output: 'web.flv', parameters: { 'c:v': 'libtheora', t: '1' } },
    message: 'The format flv cannot hold theora.',
    fix: 'Leave "c:v" out, or send an output that ends in .mkv, which holds nearly every codec. Without a codec, the streams are encoded for the format.',
    followed: { parameters: { ...H264, t: '1' } },
    seconds: 1,
  },
  {
    title: 'an animated PNG',
    request: { input: 'silent.mp4', output: 'moving.png', parameters: { 'c:v': 'apng', t: '0.4' } },
    warning: 'LAST_FRAME',
    message: 'The output is one image: of all frames of the input, only the last is kept.',
    fix: 'Send "frames:v": "1" for the first frame, with "ss" for a later one. For all frames, send an output with a counter: "an-animated-PNG/moving_%03d.png".',
    followed: { format: 'apng' },
    size: '320x180',
  },
];
