import type { BrokenRequest } from './broken-request.ts';

/** Options of video filters. */
export const VIDEO_FILTER_ROWS: readonly BrokenRequest[] = [
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=5000:5000' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop cannot cut 5000x5000 out of the video, which is 854x480.',
    right: { parameters: { vf: 'crop=iw/2:ih/2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'pad=100:100' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pad cannot make the video smaller: it is 854x480, and the padded size is 100x100.',
    right: {
      parameters: { vf: 'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2' },
    },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'scale=w=ih*:h=1' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression is incomplete: a number or a name is missing.',
    right: { parameters: { vf: 'scale=w=ih*2:h=2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=iw+10:ih' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop cannot cut 864x480 out of the video, which is 854x480.',
    right: { parameters: { vf: 'crop=iw/2:ih/2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setpts=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { vf: 'setpts=PTS*2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'geq=lum=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression has a name that ffmpeg does not know here: "foo".',
    right: { parameters: { vf: 'geq=lum=255-lum(X\\,Y)' } },
  },
  {
    request: { inputs: ['movie.mp4', 'movie2.mp4'], output: 'x.mp4', parameters: { vf: 'subtitles=movie2.mp4' } },
    code: 'INPUT_INVALID',
    cause: 'The file "movie2.mp4" has no subtitles.',
    right: { inputs: ['movie.mp4', 'subs.srt'], parameters: { vf: 'subtitles=subs.srt' } },
  },
  {
    request: { inputs: ['movie.mp4', 'text.txt'], output: 'x.mp4', parameters: { vf: 'lut3d=text.txt' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter cannot read a file with the extension ".txt".',
    right: { inputs: ['movie.mp4', 'good.cube'], parameters: { vf: 'lut3d=good.cube' } },
  },
  {
    request: { inputs: ['movie.mp4', 'bad.cube'], output: 'x.mp4', parameters: { vf: 'lut3d=bad.cube' } },
    code: 'INPUT_INVALID',
    cause: 'The file for the filter lut3d contains no colour table.',
    right: { inputs: ['movie.mp4', 'good.cube'], parameters: { vf: 'lut3d=good.cube' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mp4', parameters: { vf: 'ass=subs.srt' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter ass cannot read "subs.srt": it reads only .ass and .ssa files.',
    right: { parameters: { vf: 'subtitles=subs.srt' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'curves=r=0/0 2/1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter curves has the point 2.000000/1.000000; x and y are from 0 to 1.',
    right: { parameters: { vf: 'curves=all=0/0 0.5/0.6 1/1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'curves=r=0/0 0.5/0.2 0.3/1' } },
    code: 'FFMPEG_FAILED',
    cause: 'x must rise from point to point.',
    right: { parameters: { vf: 'curves=all=0/0 0.5/0.6 1/1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'unsharp=4:4' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter unsharp needs odd sizes; the luma size is 4x4.',
    right: { parameters: { vf: 'unsharp=5:5:1.0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'boxblur=500' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter boxblur cannot use the luma radius 500 at this frame size: below 240 is allowed.',
    right: { parameters: { vf: 'boxblur=10' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'delogo=x=800:y=10:w=100:h=100' } },
    code: 'FFMPEG_FAILED',
    cause: 'The area of the filter delogo is not',
    right: { parameters: { vf: 'delogo=x=10:y=10:w=100:h=50' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setsar=0/0' } },
    code: 'FFMPEG_FAILED',
    cause: '"0/0" is not an aspect ratio.',
    right: { parameters: { vf: 'setsar=1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setdar=-1' } },
    code: 'FFMPEG_FAILED',
    cause: '"-1" is not an aspect ratio.',
    right: { parameters: { vf: 'setdar=16/9' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'select=gt(scene)' } },
    code: 'FFMPEG_FAILED',
    cause: 'The expression "gt(scene)" is incomplete, or a function in it has too few arguments.',
    right: { parameters: { vf: 'select=gte(scene\\,0)' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'colorspace=all=bt709' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter colorspace must know the colours',
    right: { parameters: { vf: 'colorspace=iall=bt709:all=bt709' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'zscale=t=linear' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter zscale must know the colours',
    right: { parameters: { vf: 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,zscale=t=linear' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'convolution=0m=1 2' } },
    code: 'FFMPEG_FAILED',
    cause: 'A matrix of the filter convolution has an even number of values.',
    right: { parameters: { vf: 'convolution=0m=0 -1 0 -1 5 -1 0 -1 0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setpts=PTS*' } },
    code: 'FFMPEG_FAILED',
    cause: 'An expression is incomplete: a number or a name is missing.',
    right: { parameters: { vf: 'setpts=PTS*2' } },
  },
];
