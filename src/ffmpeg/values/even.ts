/** The largest even number of pixels that is not above `pixels`, and at least 2. Pictures with half as many colours need it. */
export const evenBelow = (pixels: number): number => Math.max(2, 2 * Math.floor(pixels / 2));

/** The even width for an odd one beside a height: the one below, or the one above if that is nearer to 16:9, as 854 is for 853x480. */
export function evenWidth(width: number, height: number): number {
  const below = evenBelow(width);
  const distance = (one: number): number => Math.abs(one / evenBelow(height) - 16 / 9);
  return below < width && distance(width) < 0.01 && distance(below + 2) < distance(below) ? below + 2 : below;
}
