import { wordSet } from './words.ts';

/** Codecs that ffmpeg writes into MPEG-TS as private data, so that players cannot know the codec. */
const PRIVATE_DATA = wordSet(
  'vp8 vp9 av1 ffv1 mjpeg png prores theora huffyuv utvideo rawvideo vorbis flac alac pcm_s16le pcm_s24le pcm_f32le ' +
    'wmav2 tta wavpack subrip ass webvtt mov_text',
);

/** Codecs that have no number in an MPEG program stream, so that players take them for other codecs. */
const NOT_IN_PROGRAM_STREAM = wordSet('vp8 vp9 av1 ffv1 mjpeg png prores theora flac vorbis opus alac');

/**
 * Codecs that a container accepts without an error, although hardly any player can read them there. Each was tried with ffmpeg 5.1: copied
 * into the container, and read with ffprobe.
 */
const UNPLAYABLE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['wav', wordSet('aac mp2 mp3 ac3 eac3 dts flac vorbis wmav2')],
  ['aiff', wordSet('aac mp3 flac wmav2')],
  ['avi', wordSet('hevc vp9 av1 flac vorbis eac3')],
  ['mpegts', PRIVATE_DATA],
  ...['mpeg', 'vob', 'dvd', 'svcd', 'vcd'].map((name) => [name, NOT_IN_PROGRAM_STREAM] as const),
  ['mp4', wordSet('vorbis png')],
  ['matroska', wordSet('gif')],
  // ffmpeg writes any packet into an image file: `x.jpg` with a packet of H.264 is not an image.
  ['image2', wordSet('h264 hevc vp8 vp9 av1 mpeg1video mpeg2video mpeg4 theora prores dnxhd ffv1')],
  ['mov', wordSet('vorbis wmav2')],
]);

/** The muxer of an extension that is not the name of a muxer. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: 'mpegts',
  m2ts: 'mpegts',
  mts: 'mpegts',
  mpg: 'mpeg',
  m4v: 'mp4',
  aif: 'aiff',
  aifc: 'aiff',
};

/** The muxer of a segment, by its file extension. */
export function containerOfSegment(extension: string): string {
  const name = extension.toLowerCase();
  return EXTENSIONS[name] ?? name;
}

/** True if ffmpeg writes `codec` into `muxer` without an error, but hardly any player can read it there. */
export const isUnplayable = (muxer: string, codec: string): boolean => UNPLAYABLE.get(muxer)?.has(codec) === true;

/** Containers for editing. */
const FOR_EDITING: ReadonlySet<string> = new Set(['mxf', 'mxf_opatom', 'gxf', 'nut']);

/** Profiles of H.264 and H.265 that allow more than 4:2:0 with 8 bits. */
const DEEP_PROFILE = /10|12|16|422|444|rext|\bmain-?still/i;

/**
 * True if a request chooses its pixel format itself: by an option, a filter, a profile or a container for editing. Then there is no warning
 * that few players can show this format.
 *
 * @param options Names in the argv, such as `profile:v`, with their values.
 * @param filters The names of all filters.
 */
export const asksForPixelFormat = (
  muxer: string,
  options: readonly (readonly [key: string, value: string])[],
  filters: readonly string[],
): boolean =>
  FOR_EDITING.has(muxer) ||
  filters.includes('format') ||
  options.some(
    ([key, value]) =>
      /^(?:pix_fmt|target)(?::|$)/.test(key) || (/^profile(?::v|$)/.test(key) && DEEP_PROFILE.test(value)),
  );
