import { describe, expect, test } from 'vitest';
import type { Parameters } from '../../src/domain/conversion.ts';
import { errorCodesOf, requestWith, validPlan } from '../support/planning.ts';

const P = '/parameters';

describe('warnings about valid requests', () => {
  function warnings(parameters: Parameters, output?: string): readonly string[] {
    const plan = validPlan(requestWith(parameters, output));
    for (const { message } of plan.warnings) expect(message).toMatch(/^[^\n]{10,300}[.:]$/);
    return plan.warnings.map(({ field, code, fix }) => [field, code, fix].filter(Boolean).join(' '));
  }

  test.each<[title: string, parameters: Parameters, warning: string, output?: string]>([
    ['a duration and an end', { t: '1', to: '2' }, `${P}/to NO_EFFECT Leave one of them out.`],
    [
      'a frame rate of copied video',
      { 'c:v': 'copy', r: '25' },
      `${P}/r NO_EFFECT Send an encoder ("c:v"), or leave "r" out.`,
    ],
    [
      'a channel count of copied audio',
      { c: 'copy', ac: '2' },
      `${P}/ac NO_EFFECT Send an encoder ("c:a"), or leave "ac" out.`,
    ],
    ['an odd size', { 'c:v': 'libx264', s: '427x240' }, `${P}/s ODD_SIZE Send "426x240".`],
    ['an odd scale', { 'c:v': 'libx264', vf: 'scale=426:241' }, `${P}/vf ODD_SIZE Send "scale=426:240".`],
    [
      'a scale to an automatic height',
      { 'c:v': 'libx264', vf: 'scale=426:-1' },
      `${P}/vf ODD_SIZE Send "scale=426:-2".`,
    ],
    [
      'a quality and a bit rate',
      { 'c:v': 'libx264', crf: '23', 'b:v': '1M' },
      `${P}/b:v NO_EFFECT Send one of them. With "crf", "maxrate" and "bufsize" limit the bit rate.`,
    ],
    [
      'H.264 in WebM',
      { 'c:v': 'libx264', 'c:a': 'libopus' },
      `${P}/c:v CODEC_NOT_HELD Send one of those codecs, or another format.`,
      'b.webm',
    ],
    [
      'SubRip subtitles in MP4',
      { 'c:s': 'srt' },
      `${P}/c:s CODEC_NOT_HELD Send another codec, or "format": "matroska", which supports nearly every codec.`,
    ],
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
    ['H.265 in MP4, AAC in M4A', { 'c:v': 'libx265', 'c:a': 'aac' }],
  ])('no warning about %s', (_title, parameters, output) => expect(warnings(parameters, output)).toEqual([]));

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
    expect(encoders({ 'c:v': 'libx265', 'c:v:1': 'copy', an: '', sn: '' })).toEqual({ video: ['copy', 'libx265'] });
  });
});
