import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { UNKNOWN_FAMILY } from '../../support/unknown-font.ts';
import { H264, type RunWarningRows } from './row.ts';

const FIT = 'scale=160:120:force_original_aspect_ratio=decrease,pad=160:120:-1:-1,setsar=1';
const _SONG = { map: ['0:a', '1:v'], 'c:a': 'aac', 'b:a': '96k' };
const SLIDES = { ...H264, framerate: '5' } as const;

const _graph = (filter_complex: string) => ({ ...H264, filter_complex });
const _BLURRED = '[0:v]scale=90:160,boxblur=4:2[back];[0:v]scale=90:-2[front];[back][front]overlay=(W-w)/2:(H-h)/2';
const _FILLED =
  '[0:v]scale=w=90:h=160:force_original_aspect_ratio=increase,crop=90:160,setsar=1,boxblur=luma_radius=4:luma_power=2[back];[0:v]scale=w=90:h=-2[front];[back][front]overlay=x=(W-w)/2:y=(H-h)/2';
const _FITTED = 'scale=w=320:h=180:force_original_aspect_ratio=decrease,pad=320:180:-1:-1,setsar=1';

/** Makes a size even, as 4:2:0 needs it. */
const EVEN = 'scale=trunc(iw/2)*2:trunc(ih/2)*2';

