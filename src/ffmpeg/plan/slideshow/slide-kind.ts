/** What a file holds as far as its extension tells; what it really holds, ffmpeg finds when it opens it. */
export type SlideFileKind = 'picture' | 'video' | 'sound' | 'subtitles';

const of = (kind: SlideFileKind, extensions: string): [string, SlideFileKind][] =>
  extensions.split(' ').map((extension) => [extension, kind]);

const KINDS: ReadonlyMap<string, SlideFileKind> = new Map([
  ...of(
    'video',
    'mp4 m4v mov mkv webm avi wmv flv ts m2ts mts mpg mpeg vob ogv 3gp 3g2 mxf gif apng y4m ivf h264 hevc',
  ),
  ...of(
    'sound',
    'mp3 m4a m4b aac flac wav ogg oga opus wma aiff aif aifc ac3 eac3 dts mka caf amr au w64 wv ape tta mp2',
  ),
  ...of('subtitles', 'srt ass ssa vtt sub sup ttml scc'),
]);

/** undefined: the extension (lower case, without dot) does not tell. */
export const slideFileKind = (extension: string): SlideFileKind | undefined => KINDS.get(extension);
