import { namesOfWord } from '@telecine/contract/domain/aliases.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
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
const AS_EXTENSION: ReadonlyMap<string, OutputFormat> = new Map(rows('ipod', 'm4v'));

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

/** What to send instead of input formats that are not supported, but that clients often send. */
export const INPUT_ALTERNATIVES: ReadonlyMap<string, string> = new Map([
  [
    'lavfi',
    'Leave out "f": "lavfi" (or "format"), and send the graph as a source in "inputs": {"source": "anullsrc=r=48000:cl=stereo"}.',
  ],
  [
    'concat',
    'Leave out "f": "concat" (or "format"), "safe" and this list of files. Send the files themselves in "inputs", and "join": "copy" to keep their streams, or "join": "encode" without "c": "copy" if they differ.',
  ],
]);

/** Finds the format that a client means by `text`, the name of a muxer or a usual extension. */
export function findFormat(text: string, muxers: MuxerNames): FormatLookup {
  const name = text.toLowerCase().replace(/^\./, '');
  if (REJECTED_MUXERS.has(name) || (muxers.has(name) && !MUXERS.has(name)))
    return {
      error: {
        code: 'FORMAT_NOT_ALLOWED',
        message: `The format "${text}" is not allowed: ${REJECTED_MUXERS.has(name) ? rejectedMuxer(name).why : 'it has not been reviewed for this service'}.`,
        allowed: COMMON,
        ...(REJECTED_MUXERS.has(name) ? { fix: rejectedMuxer(name).fix } : {}),
      },
    };
  if (muxers.has(name)) return { format: EXTENSIONS.get(name) ?? { muxer: name } };
  const format = EXTENSIONS.get(name);
  if (format !== undefined && muxers.has(format.muxer)) return { format };
  const alternative = INPUT_ALTERNATIVES.get(name);
  if (alternative !== undefined)
    return {
      error: {
        code: 'UNKNOWN_FORMAT',
        message: `ffmpeg reads inputs of the format "${name}", but this service does not allow it.`,
        fix: alternative,
      },
    };
  const isWritable = (one: string): boolean => {
    const muxer = EXTENSIONS.get(one)?.muxer ?? one;
    return muxers.has(muxer) && MUXERS.has(muxer);
  };
  const near =
    namesOfWord(text).find(isWritable) ??
    closestMatch(name, [...COMMON, ...EXTENSIONS.keys(), ...[...muxers.keys()].filter((one) => MUXERS.has(one))]);
  return {
    error: {
      code: 'UNKNOWN_FORMAT',
      message: `The installed ffmpeg cannot write a format ${quoted(text)}.`,
      allowed: COMMON,
      ...(near === undefined ? {} : { fix: sendValue(near) }),
    },
  };
}

/** Why a muxer is rejected, and what to send instead. */
const rejectedMuxer = (name: string): { readonly why: string; readonly fix: Hint } => {
  if (/segment$/.test(name)) return { why: 'it writes segments to a stream', fix: sendValue('segment') };
  if (name === 'tee')
    return {
      why: 'it writes several outputs',
      fix: 'Send the files as "outputs": [{"output": "a.mp4"}, {"output": "b.mp4"}], instead of "output" and this format.',
    };
  if (name === 'null')
    return {
      why: 'it discards its output',
      fix: { ...sendValue('framemd5'), why: 'it writes a checksum of each frame' },
    };
  if (name === 'image2pipe') return { why: 'it writes images to a stream', fix: sendValue('image2') };
  return { why: 'it opens a device or the network, or writes no media file', fix: sendValue('mp4') };
};

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
          ? 'The output has no extension, so its format is unknown.'
          : `The extension ".${extension}" is not the extension of a known format.`,
      allowed: COMMON,
      fix: extension === 'txt' ? SPEECH : 'Send "format", for example "mp4".',
    },
  };
}

/** The fix for an output that ends with ".txt": the client usually wants the text of the speech. */
const SPEECH =
  'For captions of the speech, send "preset": {"name": "captions-from-speech"} and an output that ends with ".srt". Else send "format".';

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

/** Matches the counter of another tool or language in a file name: `{n}`, `$Number$`, `{:03d}`, `$n`, `###`, `%i`, `*`. */
const PLACEHOLDER =
  /\{(?:n|i|num|number|index|idx|count|counter|frame|seq|title|chapter|part|segment|\d)?(?::0?(\d)d?)?\}|\$Number(?:%0(\d)d)?\$|\$\{?(?:n|i|num|number|index|count|frame)\b\}?|(#{2,9})|%0?(\d)?[iunN](?![a-z])|<(?:n|i|num|number|index|count|frame)>|\*/;

/** A path in which ffmpeg's counter replaces the counter of another tool. */
interface CounterName {
  /** The other tool's counter: `{n}`. */
  readonly placeholder: string;
  /** The path with ffmpeg's counter: `thumb_%03d.jpg`. */
  readonly meant: string;
}

/** The counter that the client means in the file name of a path. undefined: it has no counter, or already ffmpeg's. */
export function meantCounter(path: string): CounterName | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [placeholder, width, dash, marks, digits] = PLACEHOLDER.exec(name) ?? [];
  if (placeholder === undefined || /%\d{0,3}d/.test(name)) return undefined;
  const zeros = Number(width ?? dash ?? digits ?? marks?.length ?? 3);
  const folder = path.slice(0, path.length - name.length);
  // Double other percent signs, which ffmpeg would read as counters.
  const escaped = name.split(placeholder).map((part) => part.replaceAll('%', '%%'));
  const [before = '', ...after] = escaped;
  return { placeholder, meant: `${folder}${before}%0${zeros}d${after.join(placeholder)}` };
}

/** Adds a counter to the end of the file name in a path: `frames/out_%03d.png`. */
export const withCounter = (path: string): string => path.replace(/(\.[^./]*)?$/, '_%03d$1');
