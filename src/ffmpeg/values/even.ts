/** The largest even number of pixels that is not above `pixels`, and at least 2. Pictures with half as many colours need it. */
export const evenBelow = (pixels: number): number => Math.max(2, 2 * Math.floor(pixels / 2));
