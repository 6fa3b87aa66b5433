import { mediaKind } from './media-kind.ts';

/** The names of formats in ffmpeg for file name extensions that it does not have among them. */
const FORMATS: Readonly<Record<string, string>> = {
  ...{
    aif: 'aiff',
    apng: 'png',
    avif: 'mov',
    heic: 'mov',
    jpg: 'jpeg',
    jxl: 'jpegxl',
    m2ts: 'mpegts',
    m3u8: 'hls',
    m4v: 'mov',
    mka: 'matroska',
  },
  ...{ mkv: 'matroska', mp2: 'mp3', mpd: 'dash', mpg: 'mpeg', mts: 'mpegts', oga: 'ogg', ogv: 'ogg', opus: 'ogg' },
  ...{ tif: 'tiff', ts: 'mpegts', vob: 'mpeg', wma: 'asf', wmv: 'asf' },
};

/** What ffprobe says of the format of a file. */
interface Format {
  readonly names: readonly string[];
  readonly description?: string | undefined;
}

/**
 * The container of a file as people call it: `MP4` of `in.mp4`. `format`: what the file has been found to be. If its name says something
 * else, this is its own name, such as `Matroska / WebM`. '': the name has no extension, and nothing was found.
 */
export function containerName(path: string, format?: Format): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (format === undefined) return extension.toUpperCase();
  // The names of formats of single images are `jpeg_pipe` and the like, or that of all images.
  const names = format.names.map((one) => one.replace(/_pipe$/, ''));
  const own = [extension, FORMATS[extension], ...(mediaKind(path) === 'image' ? ['image2'] : [])];
  const isAsNamed = own.some((one) => one !== undefined && names.includes(one));
  return isAsNamed && extension !== '' ? extension.toUpperCase() : (format.description ?? names[0] ?? '');
}
