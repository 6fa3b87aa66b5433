import { graph, H264, type MediaCause } from './media-cause.ts';

/** Filters that do not fit the streams of the inputs. */
export const FILTER_CAUSES: readonly MediaCause[] = [
  {
    title: 'a mix with a silent film',
    request: {
      inputs: ['silent.mp4', 'music.ogg'],
      output: 'mix.mp4',
      parameters: { ...graph('[0:a][1:a]amix=inputs=2:duration=shortest[a]', ['0:v', '[a]']), 'c:v': 'copy' },
    },
    message: 'The filtergraph uses [0:a]: "silent.mp4" has no audio, only video.',
    fix: 'Leave "0:a" out, or send a file that has it.',
    followed: { parameters: { map: ['0:v', '1:a'], 'c:v': 'copy' } },
    seconds: 4,
  },
  {
    title: 'parts of which one is silent',
    request: {
      inputs: ['talk.mp4', 'silent.mp4'],
      output: 'joined.mp4',
      parameters: graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', ['[v]', '[a]']),
    },
    message: 'The filtergraph uses [1:a]: "silent.mp4" has no audio, only video.',
    fix: 'Leave "1:a" out, or send a file that has it.',
    followed: {
      parameters: graph(
        'anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=3[silence1];[0:v][0:a][1:v][silence1]concat=n=2:v=1:a=1[v][a]',
        ['[v]', '[a]'],
      ),
    },
    seconds: 7,
  },
  {
    title: 'pictures side by side of two heights and two frame rates',
    request: {
      inputs: ['talk.mp4', 'tall.mp4'],
      output: 'side.mp4',
      parameters: graph('[0:v][1:v]hstack=inputs=2[v]', '[v]'),
    },
    message:
      'The filter hstack needs inputs of the same frame size, frame rate and time base: Input 1 height 240 does not match input 0 height 180.',
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: { parameters: graph('[1:v]fps=25,scale=-2:180[scaled1];[0:v][scaled1]hstack=inputs=2[v]', '[v]') },
    size: '560x180',
  },
  {
    title: 'a crop that is too wide for a rotated film',
    request: { input: 'phone.mov', output: 'crop.mp4', parameters: { ...H264, vf: 'crop=300:100:10:20' } },
    message: 'The filter crop takes 300x100 at 10,20, which is partly outside the frame of 180x320.',
    fix: 'Send a place inside 180x320, or scale the video first.',
    followed: { parameters: { ...H264, vf: 'crop=100:300:20:10' } },
    size: '100x300',
  },
  {
    title: 'a crop with its place before its size',
    request: { input: 'tall.mp4', output: 'crop-order.mp4', parameters: { ...H264, vf: 'crop=0:20:160:120' } },
    message:
      "The filter crop cannot use its input with these options: Invalid too big or non positive size for width '0' or height '20'.",
    fix: 'Correct the options of crop for this input, or leave the filter out.',
    followed: { parameters: { ...H264, vf: 'crop=160:120:0:20' } },
    size: '160x120',
  },
  {
    title: 'the size of an upright output, from the middle of a wide film',
    request: {
      input: 'tall.mp4',
      output: 'upright.mp4',
      parameters: { ...H264, vf: 'crop=180:320:(iw-180)/2:0,setsar=1' },
    },
    message:
      "The filter crop cannot use its input with these options: Invalid too big or non positive size for width '180' or height '320'.",
    fix: 'Correct the options of crop for this input, or leave the filter out.',
    followed: {
      parameters: {
        ...H264,
        vf: 'scale=180:320:force_original_aspect_ratio=increase,crop=180:320:(iw-180)/2:0,setsar=sar=1',
      },
    },
    size: '180x320',
  },
  {
    title: 'a pad that is smaller than the picture',
    request: { input: 'tall.mp4', output: 'pad.mp4', parameters: { ...H264, vf: 'pad=160:90:(ow-iw)/2:(oh-ih)/2' } },
    message:
      'The filter pad cannot use its input with these options: Padded dimensions cannot be smaller than input dimensions.',
    fix: 'Correct the options of pad for this input, or leave the filter out.',
    followed: {
      parameters: { ...H264, vf: 'scale=160:90:force_original_aspect_ratio=decrease,pad=160:90:(ow-iw)/2:(oh-ih)/2' },
    },
    size: '160x90',
  },
  {
    title: 'a photo as a palette',
    request: {
      inputs: ['tall.mp4', 'photo.jpg'],
      output: 'photo.gif',
      parameters: { filter_complex: '[0:v]fps=5[x];[x][1:v]paletteuse', t: '1' },
    },
    message:
      'The filter paletteuse cannot use its input with these options: Palette input must contain exactly 256 pixels. Specified input has 320x240=76800 pixels.',
    fix: 'Correct the options of paletteuse for this input, or leave the filter out.',
    followed: {
      parameters: {
        filter_complex: '[0:v]fps=fps=5[x];[x]split[pal_a][pal_b];[pal_a]palettegen[pal];[pal_b][pal]paletteuse',
        t: '1',
      },
    },
    size: '320x240',
  },
  {
    title: 'tone mapping of a film that does not name its colours',
    request: {
      input: 'clip.avi',
      output: 'tone.mp4',
      parameters: {
        ...H264,
        vf: 'zscale=t=linear:npl=100,format=gbrpf32le,tonemap=hable,zscale=t=bt709,format=yuv420p',
      },
    },
    message: 'The filter zscale must know the colours of the input, and the file does not say them all.',
    fix: 'Name them first: "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,zscale=t=linear" (HDR: bt2020, smpte2084, bt2020nc).',
    followed: { parameters: { ...H264, vf: 'format=yuv420p' } },
    seconds: 2,
  },
  ...(
    [
      ['amix', '[0:a][1:a]amix=inputs=3:duration=first[o]', '[0:a][1:a]amix=duration=first:inputs=2[o]'],
      ['hstack', '[0:v][1:v]hstack=inputs=3[o]', '[0:v][1:v]hstack=inputs=2[o]'],
      ['concat', '[0:v][1:v]concat=n=3:v=1[o]', '[0:v][1:v]concat=v=1:n=2[o]'],
    ] as const
  ).map(
    ([name, filter_complex, right]): MediaCause => ({
      title: `${name} with a label too few`,
      request: {
        inputs: ['talk.mp4', 'talk.mp4'],
        output: `counted-${name}.mkv`,
        parameters: { filter_complex, map: '[o]' },
      },
      message: `The filter ${name} has an input without a label, and no stream is left for it.`,
      fix: /lower its "inputs" or "n" to the number of labels/,
      followed: { parameters: { filter_complex: right, map: '[o]' } },
    }),
  ),
  {
    title: 'a picture outside of the film',
    request: {
      inputs: ['silent.mp4', 'photo.jpg'],
      output: 'outside.mp4',
      parameters: graph('[1:v]scale=40:-1[l];[0:v][l]overlay=1000:10[v]', '[v]'),
    },
    warning: 'NO_EFFECT',
    message: 'The filter overlay starts at 1000,10, which is outside the frame of 320x180.',
    fix: 'Send a place inside 320x180, or scale the video first.',
    followed: { parameters: graph('[1:v]scale=40:-1[l];[0:v][l]overlay=270:10[v]', '[v]') },
  },
];
