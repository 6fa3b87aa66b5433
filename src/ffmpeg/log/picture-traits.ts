/** What a stream line says about a picture besides its size. */
export interface PictureTraits {
  /** The sample aspect ratio: the width of a pixel divided by its height. Absent if the line has none. */
  readonly pixelAspect?: number;
  /** The same as ffmpeg writes it: `427:426`. Absent if the pixels are square. */
  readonly aspectText?: string;
  /** Whether the picture consists of two fields that were taken one after the other. */
  readonly isInterlaced?: true;
  /** The frame rate that filters read, as only ffprobe says it: the lowest that fits all times. */
  readonly baseRate?: number;
}

const VIDEO = /^ {2}Stream #\d+:\d+.{0,60}: Video: /;
const ASPECT = /[ []SAR (\d{1,9}):(\d{1,9}) DAR \d/;
/** In the brackets of the pixel format: `yuv420p(tv, top coded first (swapped))`. */
const INTERLACED = /[(, ](?:top|bottom) (?:coded )?first(?: \(swapped\))?[,)]/;

/** Reads the line of a video stream. undefined for any other line, and for one that says neither. */
export function readPictureTraits(line: string): PictureTraits | undefined {
  if (!VIDEO.test(line)) return undefined;
  const [, width = '', height = ''] = ASPECT.exec(line) ?? [];
  const aspect = Number(width) / Number(height);
  const isInterlaced = INTERLACED.test(line);
  if (!(aspect > 0) && !isInterlaced) return undefined;
  return {
    ...(aspect > 0 && { pixelAspect: aspect }),
    ...(aspect > 0 && aspect !== 1 && { aspectText: `${width}:${height}` }),
    ...(isInterlaced && { isInterlaced }),
  };
}
