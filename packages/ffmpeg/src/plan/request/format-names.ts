import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { MUXERS, REJECTED_MUXERS } from '../../allowlist/containers.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';

export interface MuxerNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

export interface OutputFormat {
  readonly muxer: string;
  /** The encoder of an image format: one muxer, `image2`, writes most image formats. */
  readonly imageEncoder?: string;
}

const kindRows = <Kind>(kind: Kind, extensions: string): [string, Kind][] =>
  extensions.split(' ').map((extension) => [extension, kind]);

const rows = (muxer: string, extensions: string): [string, OutputFormat][] => kindRows({ muxer }, extensions);

/** Extensions that are not the name of their muxer. */
const EXTENSIONS: ReadonlyMap<string, OutputFormat> = new Map<string, OutputFormat>([
  ...rows('matroska', 'mkv mka mks mk3d'),
  ...rows('ipod', 'm4a m4b'),
  ...rows('mpegts', 'ts m2ts mts m2t'),
  ...rows('mpeg', 'mpg'),
  ...rows('mpeg2video', 'm2v mpv'),
  ...rows('mpeg1video', 'm1v'),
  ...rows('hevc', 'h265 265'),
  ...rows('h264', '264 avc'),
  ...rows('asf', 'wma wmv'),
  ...rows('adts', 'aac'),
  ...rows('aiff', 'aif aifc'),
  ...rows('ogg', 'ogx'),
  ...rows('spx', 'speex'),
  ...rows('hls', 'm3u8'),
  ...rows('dash', 'mpd'),
  ...rows('webvtt', 'vtt'),
  ...rows('ass', 'ssa'),
  ...rows('microdvd', 'sub'),
  ...rows('yuv4mpegpipe', 'y4m'),
  ...rows('rawvideo', 'yuv rgb'),
  ...rows('eac3', 'ec3'),
  ...rows('s16le', 'pcm'),
  ...rows('rm', 'ra'),
  ...['jpg mjpeg', 'jpeg mjpeg', 'png png', 'bmp bmp', 'tif tiff', 'tiff tiff', 'tga targa', 'ppm ppm', 'pgm pgm']
    .concat(['pbm pbm', 'pam pam', 'jp2 jpeg2000', 'j2k jpeg2000', 'exr exr', 'dpx dpx', 'jxl libjxl', 'qoi qoi'])
    .concat(['sgi sgi', 'xbm xbm', 'pcx pcx'])
    .map((pair): [string, OutputFormat] => {
      const [extension = '', imageEncoder = ''] = pair.split(' ');
      return [extension, { muxer: 'image2', imageEncoder }];
    }),
]);

/** Names that mean one container as an extension and another as a muxer: `.m4v` is an MP4 for Apple, the muxer `m4v` is a raw stream. */
const AS_EXTENSION: ReadonlyMap<string, OutputFormat> = new Map(rows('mp4', 'm4v'));

/** Extensions of images that ffmpeg's image demuxers read. */
const STILLS: ReadonlySet<string> = new Set(
  'jpg jpeg png bmp tif tiff tga ppm pgm pbm pam jp2 j2k exr dpx jxl qoi sgi xbm pcx webp psd dds'.split(' '),
);

/** True if a file name has a counter, as an image sequence has: `img%03d.png`. */
export const hasCounter = (path: MediaPath): boolean => /%\d{0,3}d/.test(baseName(path));

/** Extensions of images in a video container, which ffmpeg reads as a video with one frame. */
const IN_CONTAINERS: ReadonlySet<string> = new Set(['avif', 'heic', 'heif']);

/** True if files with this extension (lower case, without dot) have one image. */
export const isImageExtension = (extension: string): boolean => STILLS.has(extension) || IN_CONTAINERS.has(extension);

/** True if ffmpeg's image demuxers read files with this extension. These demuxers can repeat an image, and read numbered images. */
export const isImageFile = (extension: string): boolean => STILLS.has(extension);

const VIDEOS: ReadonlySet<string> = new Set(
  '3g2 3gp apng asf avi dv f4v flv gif h264 hevc m2ts m2v m4v mjpeg mkv mov mp4 mpeg mpg mts mxf nut ogv ts vob webm wmv y4m'.split(
    ' ',
  ),
);

