/** How a file can be shown. `hls`, `dash`: a playlist of segments. `other`: not as media. */
export type MediaKind = 'image' | 'video' | 'audio' | 'hls' | 'dash' | 'other';

/** By the extensions that people give to files. What the browser cannot decode, the service renders as an image. */
const EXTENSIONS: Readonly<Record<Exclude<MediaKind, 'other'>, string>> = {
  image: 'apng avif bmp exr gif heic jpeg jpg jxl png svg tga tif tiff webp',
  video: '3gp avi flv gxf m2ts m4v mkv mov mp4 mpeg mpg mts mxf ogv ts vob webm wmv',
  audio: 'aac ac3 aif aiff alac amr caf eac3 flac m4a mka mp2 mp3 oga ogg opus wav wma',
  hls: 'm3u8',
  dash: 'mpd',
};

const KINDS = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as MediaKind] as const),
  ),
);

/** What the service knows of the streams of a file. */
interface StreamKind {
  readonly type: string;
  readonly disposition?: readonly string[] | undefined;
}

/** The kind of a file, by its name and, where they are known, by its streams: an `.mp4` without video is audio. */
export function mediaKind(path: string, streams?: readonly StreamKind[]): MediaKind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = KINDS.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? 'other';
  if (kind !== 'video' || streams === undefined || streams.length === 0) return kind;
  const isVideo = ({ type, disposition = [] }: StreamKind) => type === 'video' && !disposition.includes('attached_pic');
  return streams.some(isVideo) ? 'video' : 'audio';
}
