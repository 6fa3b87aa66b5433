import type { BrokenRequest } from './broken-request.ts';

/** Filters of several inputs. */
export const FILTERGRAPH_ROWS: readonly BrokenRequest[] = [
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]concat=n=2:v=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter concat needs videos of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: {
      parameters: {
        filter_complex:
          '[0:v]scale=854:480,setsar=1,fps=25[a];[1:v]scale=854:480,setsar=1,fps=25[b];[a][b]concat=n=2:v=1[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]hstack[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'Videos side by side need the same height: input 1 of hstack has 240, and input 0 has 480. Their frame rates differ too: 10 and 24 per second.',
    right: { parameters: { filter_complex: '[0:v]fps=25[a];[1:v]scale=-2:480,fps=25[b];[a][b]hstack[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]vstack[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'Videos above each other need the same width: input 1 of vstack has 320, and input 0 has 854. Their frame rates differ too: 10 and 24 per second.',
    right: { parameters: { filter_complex: '[0:v]fps=25[a];[1:v]scale=854:-2,fps=25[b];[a][b]vstack[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]xfade=duration=1:offset=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter xfade needs videos of the same size, frame rate and timebase: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: {
      parameters: {
        filter_complex:
          '[0:v]fps=25,settb=AVTB[a];[1:v]scale=854:480,setsar=1,fps=25,settb=AVTB[b];[a][b]xfade=duration=1:offset=1[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.m4a',
      parameters: { filter_complex: '[0:a][1:a]amix[a]', map: '[a]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a], but "small.mp4" has no audio, only video.',
    right: { inputs: ['movie.mp4', 'movie2.mp4'] },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', map: ['[v]', '[a]'] },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a], but "small.mp4" has no audio, only video.',
    right: { inputs: ['movie.mp4', 'movie2.mp4'] },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]blend[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter blend needs videos of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: { parameters: { filter_complex: '[1:v]scale=854:480,setsar=1[b];[0:v][b]blend[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]psnr[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter psnr needs videos of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: { parameters: { filter_complex: '[1:v]scale=854:480[b];[0:v][b]psnr[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]maskedmerge[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter maskedmerge has an input without a label, and no stream is left for it.',
    right: {
      inputs: ['movie.mp4', 'movie2.mp4', 'movie2.mp4'],
      parameters: { filter_complex: '[0:v][1:v][2:v]maskedmerge[v]', map: '[v]' },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]alphamerge[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter alphamerge needs videos of the same size: [0:v] 854x480 24 fps yuv420p, [1:v] 320x240 10 fps yuv420p.',
    right: { parameters: { filter_complex: '[1:v]scale=854:480,setsar=1[b];[0:v][b]alphamerge[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v:3][1:v]overlay[v]', map: '[v]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [0:v:3], but "movie.mp4" has 1 video stream, and they count from 0.',
    right: { parameters: { filter_complex: '[0:v:0][1:v]overlay[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.m4a',
      parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The encoder does not support the channel layout',
    right: { parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]', ac: '2' } },
  },
  {
    request: {
      inputs: ['song.mp3', 'song.mp3'],
      output: 'x.mp3',
      parameters: { filter_complex: '[0][1]concat=n=2[a]', map: '[a]' },
    },
    code: 'INPUT_INVALID',
    cause: 'concat takes video, unless it has "v=0".',
    right: { parameters: { filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1[a]', map: '[a]' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { filter_complex: '[0:0]showwaves[v]', map: '[v]' } },
    code: 'INPUT_INVALID',
    cause: '[0:0] is the video of "movie.mp4", and the filter showwaves takes audio.',
    right: { parameters: { filter_complex: '[0:a]showwaves[v]', map: '[v]', t: '2' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[1:v]fps=10[b];[0:v][b]xfade=duration=1:offset=1[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter xfade needs videos of the same size, frame rate and timebase: [0:v] 854x480 24 fps yuv420p, [b] 854x480 yuv420p',
    right: {
      parameters: {
        filter_complex: '[0:v]fps=25,settb=AVTB[a];[1:v]fps=25,settb=AVTB[b];[a][b]xfade=duration=1:offset=1[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.gif',
      parameters: { filter_complex: '[0:v][1:v]paletteuse[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The second input of the filter paletteuse',
    right: { parameters: { filter_complex: '[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]haldclut[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The second input of the filter haldclut is not a Hald CLUT',
    right: { inputs: ['movie.mp4', 'clut.png'] },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]xstack=inputs=2:layout=0_0|w5_0[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter xstack cannot use its input with these options.',
    right: {
      parameters: {
        filter_complex: '[0:v]fps=25[a];[1:v]fps=25[b];[a][b]xstack=inputs=2:layout=0_0|w0_0[v]',
        map: '[v]',
      },
    },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'filter:v:0': 'scale=10:10', filter_complex: '[0:v]hflip[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Filters of "vf" or "af" cannot be applied to an output of "filter_complex".',
    right: { parameters: { filter_complex: '[0:v]hflip,scale=10:10[v]', map: '[v]' } },
  },
];
