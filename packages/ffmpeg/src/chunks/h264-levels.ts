/** The levels of H.264 with the limits of the Main profile: macroblocks per second and per frame, and kilobits per second. */
const LEVELS: readonly (readonly [perSecond: number, perFrame: number, kilobits: number])[] = [
  [1485, 99, 64],
  [3000, 396, 192],
  [6000, 396, 384],
  [11_880, 396, 768],
  [11_880, 396, 2000],
  [19_800, 792, 4000],
  [20_250, 1620, 4000],
  [40_500, 1620, 10_000],
  [108_000, 3600, 14_000],
  [216_000, 5120, 20_000],
  [245_760, 8192, 20_000],
  [245_760, 8192, 50_000],
  [522_240, 8704, 50_000],
  [589_824, 22_080, 135_000],
  [983_040, 36_864, 240_000],
  [2_073_600, 36_864, 240_000],
  [4_177_920, 139_264, 240_000],
  [8_355_840, 139_264, 480_000],
  [16_711_680, 139_264, 800_000],
];

/** libx264 assumes that peaks have twice the average bit rate when it chooses a level. */
const PEAK = 2;

/** Frames per second are counted, and so are a little too many or too few. */
const ROUNDING = 0.999;

/**
 * The highest average bit rate with which libx264 chooses the level by the size and the rate of the frames alone, in bits per second. All chunks
 * below it have the same level, and so the same headers.
 */
export function mostRateOfLevel({
  width,
  height,
  framesPerSecond,
}: {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}): number {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const level = LEVELS.find(
    ([perSecond, perFrame]) => blocks <= perFrame && blocks * framesPerSecond * ROUNDING <= perSecond,
  );
  return ((level?.[2] ?? Number.POSITIVE_INFINITY) * 1000) / PEAK;
}
