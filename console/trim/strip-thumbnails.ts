/** The number of thumbnails of a strip. Each stands for an equal part of the source. */
export const THUMBNAILS = 8;

/** How much wider the image of all thumbnails is, because of the gaps between them. */
const GAPS = 1.025;

/** The aspect ratio of all thumbnails of a video together: not less than that of their image, so that only its height is cut. */
export const stripAspect = (aspect: number): number => THUMBNAILS * aspect * GAPS;
