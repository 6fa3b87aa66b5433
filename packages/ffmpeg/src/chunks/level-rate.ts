import { lowestLevel } from '../values/h264-levels.ts';

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
  const level = lowestLevel({ width, height, fps: framesPerSecond * ROUNDING });
  return ((level?.kilobits ?? Number.POSITIVE_INFINITY) * 1000) / PEAK;
}
