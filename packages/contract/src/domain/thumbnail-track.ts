import type { trackFields } from '../wire/conversion.ts';
import type { Shape } from '../wire/shape.ts';
import { baseName, type MediaPath, withExtension } from './media-path.ts';

/**
 * Requests a WebVTT file beside a sheet of images. Players use it to show an image while the viewer seeks. Each cue assigns a time range to
 * a part of the sheet: the images fill the sheet row by row, and the first cue begins at 0. The filter `fps` takes each image from the
 * middle of its cue.
 */
export type ThumbnailTrack = Shape<typeof trackFields>;

/** The limits of a track. With the maximum number of cues, the file has about 1 MB. */
export const THUMBNAIL_TRACK = { minSeconds: 0.04, maxSeconds: 86_400 * 7, sides: 1000, cues: 10_000 } as const;

/** Whether a track is within the limits. Recipes compute their tracks, so any number can occur. */
export function isWithinLimits(track: ThumbnailTrack): boolean {
  const { minSeconds, maxSeconds, sides, cues } = THUMBNAIL_TRACK;
  const isTime = (seconds: number): boolean => seconds >= minSeconds && seconds <= maxSeconds;
  const isSide = (side: number): boolean => Number.isInteger(side) && side >= 1 && side <= sides;
  const { everySeconds, durationSeconds, columns, rows } = track;
  return [everySeconds, durationSeconds].every(isTime) && [columns, rows].every(isSide) && cueCount(track) <= cues;
}

export const cueCount = ({ everySeconds, durationSeconds }: ThumbnailTrack): number =>
  // Subtract a little, because the result of divisions such as 0.3 / 0.1 can be slightly too large.
  Math.max(1, Math.ceil(durationSeconds / everySeconds - 1e-6));

/** The file name of the track of a sheet: `film.vtt` for `sprites/film.jpg`. */
export const trackName = (sheet: MediaPath): string => baseName(withExtension(sheet, 'vtt'));

/** The text of the WebVTT file. `size`: width and height of the sheet in pixels. */
export function trackText(
  track: ThumbnailTrack,
  sheet: MediaPath,
  size: { readonly width: number; readonly height: number },
): string {
  const { everySeconds, durationSeconds, columns, rows } = track;
  const [width, height] = [Math.floor(size.width / columns), Math.floor(size.height / rows)];
  const address = encodeURIComponent(baseName(sheet));
  const cues = Array.from({ length: Math.min(cueCount(track), columns * rows) }, (_, index) => {
    const [x, y] = [(index % columns) * width, Math.floor(index / columns) * height];
    const end = Math.min((index + 1) * everySeconds, durationSeconds);
    return `${time(index * everySeconds)} --> ${time(end)}\n${address}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Formats a time for WebVTT: `01:02:03.250`. */
function time(seconds: number): string {
  const all = Math.round(seconds * 1000);
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const clock = [all / 3_600_000, (all / 60_000) % 60, (all / 1000) % 60].map(two).join(':');
  return `${clock}.${String(all % 1000).padStart(3, '0')}`;
}
