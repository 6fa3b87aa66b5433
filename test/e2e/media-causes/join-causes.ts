import { graph, type MediaCause } from './media-cause.ts';

const SCALED =
  '[1:v]scale=320:180:force_original_aspect_ratio=decrease,pad=320:180:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=25,settb=AVTB[part1]';
const LIKE = '[0:v]setsar=1,fps=25,settb=AVTB[part0]';

/** Pictures of different sizes, frame rates and timebases in one filter. */
export const JOIN_CAUSES: readonly MediaCause[] = [
  {
    title: 'a crossfade of two sizes and frame rates',
    request: {
      inputs: ['talk.mp4', 'tall.mp4'],
      output: 'fade.mp4',
      parameters: graph('[0:v][1:v]xfade=duration=1:offset=2[v]', '[v]'),
    },
    message:
      'The filter xfade needs inputs of the same frame size, frame rate and time base: First input link main parameters (size 320x180) do not match the corresponding second input link xfade parameters (size 320x240).',
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: {
      parameters: graph(`${LIKE};${SCALED};[part0][part1]xfade=duration=1:offset=2,format=pix_fmts=yuv420p[v]`, '[v]'),
    },
    seconds: 6,
    size: '320x180',
    pixelFormat: 'yuv420p',
  },
  {
    title: 'a crossfade with a film that was only scaled',
    request: {
      inputs: ['talk.mp4', 'tall.mp4'],
      output: 'fade.mp4',
      parameters: graph('[1:v]scale=320:180,setsar=1[b];[0:v][b]xfade=duration=1:offset=2[v]', '[v]'),
    },
    message:
      'The filter xfade needs inputs of the same frame size, frame rate and time base: First input link main timebase (1/12800) do not match the corresponding second input link xfade timebase (1/24000).',
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: {
      parameters: graph(
        '[1:v]scale=w=320:h=180,setsar=sar=1[b];[0:v]setsar=1,fps=25,settb=AVTB[part0];[b]scale=320:180,setsar=1,fps=25,settb=AVTB[part1];[part0][part1]xfade=duration=1:offset=2,format=pix_fmts=yuv420p[v]',
        '[v]',
      ),
    },
    seconds: 6,
    pixelFormat: 'yuv420p',
  },
  {
    title: 'a crossfade from a film to a picture',
    request: {
      inputs: ['talk.mp4', 'photo.jpg'],
      output: 'fade.mp4',
      parameters: graph('[0:v][1:v]xfade=duration=1:offset=2[v]', '[v]'),
    },
    message:
      'The filter xfade needs inputs of the same frame size, frame rate and time base: First input link main parameters (size 320x180) do not match the corresponding second input link xfade parameters (size 320x240).',
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: {
      parameters: graph(
        `${LIKE};[1:v]loop=loop=-1:size=1,fps=25,trim=duration=5,scale=320:180:force_original_aspect_ratio=decrease,pad=320:180:(ow-iw)/2:(oh-ih)/2,setsar=1,settb=AVTB[part1];[part0][part1]xfade=duration=1:offset=2,format=pix_fmts=yuv420p[v]`,
        '[v]',
      ),
    },
    seconds: 7,
    pixelFormat: 'yuv420p',
  },
  {
    title: 'films of two sizes one after the other, with their sound',
    request: {
      inputs: ['talk.mp4', 'other.mp4'],
      output: 'joined.mp4',
      parameters: graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', ['[v]', '[a]']),
    },
    message:
      'The filter concat needs inputs of the same frame size, frame rate and time base: Input link in0:v0 parameters (size 640x360, SAR 1:1) do not match the corresponding output link in0:v0 parameters (320x180, SAR 1:1).',
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: {
      parameters: graph(
        '[0:v]setsar=1,fps=25,format=yuv420p[part0];[1:v]scale=320:180,setsar=1,fps=25,format=yuv420p[part1];[part0][0:a][part1][1:a]concat=n=2:v=1:a=1[v][a]',
        ['[v]', '[a]'],
      ),
    },
    seconds: 6,
    size: '320x180',
    pixelFormat: 'yuv420p',
  },
  {
    title: 'films whose pixels have nearly the same shape',
    request: {
      inputs: ['talk.mp4', 'nearly.mp4'],
      output: 'joined.mp4',
      parameters: graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', ['[v]', '[a]']),
    },
    message:
      'The filter concat needs inputs of the same frame size, frame rate and time base: Input link in0:v0 parameters (size 320x180, SAR 427:426) do not match the corresponding output link in0:v0 parameters (320x180, SAR 1:1).',
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: {
      parameters: graph(
        '[0:v]setsar=1,fps=25[part0];[1:v]scale=320:180,setsar=1,fps=25[part1];[part0][0:a][part1][1:a]concat=n=2:v=1:a=1[v][a]',
        ['[v]', '[a]'],
      ),
    },
    seconds: 6,
    size: '320x180',
  },
  {
    title: 'a film with wide pixels before one with square ones',
    request: {
      inputs: ['wide.mp4', 'talk.mp4'],
      output: 'joined.mp4',
      parameters: graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', ['[v]', '[a]']),
    },
    message:
      'The filter concat needs inputs of the same frame size, frame rate and time base: Input link in0:v0 parameters (size 320x180, SAR 1:1) do not match the corresponding output link in0:v0 parameters (320x180, SAR 4:3).',
    // The shape of both pictures stays.
    fix: 'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
    followed: {
      parameters: graph(
        '[0:v]scale=426:180,setsar=1,fps=25[part0];[1:v]scale=426:180:force_original_aspect_ratio=decrease,pad=426:180:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=25[part1];[part0][0:a][part1][1:a]concat=n=2:v=1:a=1[v][a]',
        ['[v]', '[a]'],
      ),
    },
    seconds: 6,
    size: '426x180',
  },
];
