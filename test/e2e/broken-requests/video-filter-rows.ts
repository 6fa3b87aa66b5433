import type { BrokenRequest } from './broken-request.ts';

/** Options of video filters. */
export const VIDEO_FILTER_ROWS: readonly BrokenRequest[] = [
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=5000:5000' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop takes 5000x5000 at 0,0, which is partly outside the frame of 854x480.',
    right: { parameters: { vf: 'crop=iw/2:ih/2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'pad=100:100' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter pad cannot use its input with these options: Padded dimensions cannot be smaller than input dimensions.',
    right: {
      parameters: { vf: 'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2' },
    },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'scale=w=ih*:h=1' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Undefined constant or missing '(' in ''.",
    right: { parameters: { vf: 'scale=w=ih*2:h=2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'crop=iw+10:ih' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter crop takes 864x480 at 0,0, which is partly outside the frame of 854x480.',
    right: { parameters: { vf: 'crop=iw/2:ih/2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setpts=foo' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Undefined constant or missing '(' in 'foo'.",
    right: { parameters: { vf: 'setpts=PTS*2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'geq=lum=foo' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Undefined constant or missing '(' in 'foo'.",
    right: { parameters: { vf: 'geq=lum=255-lum(X\\,Y)' } },
  },
  {
    request: { inputs: ['movie.mp4', 'movie2.mp4'], output: 'x.mp4', parameters: { vf: 'subtitles=movie2.mp4' } },
    code: 'INPUT_INVALID',
    cause: 'The file "movie2.mp4" has no subtitles, or fewer subtitle streams than "si" names: it counts them from 0.',
    right: { inputs: ['movie.mp4', 'subs.srt'], parameters: { vf: 'subtitles=subs.srt' } },
  },
  {
    request: { inputs: ['movie.mp4', 'text.txt'], output: 'x.mp4', parameters: { vf: 'lut3d=text.txt' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter lut3d rejected its options.',
    right: { inputs: ['movie.mp4', 'good.cube'], parameters: { vf: 'lut3d=good.cube' } },
  },
  {
    request: { inputs: ['movie.mp4', 'bad.cube'], output: 'x.mp4', parameters: { vf: 'lut3d=bad.cube' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter lut3d rejected its options.',
    right: { inputs: ['movie.mp4', 'good.cube'], parameters: { vf: 'lut3d=good.cube' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mp4', parameters: { vf: 'ass=subs.srt' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: Could not create a libass track when reading file "subs.srt".',
    right: { parameters: { vf: 'subtitles=subs.srt' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'curves=r=0/0 2/1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter curves cannot use its input with these options.',
    right: { parameters: { vf: 'curves=all=0/0 0.5/0.6 1/1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'curves=r=0/0 0.5/0.2 0.3/1' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter curves cannot use its input with these options.',
    right: { parameters: { vf: 'curves=all=0/0 0.5/0.6 1/1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'unsharp=4:4' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter unsharp cannot use its input with these options: Invalid even size for luma matrix size 4x4.',
    right: { parameters: { vf: 'unsharp=5:5:1.0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'boxblur=500' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter boxblur cannot use its input with these options: Invalid luma_param radius value 500, must be >= 0 and <= 240.',
    right: { parameters: { vf: 'boxblur=10' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'delogo=x=800:y=10:w=100:h=100' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter delogo takes 100x100 at 800,10, which is partly outside the frame of 854x480.',
    right: { parameters: { vf: 'delogo=x=10:y=10:w=100:h=50' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setsar=0/0' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter setsar cannot use its input with these options.',
    right: { parameters: { vf: 'setsar=1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setdar=-1' } },
    code: 'FFMPEG_FAILED',
    cause: "The filter setdar cannot use its input with these options: Invalid string '-1' for aspect ratio.",
    right: { parameters: { vf: 'setdar=16/9' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'select=gt(scene)' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Error while parsing expression 'gt(scene)'.",
    right: { parameters: { vf: 'select=gte(scene\\,0)' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'colorspace=all=bt709' } },
    code: 'FFMPEG_FAILED',
    cause: 'A filter cannot use its input with these options: Unsupported input primaries 2 (unknown).',
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
    cause: 'The filter convolution cannot use its input with these options: number of matrix elements must be odd.',
    right: { parameters: { vf: 'convolution=0m=0 -1 0 -1 5 -1 0 -1 0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { vf: 'setpts=PTS*' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Undefined constant or missing '(' in ''.",
    right: { parameters: { vf: 'setpts=PTS*2' } },
  },
];
