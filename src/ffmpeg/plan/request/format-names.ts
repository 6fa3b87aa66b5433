import { closestMatch } from '../../../domain/closest-match.ts';
import { baseName, type MediaPath } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { MUXERS, REJECTED_MUXERS } from '../../allowlist/muxers.ts';

/** The names of the muxers that a build has. */
export interface MuxerNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** A container as a caller may name it. */
export interface OutputFormat {
  readonly muxer: string;
  /** The encoder of a picture format, which the muxer alone does not tell. */
  readonly picture?: string;
}

const many = (muxer: string, extensions: string): [string, OutputFormat][] =>
  extensions.split(' ').map((extension) => [extension, { muxer }]);

/** Extensions whose muxer has another name. Those that are the muxer's own name need no row. */
const EXTENSIONS: ReadonlyMap<string, OutputFormat> = new Map<string, OutputFormat>([
  ...many('matroska', 'mkv mka mks mk3d'),
  ...many('ipod', 'm4a m4b'),
  ...many('mpegts', 'ts m2ts mts m2t'),
  ...many('mpeg', 'mpg'),
  ...many('mpeg2video', 'm2v mpv'),
  ...many('mpeg1video', 'm1v'),
  ...many('hevc', 'h265 265'),
  ...many('h264', '264 avc'),
  ...many('asf', 'wma wmv'),
  ...many('adts', 'aac'),
  ...many('aiff', 'aif aifc'),
  ...many('ogg', 'ogx'),
  ...many('spx', 'speex'),
  ...many('hls', 'm3u8'),
  ...many('dash', 'mpd'),
  ...many('webvtt', 'vtt'),
  ...many('ass', 'ssa'),
  ...many('microdvd', 'sub'),
  ...many('yuv4mpegpipe', 'y4m'),
  ...many('rawvideo', 'yuv rgb'),
  ...many('eac3', 'ec3'),
  ...many('s16le', 'pcm'),
  ...many('rm', 'ra'),
  ...['jpg mjpeg', 'jpeg mjpeg', 'png png', 'bmp bmp', 'tif tiff', 'tiff tiff', 'tga targa', 'ppm ppm', 'pgm pgm']
    .concat(['pbm pbm', 'pam pam', 'jp2 jpeg2000', 'j2k jpeg2000', 'exr exr', 'dpx dpx', 'jxl libjxl', 'qoi qoi'])
    .concat(['sgi sgi', 'xbm xbm', 'pcx pcx'])
    .map((row): [string, OutputFormat] => {
      const [extension = '', picture = ''] = row.split(' ');
      return [extension, { muxer: 'image2', picture }];
    }),
]);

/** As file extensions these mean a container; as names of muxers, a raw stream. */
const AS_EXTENSION: ReadonlyMap<string, OutputFormat> = new Map(many('ipod', 'm4v'));

/** Extensions of pictures that the demuxers of single pictures can repeat. */
const STILLS: ReadonlySet<string> = new Set(
  'jpg jpeg png bmp tif tiff tga ppm pgm pbm pam jp2 j2k exr dpx jxl qoi sgi xbm pcx webp psd dds'.split(' '),
);

/** Whether a name counts, as those of image sequences do: `img%03d.png`. */
export const hasCounter = (path: MediaPath): boolean => /%\d{0,3}d/.test(baseName(path));

/** Pictures in the container of films, which is read as a film of one frame. */
const IN_CONTAINERS: ReadonlySet<string> = new Set(['avif', 'heic', 'heif']);

/** Whether an extension (lower case, without dot) is that of a single picture. */
export const isPictureExtension = (extension: string): boolean => STILLS.has(extension) || IN_CONTAINERS.has(extension);

/** Whether the reader of such a picture can repeat it, and read a numbered series of them. */
export const isImageFile = (extension: string): boolean => STILLS.has(extension);

const COMMON: readonly string[] =
  'mp4 mov mkv webm avi mpegts flv gif mp3 m4a aac flac wav ogg opus jpg png webp srt vtt hls dash'.split(' ');

/** A format, or what is wrong with the name of one. */
export type FormatLookup = { readonly format: OutputFormat } | { readonly error: Omit<FieldError, 'field'> };

/** Reads what a caller wrote as `format` (or `f`): a muxer's name or a usual extension. */
export function findFormat(text: string, muxers: MuxerNames): FormatLookup {
  const name = text.toLowerCase().replace(/^\./, '');
  if (REJECTED_MUXERS.has(name) || (muxers.has(name) && !MUXERS.has(name)))
    return {
      error: {
        code: 'FORMAT_NOT_ALLOWED',
        message: REJECTED_MUXERS.has(name)
          ? `"${text}" does not write a media file, so it is not offered.`
          : `"${text}" was not reviewed for this service, so it is not offered.`,
        allowed: COMMON,
      },
    };
  if (muxers.has(name)) return { format: EXTENSIONS.get(name) ?? { muxer: name } };
  const format = EXTENSIONS.get(name);
  if (format !== undefined && muxers.has(format.muxer)) return { format };
  const near = closestMatch(name, [...COMMON, ...EXTENSIONS.keys(), ...muxers.keys()]);
  return {
    error: {
      code: 'UNKNOWN_FORMAT',
      message: `"${text.slice(0, 64)}" is no format that the installed ffmpeg can write.`,
      allowed: COMMON,
      ...(near === undefined ? {} : { fix: `Send "${near}".` }),
    },
  };
}

/** What an output's extension (lower case, without dot) says. */
export function findFormatByExtension(extension: string, muxers: MuxerNames): FormatLookup {
  const special = AS_EXTENSION.get(extension);
  if (special !== undefined && muxers.has(special.muxer)) return { format: special };
  if (extension !== '') {
    const found = findFormat(extension, muxers);
    if ('format' in found) return found;
  }
  return {
    error: {
      code: 'UNKNOWN_FORMAT',
      message:
        extension === ''
          ? 'The output has no extension, so its format is not known.'
          : `The extension ".${extension}" does not tell which format is meant.`,
      allowed: COMMON,
      fix: 'Send "format", for example "mp4".',
    },
  };
}
