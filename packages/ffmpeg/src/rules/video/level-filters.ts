import { H264_LEVELS, macroblocksOf } from '../../values/h264-levels.ts';

/** Usual heights and frame rates, from the largest. */
const HEIGHTS = [1080, 720, 576, 480, 360, 288, 240, 144];
const RATES = [60, 50, 30, 25, 24, 15];

/** Returns filters that reduce a video to what a level allows. undefined: nothing exceeds it, or no usual size is small enough. */
export function filtersForLevel(
  level: string,
  { width, height, fps }: Readonly<Record<'width' | 'height' | 'fps', number>>,
): string | undefined {
  const limits = H264_LEVELS.find((one) => one.level === level);
  if (limits === undefined) return undefined;
  const blocksAt = (one: number): number => macroblocksOf((width / height) * one, one);
  const fitting = HEIGHTS.filter((one) => one <= height).find((one) => blocksAt(one) <= limits.blocksPerFrame);
  if (fitting === undefined) return undefined;
  const most = limits.blocksPerSecond / blocksAt(fitting);
  const rate = fps <= most ? undefined : RATES.find((one) => one <= most);
  const scale = fitting === height ? [] : [`scale=-2:${fitting}`];
  return [...scale, ...(rate === undefined ? [] : [`fps=${rate}`])].join(',') || undefined;
}
