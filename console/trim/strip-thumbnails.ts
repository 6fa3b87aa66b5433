import { useMedia } from '../ui/use-media.ts';

/** The number of thumbnails of a strip. Each stands for an equal part of the source. On a phone, more would be too small to see. */
const THUMBNAILS = { wide: 8, narrow: 4 } as const;

/** How much wider the image of all thumbnails is, because of the gaps between them. */
const GAPS = 1.025;

/** The number of thumbnails that fit into the window. */
export const useThumbnailCount = (): number => THUMBNAILS[useMedia('(width < 48rem)') ? 'narrow' : 'wide'];

/** The aspect ratio of all thumbnails of a video together: not less than that of their image, so that only its height is cut. */
export const stripAspect = (aspect: number, count: number): number => count * aspect * GAPS;