/** Warnings about sizes, shapes and formats of pictures. */
export const PICTURE_WARNINGS = {
  SIZE_CHANGED: [
    {
      title: 'pictures of different shapes',
      request: { input: 'mixed/%d.png', output: 'mixed.mp4', parameters: SLIDES },
      field: '/input',
      message:
        /^The images of "mixed\/%d\.png" have different sizes \(160x120, 120x160\): .* 160x120, the size of the first, and stretched/,
      fix: `Send "vf": "${FIT}" in the "parameters" of the request as well.`,
      meant: { parameters: { ...SLIDES, vf: FIT } },
    },
    {
      title: 'pictures of a wildcard, of different shapes, with another filter',
      request: {
        inputs: [{ input: 'mixed/*.png', parameters: { pattern_type: 'glob', framerate: '5' } }],
        output: 'wildcard.mp4',
        parameters: { ...H264, vf: 'hflip' },
      },
      field: '/inputs/0/input',
      message: /^The images of "mixed\/\*\.png" have different sizes/,
      fix: `Send "vf": "${FIT},hflip" in the "parameters" of the request as well.`,
      meant: { parameters: { ...H264, vf: `${FIT},hflip` } },
    },
    {
      title: 'pictures of different shapes in one size',
      request: { input: 'mixed/%d.png', output: 'fixed.mp4', parameters: { ...SLIDES, s: '160x120' } },
      field: '/input',
      message: /ffmpeg scaled them to 160x120, and stretched frames of another shape\.$/,
      fix: `Send "vf": "${FIT}" in the "parameters" of the request as well, and leave "s" out.`,
      meant: { parameters: { ...SLIDES, vf: FIT } },
    },
    {
      title: 'a recording whose picture becomes smaller on the way',
      request: { input: 'sizes.ts', output: 'sizes.mp4', parameters: H264 },
      field: '/input',
      message:
        /^The frame size of "sizes\.ts" changes during the video \(320x240, 160x120\): ffmpeg scaled them to 320x240, the size of the first\.$/,
      fix: 'Send "vf": "scale=320:240" if this size is meant, or a larger one.',
      meant: { parameters: { ...H264, vf: 'scale=320:240' } },
    },
    {
      title: 'an MP4 of joined copies whose picture becomes smaller on the way',
      request: { input: 'sizes.mp4', output: 'joined-sizes.mp4', parameters: H264 },
      field: '/input',
      message: /^The frame size of "sizes\.mp4" changes during the video \(320x240, 160x120\)/,
      fix: 'Send "vf": "scale=320:240" if this size is meant, or a larger one.',
      meant: { parameters: { ...H264, vf: 'scale=320:240' } },
    },
    {
      title: 'a recording that is turned on the way, in one size',
      request: { input: 'turns.ts', output: 'turns.mp4', parameters: { ...H264, vf: 'scale=160:120' } },
      field: '/input',
      message: /^The frame size of "turns\.ts" changes during the video \(320x240, 240x320\): .* and stretched frames/,
      fix: `Send "vf": "${FIT}" in the "parameters" of the request as well.`,
      meant: { parameters: { ...H264, vf: FIT } },
    },
  ],
  NON_SQUARE_PIXELS: [
    {
      title: 'a size of another shape',
      request: { input: 'film.mp4', output: 'wide.mp4', parameters: { ...H264, s: '320x180' } },
      field: '/parameters/s',
      message: /^The video of 320x180 has another shape .* most players show it as 240x180, others stretch it\.$/,
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
      field: '/parameters/vf',
      message: /^The video of 90x160 has another shape/,
      fix: `Send "vf": "hflip,crop=w='min(iw,ih*90/160)':h='min(ih,iw*160/90)',scale=90:160,setsar=1".`,
      meant: {
        parameters: { ...H264, vf: "hflip,crop=w='min(iw,ih*90/160)':h='min(ih,iw*160/90)',scale=90:160,setsar=1" },
      },
    },
    {
      title: 'an upright aspect of a wide film by a filter',
      request: { input: 'film.mp4', output: 'setdar.mp4', parameters: { ...H264, vf: 'hflip,setdar=9/16' } },
      field: '/parameters/vf',
      message: /^"setdar" cuts nothing: players squeeze the video of 160x120 into 9\/16\.$/,
      fix: 'Send "vf": "hflip,crop=ih*9/16:ih".',
      meant: { parameters: { ...H264, vf: 'hflip,crop=trunc(ih*9/32)*2:ih' } },
    },
    {
      title: 'an upright aspect of a wide film',
      request: { input: 'film.mp4', output: 'aspect-upright.mp4', parameters: { ...H264, aspect: '9:16' } },
      field: '/parameters/aspect',
      message: /^"aspect" cuts nothing: players squeeze the video of 160x120 into 9:16\.$/,
      fix: 'Send "vf": "crop=ih*9/16:ih", and leave "aspect" out.',
      meant: { parameters: { ...H264, vf: 'crop=ih*9/16:ih' } },
    },
    {
      title: 'a scale that ignores pixels that are not square',
      request: { input: 'anamorphic.mkv', output: 'narrow.mp4', parameters: { ...H264, vf: 'scale=120:120,hflip' } },
      field: '/parameters/vf',
      message: /most players show it as 213x120/,
      fix: 'Send "vf": "scale=iw*sar:ih,setsar=1,scale=120:120:force_original_aspect_ratio=decrease,pad=120:120:-1:-1,setsar=1,hflip".',
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
      field: '/input',
      message:
        /^"fields\.mp4" is marked as interlaced, but the output is not deinterlaced: moving edges look like combs\.$/,
      fix: 'Send "vf": "bwdif=mode=send_frame,scale=w=80:h=60" in the "parameters" of the request as well.',
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
      field: '/encrypt',
      message: /^The subtitles are not encrypted/,
      fix: 'Send "sn": "" to leave them out, or draw them into the video with the filter subtitles.',
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
      field: '/parameters/vf',
      message:
        /^The service has no font "Telecine Txt", which the subtitles name: they are drawn with DejaVuSans-Bold instead\.$/,
      fix: 'Add the font file to "inputs", after the media: {"inputs": ["in.mp4", "talk.srt", "fonts/Inter.ttf"]}. Or name an installed font.',
      meant: { inputs: ['silent.mp4', 'words.srt', 'text.ttf'] },
    },
  ],
  FEW_PLAYERS: [
    {
      title: 'a film for editing becomes H.264',
      request: { input: 'deep.mov', output: 'deep.mp4', parameters: { 'c:v': 'libx264' } },
      message: /^The output is H\.264 with the pixel format yuv422p10le, which most players cannot show\.$/,
      fix: 'Send "pix_fmt": "yuv420p".',
      meant: { parameters: { 'c:v': 'libx264', pix_fmt: 'yuv420p' } },
    },
    {
      title: 'fewer colours',
      request: { input: 'silent.mp4', output: 'colours.mp4', parameters: { 'c:v': 'libx264', vf: 'elbg', t: '0.2' } },
      message: /H\.264 with the pixel format yuv444p/,
      meant: { parameters: { 'c:v': 'libx264', pix_fmt: 'yuv420p', vf: 'elbg', t: '0.2' } },
    },
    {
      title: 'a filter that works in RGB',
      request: { input: 'silent.mp4', output: 'curves.mp4', parameters: { 'c:v': 'libx264', vf: 'curves=vintage' } },
      message: /yuv444p, which most players cannot show/,
      meant: { parameters: { 'c:v': 'libx264', vf: 'curves=vintage,format=yuv420p' } },
    },
    {
      title: 'a filter that works in RGB, and a picture of an odd size',
      request: {
        input: 'silent.mp4',
        output: 'odd.mp4',
        parameters: { 'c:v': 'libx264', vf: 'crop=63:35:exact=1,curves=vintage' },
      },
      beside: 'FEW_PLAYERS',
      message: /cannot show\. Pixel formats that they show need an even width and height, but the video is 63x35\.$/,
      fix: `Send "pix_fmt": "yuv420p" and "vf": "crop=out_w=63:out_h=35:exact=1,curves=preset=vintage,${EVEN}".`,
      meant: { parameters: { 'c:v': 'libx264', pix_fmt: 'yuv420p', vf: `crop=63:35:exact=1,curves=vintage,${EVEN}` } },
    },
  ],
  VIDEO_IN_SOUND_FILE: [
    {
      title: 'a film that becomes an M4A',
      request: { input: 'film.mp4', output: 'film.m4a' },
      field: '/output',
      message: /^The output has the video \(h264\) too, although its name says audio/,
      fix: 'Send "vn": "" in the "parameters" of the request as well: this leaves the video out.',
      meant: { parameters: { vn: '' } },
    },
    {
      title: 'a copy of a film that becomes an M4A',
      request: { input: 'film.mp4', output: 'copy.m4a', parameters: { c: 'copy' } },
      field: '/output',
      message: /^The output has the video \(h264\) too/,
      fix: 'Send "vn": "" in the "parameters" of the request as well: this leaves the video out.',
      meant: { parameters: { c: 'copy', vn: '' } },
    },
    {
      title: 'a film that becomes a WMA',
      request: { input: 'film.mp4', output: 'film.wma' },
      field: '/output',
      message: /^The output has the video \(msmpeg4v3\) too, although its name says audio: ffmpeg puts it into "\.wma"/,
      fix: 'Send "vn": "" in the "parameters" of the request as well: this leaves the video out.',
      meant: { parameters: { vn: '' } },
    },
    {
      title: 'a film that becomes an Ogg by options for sound',
      request: { input: 'film.mp4', output: 'film.ogg', parameters: { 'c:a': 'libvorbis', 'q:a': '5' } },
      field: '/output',
      message: /^The output has the video \(theora\) too, although its name says audio: ffmpeg puts it into "\.ogg"/,
      fix: 'Send "vn": "" in the "parameters" of the request as well: this leaves the video out.',
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
