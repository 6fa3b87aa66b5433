/**
 * The codecs that common containers support. Each combination was tried with ffmpeg 5.1, 7.1 and 9.0, and the tables
 * contain only results that all three share. Any other combination may work or fail.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Containers that support only these codecs. */
const ONLY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['webm', words('vp8 vp9 av1 opus vorbis webvtt')],
  ['ogg', words('theora vp8 opus vorbis flac speex')],
  ['opus', words('theora vp8 opus vorbis flac speex')],
  ['adts', words('aac')],
  ['ipod', words('h264 mpeg4 aac alac ac3 mov_text png mjpeg bmp')],
]);

/** Containers that support many codecs, but not these. */
const NEVER: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'mp4',
    words(
      'vp8 flv1 theora wmv2 msmpeg4v3 prores huffyuv utvideo gif rawvideo pcm_alaw wmav2 speex tta wavpack subrip ass webvtt',
    ),
  ],
  ['mov', words('vp8 vp9 av1 opus flac tta wavpack subrip ass webvtt')],
  ['flv', words('vp8 mpeg2video theora wmv2 prores ffv1 huffyuv png gif vorbis alac dts mp2 wmav2 tta subrip ass')],
  ['avi', words('opus alac tta mov_text subrip ass webvtt')],
  ['wav', words('opus alac tta')],
  ['mp3', words('aac opus vorbis flac alac ac3 eac3 dts mp2 pcm_s16le wmav2')],
  ['flac', words('aac mp3 opus vorbis alac ac3 eac3 dts mp2 pcm_s16le wmav2')],
]);

/** Whether the container `muxer` is known not to support `codec`. */
export const muxerRejectsCodec = (muxer: string, codec: string): boolean =>
  ONLY.get(muxer)?.has(codec) === false || NEVER.get(muxer)?.has(codec) === true;

/** Returns all codecs that a container supports, or undefined if the container is not in `ONLY`. */
export const codecsOfStrictMuxer = (muxer: string): readonly string[] | undefined => {
  const only = ONLY.get(muxer);
  return only === undefined ? undefined : [...only];
};
