/** How a file can be shown. `hls`, `dash`: a playlist of segments. `other`: not at all. */
export type MediaKind = 'image' | 'video' | 'audio' | 'hls' | 'dash' | 'other';

/** The usual file name extensions of each kind. If the browser cannot decode a file, the service renders it as an image. */
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

interface StreamKind {
  readonly type: string;
  readonly disposition?: readonly string[] | undefined;
}

/** The kind of a file, from its name and its streams if they are known: an `.mp4` without video is `audio`. */
export function mediaKind(path: string, streams?: readonly StreamKind[]): MediaKind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = KINDS.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? 'other';
  if (kind !== 'video' || streams === undefined || streams.length === 0) return kind;
  const isVideo = ({ type, disposition = [] }: StreamKind) => type === 'video' && !disposition.includes('attached_pic');
  return streams.some(isVideo) ? 'video' : 'audio';
}
