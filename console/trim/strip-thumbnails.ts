import { useMedia } from '../ui/use-media.ts';

/** The number of thumbnails of a strip. Each stands for an equal part of the source. */
export const THUMBNAILS = 8;

/** How much wider the image of all thumbnails is, because of the gaps between them. */
const GAPS = 1.025;

/** The aspect ratio of a thumbnail on a phone: upright, because eight wide ones would be too low to see. */
const UPRIGHT = 0.75;

/** The aspect ratio of each thumbnail of a video with this one. On a phone, only the middle of a wide video is shown. */
export const useThumbnailAspect = (aspect: number): number =>
  useMedia('(width < 48rem)') ? Math.min(aspect, UPRIGHT) : aspect;

/**
 * The aspect ratio of all thumbnails together: not less than that of their image, so that only its height is cut. Their space in
 * source-trim.module.css has the same.
 */
export const stripAspect = (thumbnail: number): number => THUMBNAILS * thumbnail * GAPS;

/** Where in the image of all thumbnails the middle of one is, as a value of `object-position` for a part with the aspect ratio of `thumbnail`. */
export function placeOf(index: number, aspect: number, thumbnail: number): string {
  const whole = stripAspect(aspect);
  return `${(100 * (((index + 0.5) / THUMBNAILS) * whole - thumbnail / 2)) / (whole - thumbnail)}% 50%`;
}
