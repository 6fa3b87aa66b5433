import { expect, test } from 'vitest';
import { readSampleBits } from './stream-line.ts';

test.each([
  ['  Stream #0:0: Audio: pcm_s24le ([1][0][0][0] / 0x0001), 96000 Hz, mono, s32 (24 bit), 2304 kb/s', 24, false],
  ['  Stream #0:0: Audio: flac, 96000 Hz, mono, s32 (24 bit)', 24, false],
  ['  Stream #0:0: Audio: flac, 44100 Hz, stereo, s16', 16, false],
  [
    '  Stream #0:0[0x1](und): Audio: alac (alac / 0x63616C61), 96000 Hz, mono, s32p (24 bit), 1265 kb/s (default)',
    24,
    false,
  ],
  ['  Stream #0:0: Audio: wavpack, 96000 Hz, mono, s32p', 32, false],
  ['  Stream #0:0: Audio: pcm_f32le ([3][0][0][0] / 0x0003), 96000 Hz, mono, flt, 3072 kb/s', 32, true],
])('reads the bits of %s', (line, bits, isFloat) => {
  expect(readSampleBits(line)).toEqual({ bits, isFloat });
});

test.each([
  '  Stream #0:1(und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, stereo, fltp, 69 kb/s',
  '  Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp, 128 kb/s',
  '  Stream #0:0: Audio: pcm_alaw, 8000 Hz, mono, s16, 64 kb/s',
  '  Stream #0:0: Video: h264 (High), yuv420p, 1280x720, 25 fps',
])('%s has no samples that are kept', (line) => {
  expect(readSampleBits(line)).toBeUndefined();
});
