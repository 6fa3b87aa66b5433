/** The names of the values that hold the three heights of a ladder. */
interface HeightNames {
  readonly high: string;
  readonly middle: string;
  readonly low: string;
}

/** Formulas of the heights of a ladder: that of the film or of the argument `top`, two thirds and a third of it, all even. */
export const ladderHeights = ({ high, middle, low }: HeightNames): Readonly<Record<string, string>> => ({
  [high]: '2 * floor(min(top, input.height) / 2)',
  [middle]: `2 * round(${high} / 3)`,
  [low]: `2 * round(${high} / 6)`,
});

/**
 * The formula of a bit rate in kbit/s that suits pictures of a height in the shape of the film: 5000 for 1920x1080, 2200 for
 * 1280x720, 560 for 640x360.
 */
export const usualKilobits = (height: string): string =>
  `max(20, round(0.00242 * ${height} * ${height} * input.width / input.height))`;
