import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { UNKNOWN_FAMILY } from '../../support/unknown-font.ts';
import { H264, type RunWarningRows } from './row.ts';

const FIT = 'scale=160:120:force_original_aspect_ratio=decrease,pad=160:120:-1:-1,setsar=1';
const SLIDES = { ...H264, framerate: '5' } as const;

/** Makes a size even, as 4:2:0 needs it. */
const EVEN = 'scale=trunc(iw/2)*2:trunc(ih/2)*2';

/** Warnings about sizes, shapes and formats of pictures. */
export const PICTURE_WARNINGS = {
  SIZE_CHANGED: [
    {
      title: 'pictures of different shapes',
      request: { input: 'mixed/%d.png', output: 'mixed.mp4', parameters: SLIDES },
      meant: { parameters: { ...SLIDES, vf: FIT } },
    },
    {
      title: 'pictures of a wildcard, of different shapes, with another filter',
      request: {
        inputs: [{ input: 'mixed/*.png', parameters: { pattern_type: 'glob', framerate: '5' } }],
        output: 'wildcard.mp4',
        parameters: { ...H264, vf: 'hflip' },
      },
      meant: { parameters: { ...H264, vf: `${FIT},hflip` } },
    },
    {
      title: 'pictures of different shapes in one size',
      request: { input: 'mixed/%d.png', output: 'fixed.mp4', parameters: { ...SLIDES, s: '160x120' } },
      meant: { parameters: { ...SLIDES, vf: FIT } },
    },
    {
      title: 'a recording whose picture becomes smaller on the way',
      request: { input: 'sizes.ts', output: 'sizes.mp4', parameters: H264 },
      meant: { parameters: { ...H264, vf: 'scale=320:240' } },
    },
    {
      title: 'an MP4 of joined copies whose picture becomes smaller on the way',
      request: { input: 'sizes.mp4', output: 'joined-sizes.mp4', parameters: H264 },
      meant: { parameters: { ...H264, vf: 'scale=320:240' } },
    },
    {
      title: 'a recording that is turned on the way, in one size',
      request: { input: 'turns.ts', output: 'turns.mp4', parameters: { ...H264, vf: 'scale=160:120' } },
      meant: { parameters: { ...H264, vf: FIT } },
    },
  ],
  NON_SQUARE_PIXELS: [
    {
      title: 'a size of another shape',
      request: { input: 'film.mp4', output: 'wide.mp4', parameters: { ...H264, s: '320x180' } },
      meant: {
        parameters: { ...H264, vf: 'scale=320:180:force_original_aspect_ratio=decrease,pad=320:180:-1:-1,setsar=1' },
      },
    },
    {
      title: 'a crop of another shape than the size',
      request: {
        input: 'film.mp4',
        output: 'cropped.mp4',
        parameters: { ...H264, vf: 'hflip,crop=100:120,scale=90:160' },
      },
      meant: {
        parameters: { ...H264, vf: "hflip,crop=w='min(iw,ih*90/160)':h='min(ih,iw*160/90)',scale=90:160,setsar=1" },
      },
    },
    {
      title: 'an upright aspect of a wide film by a filter',
      request: { input: 'film.mp4', output: 'setdar.mp4', parameters: { ...H264, vf: 'hflip,setdar=9/16' } },
      meant: { parameters: { ...H264, vf: 'hflip,crop=trunc(ih*9/32)*2:ih' } },
    },
    {
      title: 'an upright aspect of a wide film',
      request: { input: 'film.mp4', output: 'aspect-upright.mp4', parameters: { ...H264, aspect: '9:16' } },
      meant: { parameters: { ...H264, vf: 'crop=ih*9/16:ih' } },
    },
    {
      title: 'a scale that ignores pixels that are not square',
      request: { input: 'anamorphic.mkv', output: 'narrow.mp4', parameters: { ...H264, vf: 'scale=120:120,hflip' } },
      meant: {
        parameters: {
          ...H264,
          vf: 'scale=iw*sar:ih,setsar=1,scale=120:120:force_original_aspect_ratio=decrease,pad=120:120:-1:-1,setsar=1,hflip',
        },
      },
    },
  ],
  INTERLACED: [
    {
      title: 'an interlaced film that is scaled',
      request: { input: 'fields.mp4', output: 'combs.mp4', parameters: { ...H264, vf: 'scale=80:60' } },
      meant: { parameters: { ...H264, vf: 'bwdif=mode=send_frame,scale=80:60' } },
    },
  ],
  NOT_ENCRYPTED: [
    {
      title: 'encrypted HLS with subtitles',
      request: {
        inputs: ['silent.mp4', 'words.srt'],
        output: 'locked/index.m3u8',
        parameters: { ...H264, hls_list_size: '0', hls_time: '10', map: ['0', '1'] },
        encrypt: { keyUri: 'film.key' },
      },
      meant: {
        inputs: ['silent.mp4'],
        parameters: { ...H264, hls_list_size: '0', hls_time: '10', sn: '' },
      },
    },
  ],
  FONT_REPLACED: [
    {
      title: 'subtitles in a font that the service does not have',
      request: {
        inputs: ['silent.mp4', 'words.srt'],
        output: 'letters.mp4',
        parameters: { ...H264, vf: `subtitles=words.srt:force_style='FontName=${UNKNOWN_FAMILY},Bold=1'` },
      },
      meant: { inputs: ['silent.mp4', 'words.srt', 'text.ttf'] },
    },
  ],
  FEW_PLAYERS: [
    {
      title: 'a film for editing becomes H.264',
      request: { input: 'deep.mov', output: 'deep.mp4', parameters: { 'c:v': 'libx264' } },
      meant: { parameters: { 'c:v': 'libx264', pix_fmt: 'yuv420p' } },
    },
    {
      title: 'fewer colours',
      request: { input: 'silent.mp4', output: 'colours.mp4', parameters: { 'c:v': 'libx264', vf: 'elbg', t: '0.2' } },
      meant: { parameters: { 'c:v': 'libx264', pix_fmt: 'yuv420p', vf: 'elbg', t: '0.2' } },
    },
    {
      title: 'a filter that works in RGB',
      request: { input: 'silent.mp4', output: 'curves.mp4', parameters: { 'c:v': 'libx264', vf: 'curves=vintage' } },
      meant: { parameters: { 'c:v': 'libx264', vf: 'curves=vintage,format=yuv420p' } },
    },
    {
      title: 'a filter that works in RGB, and a picture of an odd size',
      request: {
        input: 'silent.mp4',
        output: 'odd.mp4',
        parameters: { 'c:v': 'libx264', vf: 'crop=63:35:exact=1,curves=vintage' },
      },
      meant: { parameters: { 'c:v': 'libx264', pix_fmt: 'yuv420p', vf: `crop=63:35:exact=1,curves=vintage,${EVEN}` } },
    },
  ],
  VIDEO_IN_SOUND_FILE: [
    {
      title: 'a film that becomes an M4A',
      request: { input: 'film.mp4', output: 'film.m4a' },
      meant: { parameters: { vn: '' } },
    },
    {
      title: 'a copy of a film that becomes an M4A',
      request: { input: 'film.mp4', output: 'copy.m4a', parameters: { c: 'copy' } },
      meant: { parameters: { c: 'copy', vn: '' } },
    },
    {
      title: 'a film that becomes a WMA',
      request: { input: 'film.mp4', output: 'film.wma' },
      meant: { parameters: { vn: '' } },
    },
    {
      title: 'a film that becomes an Ogg by options for sound',
      request: { input: 'film.mp4', output: 'film.ogg', parameters: { 'c:a': 'libvorbis', 'q:a': '5' } },
      meant: { parameters: { 'c:a': 'libvorbis', 'q:a': '5', vn: '' } },
    },
  ],
} satisfies RunWarningRows;