/** True if files with this extension (lower case, without dot) are usually videos with many frames. */
export const isVideoExtension = (extension: string): boolean => VIDEOS.has(extension);

const COMMON: readonly string[] =
  'mp4 mov mkv webm avi mpegts flv gif mp3 m4a aac flac wav ogg opus jpg png webp srt vtt hls dash'.split(' ');

/** A format, or the error about its name. */
export type FormatLookup = { readonly format: OutputFormat } | { readonly error: ValueError };

/** Finds the format that `text` names: a muxer or a usual extension. */
export function findFormat(text: string, muxers: MuxerNames): FormatLookup {
  const name = text.toLowerCase().replace(/^\./, '');
  if (REJECTED_MUXERS.has(name) || (muxers.has(name) && !MUXERS.has(name)))
    return {
      error: {
        code: 'FORMAT_NOT_ALLOWED',
        message: `The format "${text}" is not allowed: it ${REJECTED_MUXERS.has(name) ? reasonOf(name) : 'has not been reviewed for this service'}.`,
        allowed: COMMON,
      },
    };
  if (muxers.has(name)) return { format: EXTENSIONS.get(name) ?? { muxer: name } };
  const format = EXTENSIONS.get(name);
  if (format !== undefined && muxers.has(format.muxer)) return { format };
  const isWritable = (one: string): boolean => {
    const muxer = EXTENSIONS.get(one)?.muxer ?? one;
    return muxers.has(muxer) && MUXERS.has(muxer);
  };
  const names = [...COMMON, ...EXTENSIONS.keys(), ...muxers.keys()].filter(isWritable);
  return {
    error: {
      code: 'UNKNOWN_FORMAT',
      message: `The installed ffmpeg cannot write a format ${quoted(text)}.`,
      allowed: COMMON,
      nearest: { given: text, names, is: 'value' },
    },
  };
}

/** Why a muxer is rejected, as the end of a sentence. */
function reasonOf(name: string): string {
  if (/segment$/.test(name)) return 'writes segments to a stream; "segment" writes files';
  if (name === 'tee') return 'writes several outputs, which are "outputs"';
  if (name === 'null') return 'discards its output; "framemd5" writes a checksum of each frame';
  if (name === 'image2pipe') return 'writes images to a stream; "image2" writes files';
  return 'opens a device or the network, or writes no media file';
}

/** Finds the format of an output by its extension (lower case, without dot). */
export function findFormatByExtension(extension: string, muxers: MuxerNames): FormatLookup {
  const container = AS_EXTENSION.get(extension);
  if (container !== undefined && muxers.has(container.muxer)) return { format: container };
  if (extension !== '') {
    const lookup = findFormat(extension, muxers);
    if ('format' in lookup) return lookup;
  }
  return {
    error: {
      code: 'UNKNOWN_FORMAT',
      message:
        extension === ''
          ? 'The output has no extension, so its format is unknown. "format" can name it.'
          : `The extension ".${extension}" is not the extension of a known format. "format" can name the format.`,
      allowed: COMMON,
    },
  };
}

/** The kind of a file, guessed from its extension. ffmpeg detects the real kind when it opens the file. */
type FileKind = 'video' | 'audio' | 'subtitles';

const KIND_BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ...kindRows<FileKind>(
    'video',
    'mp4 m4v mov mkv webm avi wmv flv ts m2ts mts mpg mpeg vob ogv 3gp 3g2 mxf gif apng y4m ivf h264 hevc',
  ),
  ...kindRows<FileKind>(
    'audio',
    'mp3 m4a m4b aac flac wav ogg oga opus wma aiff aif aifc ac3 eac3 dts mka caf amr au w64 wv ape tta mp2',
  ),
  ...kindRows<FileKind>('subtitles', 'srt ass ssa vtt sub sup ttml scc'),
]);

/** The kind of a file with this extension (lower case, without dot). undefined: the extension is unknown. */
export const fileKind = (extension: string): FileKind | undefined => KIND_BY_EXTENSION.get(extension);

/** Adds a counter to the end of the file name in a path: `frames/out_%03d.png`. */
export const withCounter = (path: string): string => path.replace(/(\.[^./]*)?$/, '_%03d$1');
