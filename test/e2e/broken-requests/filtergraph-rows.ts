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
      'The filter concat needs inputs of the same frame size, frame rate and time base: Input link in0:v0 parameters (size 320x240, SAR 1:1) do not match the corresponding output link in0:v0 parameters (854x480, SAR 1:1).',
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
      'The filter hstack needs inputs of the same frame size, frame rate and time base: Input 1 height 240 does not match input 0 height 480.',
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
      'The filter vstack needs inputs of the same frame size, frame rate and time base: Input 1 width 320 does not match input 0 width 854.',
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
      'The filter xfade needs inputs of the same frame size, frame rate and time base: First input link main parameters (size 854x480) do not match the corresponding second input link xfade parameters (size 320x240).',
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
    cause: 'The filtergraph uses [1:a]: "small.mp4" has no audio, only video.',
    right: { inputs: ['movie.mp4', 'movie2.mp4'] },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', map: ['[v]', '[a]'] },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [1:a]: "small.mp4" has no audio, only video.',
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
      'The filter blend needs inputs of the same frame size, frame rate and time base: First input link top parameters (size 854x480) do not match the corresponding second input link bottom parameters (size 320x240).',
    right: { parameters: { filter_complex: '[1:v]scale=854:480,setsar=1[b];[0:v][b]blend[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]psnr[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter psnr needs inputs of the same frame size, frame rate and time base: Width and height of input videos must be same.',
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
      'The filter alphamerge needs inputs of the same frame size, frame rate and time base: Input frame sizes do not match (854x480 vs 320x240).',
    right: { parameters: { filter_complex: '[1:v]scale=854:480,setsar=1[b];[0:v][b]alphamerge[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v:3][1:v]overlay[v]', map: '[v]' },
    },
    code: 'INPUT_INVALID',
    cause: 'The filtergraph uses [0:v:3]: "movie.mp4" has 1 video stream, and they count from 0.',
    right: { parameters: { filter_complex: '[0:v:0][1:v]overlay[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'movie2.mp4'],
      output: 'x.m4a',
      parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder does not take the channels of the audio: "12 channels (FL+FR+FC+LFE+BL+BR+FLC+FRC+BC+SL+SR+TC)".',
    right: { parameters: { filter_complex: '[0:a][1:a]amerge[a]', map: '[a]', ac: '2' } },
  },
  {
    request: {
      inputs: ['song.mp3', 'song.mp3'],
      output: 'x.mp3',
      parameters: { filter_complex: '[0][1]concat=n=2[a]', map: '[a]' },
    },
    code: 'INPUT_INVALID',
    cause:
      'A label of the filtergraph names a stream that its input does not have, or that the filter cannot take ("").',
    right: { parameters: { filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1[a]', map: '[a]' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { filter_complex: '[0:0]showwaves[v]', map: '[v]' } },
    code: 'INPUT_INVALID',
    cause:
      'A label of the filtergraph names a stream that its input does not have, or that the filter cannot take ("0").',
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
      'The filter xfade needs inputs of the same frame size, frame rate and time base: First input link main timebase (1/12288) do not match the corresponding second input link xfade timebase (1/10).',
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
    cause:
      'The filter paletteuse cannot use its input with these options: Palette input must contain exactly 256 pixels. Specified input has 854x480=409920 pixels.',
    right: { parameters: { filter_complex: '[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse[v]', map: '[v]' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'x.mp4',
      parameters: { filter_complex: '[0:v][1:v]haldclut[v]', map: '[v]' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'The filter haldclut cannot use its input with these options',
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