/** Requests about pictures that get what they ask for. */
export const QUIET_PICTURES: readonly ConversionRequest[] = [
  { input: 'film.mp4', output: 'meant.m4b', parameters: { ...H264, 'c:a': 'aac' } },
  { input: 'mono.mp3', output: 'sound.m4a' },
  { input: 'film.mp4', output: 'meant.ogg', parameters: { 'c:v': 'libtheora', 'c:a': 'libvorbis', 'q:a': '5' } },
  { input: 'sound.wav', output: 'sound.ogg', parameters: { 'c:a': 'libvorbis', 'q:a': '5' } },
  { inputs: ['sound.wav', 'picture.jpg'], output: 'sound-cover.mp3', parameters: { map: ['0:a', '1:v'] } },
  { input: 'slides/%d.png', output: 'slides.mp4', parameters: SLIDES },
  { input: 'slides/%d.png', output: 'slides-%d.jpg' },
  { input: 'grown/%d.png', output: 'grown-scaled.mp4', parameters: { ...SLIDES, vf: 'scale=160:-2' } },
  { input: 'turns.ts', output: 'copied-turns.ts', parameters: { c: 'copy' } },
  { input: 'sizes.ts', output: 'sized.mp4', parameters: { ...H264, vf: 'scale=160:-2' } },
  { input: 'mixed/%d.png', output: 'cropped.mp4', parameters: { ...SLIDES, vf: 'crop=120:120' } },
  { input: 'film.mp4', output: 'stretched.mp4', parameters: { ...H264, vf: 'scale=320:180,setsar=1' } },
  // The picture of a DVD.
  { input: 'film.mp4', output: 'disc.mpg', parameters: { s: 'ntsc', t: '1' } },
  { input: 'film.mp4', output: 'aspect.mp4', parameters: { ...H264, s: '320x180', aspect: '16:9' } },
  { input: 'film.mp4', output: 'nearly.mp4', parameters: { ...H264, s: '212x160' } },
  { input: 'film.mp4', output: 'thumbnail.jpg', parameters: { s: '100x100', 'frames:v': '1' } },
  { input: 'anamorphic.mkv', output: 'anamorphic.mp4', parameters: { ...H264, vf: 'scale=80:-2' } },
  { input: 'anamorphic.mkv', output: 'turned.mp4', parameters: { ...H264, vf: 'transpose=1' } },
  { input: 'fields.mp4', output: 'matched.mp4', parameters: { ...H264, vf: 'pullup,fps=20' } },
  { input: 'fields.mp4', output: 'copied-fields.mp4', parameters: { c: 'copy' } },
  { input: 'fields.mp4', output: 'fields.mp4', parameters: { ...H264, flags: '+ildct+ilme' } },
  { input: 'fields.mp4', output: 'fields.mov', parameters: { 'c:v': 'prores_ks' } },
  { input: 'deep.mov', output: 'deep-again.mp4', parameters: { 'c:v': 'libx264', pix_fmt: 'yuv422p10le' } },
  { input: 'deep.mov', output: 'deep.mkv', parameters: { 'c:v': 'ffv1' } },
];
