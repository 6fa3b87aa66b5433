import { describe, expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { errorCodesOf, requestWith, validPlan } from '../support/planning.ts';

const P = '/parameters';

const ONE_FRAME =
  'Send "frames:v": "1" for the first frame, with "ss" for a later one. For all frames, send an output with a counter:';

describe('warnings about valid requests', () => {
  function warnings(parameters: Parameters, output?: string): readonly string[] {
    const plan = validPlan(requestWith(parameters, output));
    for (const { message } of plan.warnings) expect(message).toMatch(/^[^\n]{10,300}[.:]$/);
    return plan.warnings.map(({ field, code, fix }) => [field, code, fix].filter(Boolean).join(' '));
  }

  test.each<[title: string, parameters: Parameters, warning: string, output?: string]>([
    [
      'H.264 in WebM',
      { 'c:v': 'libx264', 'c:a': 'libopus' },
      `${P}/c:v CODEC_NOT_HELD Send "c:v": "libvpx-vp9".`,
      'b.webm',
    ],
    ['SubRip subtitles in MP4', { 'c:s': 'srt' }, `${P}/c:s CODEC_NOT_HELD Send "c:s": "mov_text".`],
    [
      'a quality that libx264 ignores',
      { 'c:v': 'libx264', 'q:v': '2' },
      `${P}/q:v NO_EFFECT Leave it out. "crf" sets the quality of libx264.`,
    ],
    [
      'a quality of the default encoder',
      { 'qscale:v': '5' },
      `${P}/qscale:v NO_EFFECT Leave it out. "crf" sets the quality of libx264.`,
    ],
    ['a quality of a lossless encoder', { 'q:v': '2', 'frames:v': '1' }, `${P}/q:v NO_EFFECT Leave it out.`, 'b.png'],
    ['a film that becomes one picture', { ss: '5' }, `/output LAST_FRAME ${ONE_FRAME} "b_%03d.jpg".`, 'b.jpg'],
    ['a picture per second in one file', { vf: 'fps=1' }, `/output LAST_FRAME ${ONE_FRAME} "b_%03d.png".`, 'b.png'],
  ])('warns about %s', (_title, parameters, warning, output) =>
    expect(warnings(parameters, output)).toEqual([warning]),
  );

  test.each<[title: string, parameters: Parameters, output?: string]>([
    ['an odd size with full chroma', { 'c:v': 'libx264', s: '427x240', pix_fmt: 'yuv444p' }],
    ['an odd size that is padded', { 'c:v': 'libx264', vf: 'scale=427:240,pad=428:240' }],
    ['an odd size for VP9', { 'c:v': 'libvpx-vp9', 'c:a': 'libopus', s: '427x241' }, 'b.webm'],
    ['a quality and a bit rate for VP9', { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '1M' }, 'b.webm'],
    ['audio options with copied video', { 'c:v': 'copy', 'c:a': 'aac', ar: '44100', ac: '2' }],
    ['an audio filter with copied video', { 'c:v': 'copy', af: 'volume=2' }],
    ['one frame of a film', { 'frames:v': '1' }, 'b.png'],
    ['the last frame, as ffmpeg names it', { sseof: '-1', update: '1' }, 'b.png'],
    ['the palette of a film', { vf: 'palettegen' }, 'b.png'],
    ['pictures with a counter', { vf: 'fps=1' }, 'b%03d.png'],
    ['a cover in an MP3', { 'c:v': 'mjpeg', map: ['0:a', '0:v'] }, 'b.mp3'],
    ['a quality of MPEG-4', { 'c:v': 'mpeg4', 'q:v': '2' }],
    ['a quality of JPEG', { 'q:v': '2', 'frames:v': '1' }, 'b.jpg'],
    ['H.265 in MP4, AAC in M4A', { 'c:v': 'libx265', 'c:a': 'aac' }],
    ['a copy of subtitles as raw data', { an: '', vn: '', 'c:s': 'copy', f: 'rawvideo' }, 'b.txt'],
    ['colours with the pixel format of players', { vf: 'curves=vintage', pix_fmt: 'yuv420p' }],
    ['colours with a filter for the pixel format', { vf: 'curves=vintage,format=yuv420p' }],
    ['colours with a profile for them', { vf: 'curves=vintage', 'profile:v': 'high444' }],
    ['colours of a picture', { vf: 'curves=vintage', 'frames:v': '1' }, 'b.png'],
    ['colours in VP9, whose encoder has another format', { vf: 'curves=vintage', 'c:v': 'libvpx-vp9' }, 'b.webm'],
    ['colours of a logo', { filter_complex: '[0:v]split[a][b];[b]curves=vintage[c];[a][c]overlay[v]', map: '[v]' }],
  ])('no warning about %s', (_title, parameters, output) => expect(warnings(parameters, output)).toEqual([]));

  describe('inputs that nothing uses', () => {
    const fields = (inputs: readonly string[], parameters: Parameters = {}) =>
      validPlan({ inputs, output: 'c.mp4', parameters }).warnings.map(({ field, code }) => `${field} ${code}`);

    test('a second film without a map or a filtergraph', () => {
      expect(fields(['a.mp4', 'b.mp4'])).toEqual(['/inputs/1 UNUSED_INPUT']);
      expect(fields(['a.mp4', 'b.mp3'])).toEqual([]);
      const graph = '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]';
      expect(fields(['a.mp4', 'b.mp4'], { filter_complex: graph, map: ['[v]', '[a]'] })).toEqual([]);
    });
  });

  describe('pictures', () => {
    type Inputs = NonNullable<ConversionRequest['inputs']>;
    const all = (inputs: Inputs, parameters: Parameters = {}, output = 'c.mp4') =>
      validPlan({ inputs, output, parameters }).warnings.map(({ field, code, fix }) => [field, code, fix]);
    const slide = (input: string, duration: string) => ({ input, duration });

    test('no warning about one picture, a slideshow, or streams that the client chooses', () => {
      const graph = '[0:v][1:v]concat[v]';
      expect(all(['a.jpg', 's.mp3'], { shortest: '', loop: '1' })).toEqual([]);
      expect(all([slide('a.jpg', '3'), slide('b.jpg', '3')])).toEqual([]);
      expect(all(['a.jpg', 'b.jpg'], { filter_complex: graph, map: '[v]' })).toEqual([]);
      expect(all(['a.jpg', 'b.jpg'], { map: ['0', '1'] })).toEqual([]);
      expect(all(['s.mp3', 'a.jpg'], { map: ['0', '1'], c: 'copy' }, 'c.mp3')).toEqual([]);
    });
  });

  test.each<[Parameters, string]>([
    [{ c: 'copy', vf: 'scale=320:-2' }, `${P}/vf NEEDS_ENCODER`],
    [{ 'c:a': 'copy', 'c:v': 'libx264', af: 'volume=2' }, `${P}/af NEEDS_ENCODER`],
    [{ 'c:v': 'copy', 'filter:v:0': 'hflip' }, `${P}/filter:v:0 NEEDS_ENCODER`],
  ])('rejects filters of copied streams: %j', (parameters, error) => {
    expect(errorCodesOf(requestWith(parameters, 'b.mkv'))).toEqual([error]);
  });

  test('a plan names the encoder of each stream as far as it is known', () => {
    const encoders = (parameters: Parameters) => validPlan(requestWith(parameters)).encoders;
    expect(encoders({ 'c:v': 'libx264', 'c:a': 'copy', sn: '' })).toEqual({ video: ['libx264'], audio: ['copy'] });
    expect(encoders({ 'c:v': 'h264', an: '', sn: '' })).toEqual({ video: ['libx264'] });
    const ofMpg = (parameters: Parameters) => validPlan(requestWith(parameters, 'b.mpg')).warnings;
    for (const right of [{}, { 'c:v': 'mpeg1video' }, { f: 'vob', 'c:v': 'mpeg2video' }, { target: 'pal-dvd' }])
      expect(ofMpg(right)).toEqual([]);
    expect(encoders({ target: 'pal-dvd', sn: '' })).toEqual({ video: ['mpeg2video'], audio: ['ac3'] });
    expect(encoders({ target: 'ntsc-vcd', sn: '' })).toEqual({ video: ['mpeg1video'], audio: ['mp2'] });
    expect(encoders({ target: 'dvd', 'c:a': 'mp2', sn: '' })).toEqual({ video: ['mpeg2video'], audio: ['mp2'] });
    // What comes later wins, as on the command line.
    expect(encoders({ 'c:a': 'mp2', target: 'film-dvd', sn: '' })).toMatchObject({ audio: ['ac3'] });
    expect(encoders({ 'c:v': 'libx265', 'c:v:1': 'copy', an: '', sn: '' })).toEqual({ video: ['copy', 'libx265'] });
  });
});
