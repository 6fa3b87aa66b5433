import { wordSet } from './words.ts';

/**
 * Containers that support only these codecs. Each pair in this file was tried with ffmpeg 5.1, 7.1 and 9.0, with the same result. Nothing
 * is known about pairs of container and codec that no table here has.
 */
const ONLY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['webm', wordSet('vp8 vp9 av1 opus vorbis webvtt')],
  ...['ogg', 'oga', 'ogv', 'opus'].map((name): [string, ReadonlySet<string>] => [
    name,
    wordSet('theora vp8 opus vorbis flac speex'),
  ]),
  ['gif', wordSet('gif')],
  ['adts', wordSet('aac')],
  ['ipod', wordSet('h264 mpeg4 aac alac ac3 mov_text png mjpeg bmp')],
]);

/** Containers that support many codecs, but none of these. */
const NEVER: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'mp4',
    wordSet(
      'vp8 flv1 theora wmv2 msmpeg4v3 prores huffyuv utvideo gif rawvideo pcm_alaw wmav2 speex tta wavpack subrip ass webvtt ' +
        // The codecs of this line were tried with ffmpeg 5.1 and 7.1 only.
        'dnxhd qtrle cfhd v210 ffv1 ffvhuff magicyuv dvvideo hap cinepak apng hdmv_pgs_subtitle dvb_teletext',
    ),
  ],
  ['matroska', wordSet('dvb_teletext')],
  ['mov', wordSet('vp8 vp9 av1 opus flac tta wavpack subrip ass webvtt hdmv_pgs_subtitle')],
  ['flv', wordSet('vp8 mpeg2video theora wmv2 prores ffv1 huffyuv png gif vorbis alac dts mp2 wmav2 tta subrip ass')],
  ['avi', wordSet('opus alac tta mov_text subrip ass webvtt')],
  ['wav', wordSet('opus alac tta')],
  ['mp3', wordSet('aac opus vorbis flac alac ac3 eac3 dts mp2 pcm_s16le wmav2')],
  ['flac', wordSet('aac mp3 opus vorbis alac ac3 eac3 dts mp2 pcm_s16le wmav2')],
]);

/** True if `muxer` cannot store `codec`. False also if nobody tried this pair. */
export const muxerRejectsCodec = (muxer: string, codec: string): boolean =>
  ONLY.get(muxer)?.has(codec) === false || NEVER.get(muxer)?.has(codec) === true;

type StreamKind = 'video' | 'audio' | 'subtitle';
type EncodersByKind = Readonly<Partial<Record<StreamKind, readonly string[]>>>;

/** For each container, the encoders whose codecs it supports, best first. Experimental encoders are missing. */
const ENCODERS: ReadonlyMap<string, EncodersByKind> = new Map([
  ['webm', { video: ['libvpx-vp9', 'libvpx', 'libaom-av1'], audio: ['libopus', 'libvorbis'], subtitle: ['webvtt'] }],
  ...['ogg', 'oga', 'ogv'].map((name): [string, EncodersByKind] => [
    name,
    { video: ['libtheora'], audio: ['libopus', 'libvorbis', 'flac'] },
  ]),
  ['gif', { video: ['gif'] }],
  ['opus', { audio: ['libopus', 'libvorbis', 'flac'] }],
  ['adts', { audio: ['aac'] }],
  ['ipod', { video: ['libx264', 'mpeg4'], audio: ['aac', 'alac'], subtitle: ['mov_text'] }],
  ['mp4', { video: ['libx264', 'libx265', 'mpeg4'], audio: ['aac', 'libmp3lame'], subtitle: ['mov_text'] }],
  ['mov', { video: ['libx264', 'prores_ks', 'mpeg4'], audio: ['aac', 'pcm_s16le'], subtitle: ['mov_text'] }],
  ['flv', { video: ['libx264', 'flv'], audio: ['aac', 'libmp3lame'] }],
  ['avi', { video: ['mpeg4', 'libx264'], audio: ['libmp3lame', 'ac3', 'pcm_s16le'] }],
  ['wav', { audio: ['pcm_s16le', 'pcm_s24le'] }],
  ['aiff', { audio: ['pcm_s16be'] }],
  ['mpegts', { video: ['libx264', 'mpeg2video'], audio: ['aac', 'mp2'] }],
  ...['mpeg', 'vob', 'dvd', 'svcd', 'vcd'].map((name): [string, EncodersByKind] => [
    name,
    { video: ['mpeg2video'], audio: ['mp2'] },
  ]),
  ['mp3', { audio: ['libmp3lame'] }],
  ['flac', { audio: ['flac'] }],
]);

/** The encoders for streams of this kind in a container, best first. Empty for a container without a row. */
export const encodersOfMuxer = (muxer: string, kind: StreamKind): readonly string[] =>
  ENCODERS.get(muxer)?.[kind] ?? [];

/**
 * The encoder for subtitles in a container. A container without a row is a subtitle format, whose encoder has the same name (`srt`). HLS
 * accepts only WebVTT.
 */
export const subtitleEncoder = (
  muxer: string,
  { encoders }: { readonly encoders: { has(name: string): boolean } },
): string | undefined =>
  [...encodersOfMuxer(muxer, 'subtitle'), muxer === 'hls' ? 'webvtt' : muxer].find((one) => encoders.has(one));
