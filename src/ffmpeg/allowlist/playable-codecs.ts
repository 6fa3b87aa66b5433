/**
 * Codecs that a container takes without an error, although hardly any player, or not even ffmpeg, reads them there. Each
 * was tried with ffmpeg 5.1: as a copy into the container, and back by ffprobe.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** ffmpeg writes these into MPEG-TS as private data, without the name of their codec. */
const PRIVATE_DATA = words(
  'vp8 vp9 av1 ffv1 mjpeg png prores theora huffyuv utvideo rawvideo vorbis flac alac pcm_s16le pcm_s24le pcm_f32le ' +
    'wmav2 tta wavpack subrip ass webvtt mov_text',
);

/** MPEG program streams have numbers for few codecs. The others are read as something else. */
const NOT_IN_PROGRAM_STREAM = words('vp8 vp9 av1 ffv1 mjpeg png prores theora flac vorbis opus alac');

const UNPLAYABLE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['wav', words('aac mp2 mp3 ac3 eac3 dts flac vorbis wmav2')],
  ['aiff', words('aac mp3 flac wmav2')],
  ['avi', words('hevc vp9 av1 flac vorbis eac3')],
  ['mpegts', PRIVATE_DATA],
  ...['mpeg', 'vob', 'dvd', 'svcd', 'vcd'].map((name) => [name, NOT_IN_PROGRAM_STREAM] as const),
  ['mp4', words('vorbis png')],
  // The muxer of pictures writes the packets as they are.
  ['image2', words('h264 hevc vp8 vp9 av1 mpeg1video mpeg2video mpeg4 theora prores dnxhd ffv1')],
  ['mov', words('vorbis wmav2')],
]);

/** Extensions of these containers that are not the name of their muxer. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: 'mpegts',
  m2ts: 'mpegts',
  mts: 'mpegts',
  mpg: 'mpeg',
  m4v: 'mp4',
  aif: 'aiff',
  aifc: 'aiff',
};

/** The muxer by the extension of a segment, if this table has it. */
export function containerOfSegment(extension: string): string {
  const name = extension.toLowerCase();
  return EXTENSIONS[name] ?? name;
}

/** Whether hardly any player reads `codec` in the container `muxer`, although ffmpeg writes it. */
export const isUnplayable = (muxer: string, codec: string): boolean => UNPLAYABLE.get(muxer)?.has(codec) === true;

/** Containers for editing. */
const FOR_EDITING: ReadonlySet<string> = new Set(['mxf', 'mxf_opatom', 'gxf', 'nut']);

/** Profiles of H.264 and H.265 for more colours than 4:2:0 with 8 bits. */
const DEEP_PROFILE = /10|12|16|422|444|rext|\bmain-?still/i;

/**
 * Whether a request says which pixel format it means. One that few players show is then no mistake.
 *
 * @param options Each with its name in the argv, such as `profile:v`, and its value.
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
