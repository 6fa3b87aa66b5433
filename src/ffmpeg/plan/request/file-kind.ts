/** The kind of a file, guessed from its extension. ffmpeg detects the real content when it opens the file. */
export type FileKind = 'video' | 'sound' | 'subtitles';

const rows = (kind: FileKind, extensions: string): [string, FileKind][] =>
  extensions.split(' ').map((extension) => [extension, kind]);

const KIND_BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map([
  ...rows(
    'video',
    'mp4 m4v mov mkv webm avi wmv flv ts m2ts mts mpg mpeg vob ogv 3gp 3g2 mxf gif apng y4m ivf h264 hevc',
  ),
  ...rows(
    'sound',
    'mp3 m4a m4b aac flac wav ogg oga opus wma aiff aif aifc ac3 eac3 dts mka caf amr au w64 wv ape tta mp2',
  ),
  ...rows('subtitles', 'srt ass ssa vtt sub sup ttml scc'),
]);

/** Returns the kind of a file, or undefined if its extension (lower case, without dot) is unknown. */
export const fileKind = (extension: string): FileKind | undefined => KIND_BY_EXTENSION.get(extension);
