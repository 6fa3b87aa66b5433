import type { BrokenRequest } from './broken-request.ts';

/** Encoders, and what they reject. */
export const ENCODER_ROWS: readonly BrokenRequest[] = [
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'baseline', vf: 'format=yuv444p' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The profile of the encoder does not allow the pixel format, the bit depth or the lossless mode of the video.',
    right: { parameters: { 'c:v': 'libx264', 'profile:v': 'baseline', pix_fmt: 'yuv420p' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'main', vf: 'format=yuv422p' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The profile of the encoder does not allow the pixel format, the bit depth or the lossless mode of the video.',
    right: { parameters: { 'c:v': 'libx264', 'profile:v': 'main', pix_fmt: 'yuv420p' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx265', 'profile:v': 'main', vf: 'format=yuv420p10le' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The profile of the encoder does not allow the pixel format, the bit depth or the lossless mode of the video.',
    right: { parameters: { 'c:v': 'libx265', 'profile:v': 'main10', vf: 'format=yuv420p10le' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.avi', parameters: { 'c:v': 'h261' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): The specified picture size of 854x480 is not valid for the H.261 codec.',
    right: { parameters: { 'c:v': 'h261', s: '352x288' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { 'c:v': 'mpeg1video', r: '13' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): MPEG-1/2 does not support 12/1 fps.',
    right: { parameters: { 'c:v': 'mpeg1video', r: '25' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mov', parameters: { 'c:v': 'dnxhd' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): video parameters incompatible with DNxHD.',
    right: { parameters: { 'c:v': 'dnxhd', 'profile:v': 'dnxhr_hq', pix_fmt: 'yuv422p' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'vc2', s: '3x3' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): Slice size is bigger than the image!.',
    right: { parameters: { 'c:v': 'vc2', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { 'c:a': 'libvorbis', 'b:a': '1k', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels).',
    right: { parameters: { 'c:a': 'libvorbis', 'q:a': '4', vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp2', parameters: { 'c:a': 'mp2', 'b:a': '333k', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): bitrate 333 is not allowed in mp2.',
    right: { parameters: { 'c:a': 'mp2', 'b:a': '192k', vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', 'b:v': '1' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): bitrate not specified.',
    right: { parameters: { 'c:v': 'libx264', 'b:v': '1M' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx264', 'x264-params': 'crf=23', pass: '2' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    right: { parameters: { 'c:v': 'libx264', 'b:v': '1M', pass: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'libsvtav1', preset: '13', s: '32x32' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels).',
    right: { parameters: { 'c:v': 'libsvtav1', s: '64x64' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.webp', parameters: { 'c:v': 'libwebp', s: '17000x10' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg failed: Picture size is too large. Max is 16383x16383.',
    right: { parameters: { 'c:v': 'libwebp', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.gif', parameters: { 'c:v': 'gif', s: '70000x2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The video cannot be scaled to the requested size: the size is too large, or not positive.',
    right: { parameters: { 'c:v': 'gif', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { bufsize: '1', maxrate: '1', 'c:v': 'mpeg2video' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): bitrate above max bitrate.',
    right: { parameters: { 'c:v': 'mpeg2video', 'b:v': '2M', maxrate: '3M', bufsize: '4M' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'mpeg4', s: '99999x2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The video cannot be scaled to the requested size: the size is too large, or not positive.',
    right: { parameters: { 'c:v': 'mpeg4', s: '320x240' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { aspect: '0:1' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: Invalid aspect ratio: 0:1.',
    right: { parameters: { aspect: '16:9' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx265', preset: 'ultrafast', 'profile:v': 'main10', vf: 'format=yuv422p' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The profile of the encoder does not allow the pixel format, the bit depth or the lossless mode of the video.',
    right: { parameters: { 'c:v': 'libx265', preset: 'ultrafast', 'profile:v': 'main422-10', vf: 'format=yuv422p' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'scale=500:-1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not take the frame size: height not divisible by 2 (500x281).',
    right: { parameters: { vf: 'scale=500:-2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx265', vf: 'scale=501:-2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder libx265 needs an even width and height.',
    right: { parameters: { 'c:v': 'libx265', vf: 'scale=-2:500' } },
  },
  {
    request: { input: 'odd.png', output: 'x.avi', parameters: { 'c:v': 'wmv2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not take the frame size: width must be multiple of 2.',
    right: { parameters: { 'c:v': 'wmv2', vf: 'scale=trunc(iw/2)*2:trunc(ih/2)*2' } },
  },
  {
    request: { input: 'odd.png', output: 'x.mov', parameters: { 'c:v': 'v210' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not take the frame size: v210 needs even width.',
    right: { parameters: { 'c:v': 'v210', vf: 'scale=trunc(iw/2)*2:trunc(ih/2)*2' } },
  },
  {
    request: { input: 'odd.png', output: 'x.mkv', parameters: { 'c:v': 'cinepak' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not take the frame size: width and height must be multiples of four (got 321x181).',
    right: { parameters: { 'c:v': 'cinepak', vf: 'scale=trunc(iw/4)*4:trunc(ih/4)*4' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.rm', parameters: {} },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not take the frame size: width and height must be a multiple of 16.',
    right: { parameters: { vf: 'scale=trunc(iw/16)*16:trunc(ih/16)*16' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'mpeg1video', s: '4100x100' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): MPEG-1 video does not support resolutions above 4095x4095.',
    right: { parameters: { 'c:v': 'mpeg1video', s: '320x240', r: '25' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'c:v': 'cfhd', s: '18x18' } },
    code: 'FFMPEG_FAILED',
    cause: 'Height must be >= 32',
    right: { parameters: { s: '18x18' } },
  },
  {
    request: { input: 'side.ac3', output: 'x.opus', parameters: {} },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not take the channels of the audio: 5.1(side) for specified mapping family -1.',
    right: { parameters: { af: 'aformat=channel_layouts=7.1|5.1|stereo|mono' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.wma', parameters: {} },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder supports 2 channels, and the audio has 6.',
    right: { parameters: { ac: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { ac: '99' } },
    code: 'FFMPEG_FAILED',
    cause: 'A filter cannot use its input with these options.',
    right: { parameters: { ac: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { 'b:a': '1', vn: '' } },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels).',
    right: { parameters: { 'b:a': '128k', vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', qp: '0', 'profile:v': 'main' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The profile of the encoder does not allow the pixel format, the bit depth or the lossless mode of the video.',
    right: { parameters: { 'c:v': 'libx264', qp: '0' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'c:v': 'libx265', 'x265-params': 'crf=20', pass: '2' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Two passes need a bit rate',
    right: { parameters: { 'c:v': 'libx265', 'b:v': '1M', pass: '2' } },
  },
];
